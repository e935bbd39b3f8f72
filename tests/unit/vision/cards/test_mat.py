"""Geometry of mat and printed card: markers readable and apart, sheets that fit the paper, nothing over a place."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, PLACE_COUNTS, PRINTED_CARD, Mat, card_marker, mat_of
from bunnymoose_cv.vision.cards.mat_search import find_mat

PAPERS_MM = ((297, 210), (279.4, 215.9))


@pytest.mark.parametrize("places", PLACE_COUNTS)
def test_sheets_fit_the_paper_tile_the_mat_and_cut_no_place(places: int) -> None:
    mat = mat_of(places)
    assert len(mat.places) == places
    assert sum(sheet.part.width for sheet in mat.sheets) == pytest.approx(mat.size[0])
    for sheet in mat.sheets:
        assert all(sheet.part.width <= width - 10 and sheet.part.height <= height - 10 for width, height in PAPERS_MM)
        edge = sheet.part.x
        assert not any(place.x < edge < place.x + place.width for place in mat.places)


@pytest.mark.parametrize("places", PLACE_COUNTS)
def test_markers_keep_their_white_margin_and_cover_no_place(places: int) -> None:
    mat = mat_of(places)
    for marker in mat.markers:
        square = marker.square
        assert square.x >= marker.cell
        assert square.y >= marker.cell
        bottom = square.y + square.height + marker.cell
        first = mat.places[0]
        assert bottom <= first.y or square.y - marker.cell >= first.y + first.height


def test_no_marker_is_used_twice() -> None:
    ids = [marker.id for places in PLACE_COUNTS for marker in mat_of(places).markers]
    ids += [card_marker(number).id for number in range(94)]
    assert len(set(ids)) == len(ids)


def test_the_printed_card_holds_face_marker_and_label() -> None:
    for rectangle in (PRINTED_CARD.face, PRINTED_CARD.marker, PRINTED_CARD.label):
        assert rectangle.x + rectangle.width < CARD_SIZE_MM[0]
        assert rectangle.y + rectangle.height < CARD_SIZE_MM[1]
    margin = card_marker(0).cell
    assert PRINTED_CARD.face.y + PRINTED_CARD.face.height + margin <= PRINTED_CARD.marker.y
    assert PRINTED_CARD.marker.x + PRINTED_CARD.marker.width + margin <= PRINTED_CARD.label.x


@pytest.mark.parametrize("places", PLACE_COUNTS)
@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_a_mat_is_found_while_two_of_its_markers_are_seen(places: int, hidden: int) -> None:
    mat = mat_of(places)
    image = _drawn(mat, hidden)
    found = find_mat(image)
    assert found is not None
    assert np.abs(found - np.array([place.corners for place in mat.places]) * 2 - 40).max() < 3


def test_a_single_marker_is_no_mat() -> None:
    assert find_mat(_drawn(mat_of(6), 3)) is None


def _drawn(mat: Mat, hidden: int) -> np.ndarray:
    """A mat at two pixels a millimetre, 40 pixels from the image's edge, without its first markers."""
    image = np.full((round(mat.size[1] * 2) + 80, round(mat.size[0] * 2) + 80), 235, np.uint8)
    for marker in mat.markers[hidden:]:
        left, top = round(marker.square.x * 2) + 40, round(marker.square.y * 2) + 40
        cells = np.kron(marker.pattern.astype(np.uint8) * 235, np.ones((12, 12), np.uint8))
        image[top : top + 72, left : left + 72] = cells
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 0.8), cv2.COLOR_GRAY2BGR), np.uint8)
