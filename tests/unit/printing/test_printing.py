"""Printed decks and mats: positions on paper, and readings of the rendered PDFs."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.printing.sheets import Paper, deck_pdf, deck_sheets, mat_parts, mat_pdf
from bunnymoose_cv.rules.deck import face_numbers, load_deck
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, MARKER_DICTIONARY, PRINTED_CARD, mat_of
from tests.unit.web.photographs import PX_PER_MM, pages_of

Run = tuple[int, str, str]


UNPRINTED_MM = 4.0
"""Margin in which a home printer prints nothing; cards keep clear of it."""


@pytest.mark.parametrize("paper", [Paper.A4, Paper.LETTER])
def test_cards_are_side_by_side_inside_the_sheet(paper: Paper) -> None:
    deck = load_deck("second")
    cards = (*deck.cards, *deck.advanced)
    sheets = deck_sheets(cards, paper)
    assert [card for sheet in sheets for card, _ in sheet.fronts] == list(cards)
    assert len(sheets) == 13
    width, height = paper.size_mm
    for sheet in sheets:
        for _, spot in sheet.fronts:
            assert UNPRINTED_MM < spot.x < width - CARD_SIZE_MM[0] - UNPRINTED_MM
            assert UNPRINTED_MM < spot.y < height - CARD_SIZE_MM[1] - UNPRINTED_MM
        for (_, one), (_, other) in combinations(sheet.fronts, 2):
            apart = abs(one.x - other.x) >= CARD_SIZE_MM[0] - 1e-6, abs(one.y - other.y) >= CARD_SIZE_MM[1] - 1e-6
            assert any(apart)


def test_a_back_meets_its_front_when_the_sheet_is_turned_over_its_long_edge() -> None:
    deck = load_deck("second")
    for sheet in deck_sheets(deck.cards[:4], Paper.A4):
        for (_, front), back in zip(sheet.fronts, sheet.backs, strict=True):
            assert back.y == front.y
            assert Paper.A4.size_mm[0] - back.x - CARD_SIZE_MM[0] == pytest.approx(front.x)


def test_crop_marks_touch_no_card() -> None:
    sheet = deck_sheets(load_deck("second").cards, Paper.LETTER)[0]
    left, top = min(spot.x for _, spot in sheet.fronts), min(spot.y for _, spot in sheet.fronts)
    right = max(spot.x for _, spot in sheet.fronts) + CARD_SIZE_MM[0]
    bottom = max(spot.y for _, spot in sheet.fronts) + CARD_SIZE_MM[1]
    assert len(sheet.marks) == 16
    for mark in sheet.marks:
        inside_x = left < max(mark.x1, mark.x2) and min(mark.x1, mark.x2) < right
        inside_y = top < max(mark.y1, mark.y2) and min(mark.y1, mark.y2) < bottom
        assert not (inside_x and inside_y)
        assert min(mark.x1, mark.y1, mark.x2, mark.y2) > 0


def test_faces_are_numbered_once_each() -> None:
    deck = load_deck("second")
    numbers = face_numbers(deck)
    assert len(numbers) == 94
    assert sorted(numbers.values()) == list(range(94))
    assert numbers[deck.cards[0]] == 0


@pytest.mark.parametrize(
    ("places", "paper", "pages"),
    [
        (6, Paper.A4, 2),
        (8, Paper.A4, 3),
        (6, Paper.LETTER, 2),
        (8, Paper.LETTER, 3),
        (6, Paper.A3, 2),
        (8, Paper.A3, 2),
    ],
)
def test_a_mat_is_cut_between_places(places: int, paper: Paper, pages: int) -> None:
    mat = mat_of(places)
    parts = mat_parts(mat, paper)
    assert len(parts) == pages
    assert parts[0].x == 0
    assert parts[-1].x + parts[-1].width == pytest.approx(mat.size[0])
    assert all(left.x + left.width == right.x for left, right in pairwise(parts))
    assert all(part.width < paper.size_mm[1] - 15 for part in parts)
    cuts = [part.x for part in parts[1:]]
    for box in (*mat.places, *(marker.square for marker in mat.markers)):
        assert not any(box.x - 1 < cut < box.x + box.width + 1 for cut in cuts)


DETECTOR = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY))


def rendered(content: bytes) -> list[NDArray[np.uint8]]:
    """Return every page of a PDF, grey."""
    return [cv2.cvtColor(page, cv2.COLOR_BGR2GRAY).astype(np.uint8) for page in pages_of(content)]


def markers_of(page: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    """Markers on a page by their number: the corners, shape (4, 2), millimetres."""
    corners, ids, _ = DETECTOR.detectMarkers(page)
    if ids is None:
        return {}
    return {
        int(number): corner.reshape(4, 2).astype(np.float64) / PX_PER_MM
        for number, corner in zip(ids.flatten(), corners, strict=True)
    }


def test_every_printed_card_has_its_own_marker() -> None:
    deck = load_deck("second")
    numbers = face_numbers(deck)
    sheets = deck_sheets((*deck.cards, *deck.advanced), Paper.A4)
    seen = set()
    pages = rendered(deck_pdf(deck, Paper.A4, Texts(), backs=False))
    for sheet, page in zip(sheets, pages, strict=True):
        found = markers_of(page)
        assert set(found) == {numbers[card] for card, _ in sheet.fronts}
        seen |= set(found)
        for card, spot in sheet.fronts:
            box = spot.at(PRINTED_CARD.marker)
            if [front for front, _ in sheet.fronts].count(card) == 1:
                assert np.abs(found[numbers[card]][0] - (box.x, box.y)).max() < 0.4
    assert seen == set(range(94))


def test_backs_have_no_marker_and_fill_their_cards() -> None:
    deck = replace(load_deck("second"), cards=load_deck("second").cards[:9], advanced=())
    front, back = rendered(deck_pdf(deck, Paper.LETTER, Texts()))
    assert len(markers_of(front)) == 9
    assert markers_of(back) == {}
    middle = deck_sheets(deck.cards, Paper.LETTER)[0].backs[4]
    x, y = (int((middle.x + 8) * PX_PER_MM), int((middle.y + CARD_SIZE_MM[1] / 2) * PX_PER_MM))
    assert back[y, x] < 160


@pytest.mark.parametrize(("places", "paper"), [(6, Paper.A4), (8, Paper.A3), (8, Paper.LETTER)])
def test_pages_of_the_mat_laid_edge_to_edge_form_the_mat(places: int, paper: Paper) -> None:
    mat = mat_of(places)
    pages = rendered(mat_pdf(places, paper, Texts()))
    parts = mat_parts(mat, paper)
    assert len(pages) == len(parts)
    laid: list[NDArray[np.uint8]] = []
    for page, part in zip(pages, parts, strict=True):
        left, top = (paper.size_mm[1] - part.width) / 2, (paper.size_mm[0] - part.height) / 2
        rows = slice(round(top * PX_PER_MM), round((top + part.height) * PX_PER_MM))
        laid.append(page[rows, round(left * PX_PER_MM) : round((left + part.width) * PX_PER_MM)])
    found = markers_of(np.hstack(laid))
    assert set(found) == {marker.id for marker in mat.markers}
    for marker in mat.markers:
        assert np.abs(found[marker.id] - marker.square.corners).max() < 0.6


def test_the_command_writes_deck_and_mat(bunnymoose: Callable[..., Run], tmp_path: Path) -> None:
    for words in (("print", "--paper", "letter", "--no-backs"), ("mat", "--places", "8")):
        path = tmp_path / f"{words[0]}.pdf"
        code, out, err = bunnymoose("deck", *words, "--out", str(path))
        assert (code, err) == (0, "")
        assert str(path) in out
        assert path.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("print", "--paper", "a5"), "There is no paper “a5” here: choose a4, letter."),
        (("mat", "--places", "7"), "There is a mat of 6 or of 8 places: choose one of them."),
        (("mat", "--out", "nowhere/at/all.pdf"), "nowhere/at/all.pdf cannot be written: No such file or directory"),
    ],
)
def test_unprintable_decks_and_mats_are_reported(
    bunnymoose: Callable[..., Run], words: tuple[str, ...], said: str
) -> None:
    code, out, err = bunnymoose("deck", *words)
    assert (code, out) == (2, "")
    assert said in err
