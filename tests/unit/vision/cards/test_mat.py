"""Mat, printed cards, markers and keypoints: sheets that fit the paper, and markers that identify twins."""

import cv2
import numpy as np
import pytest

from bunnymoose_cv.art.card_images import printed_card
from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.deck import face_numbers, load_deck
from bunnymoose_cv.vision.cards.card_alignment import Keypoints, root_sift
from bunnymoose_cv.vision.cards.card_classifier import CardClassifier
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, HALF_TURN, rectified
from bunnymoose_cv.vision.cards.card_markers import CardMarkers, find_mat, is_marked
from bunnymoose_cv.vision.cards.card_reading import CardFaceId, PlaceState
from bunnymoose_cv.vision.cards.card_settings import MATCHING
from bunnymoose_cv.vision.cards.enrolment import EnrolledCard
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, PLACE_COUNTS, PRINTED_CARD, Mat, Rectangle, card_marker, mat_of


@pytest.mark.parametrize("places", PLACE_COUNTS)
def test_no_marker_cuts_a_place(places: int) -> None:
    mat = mat_of(places)
    assert len(mat.places) == places
    for marker in mat.markers:
        square = marker.square
        assert min(square.x, square.y) >= marker.cell, "its white margin"
        bottom = square.y + square.height + marker.cell
        first = mat.places[0]
        assert bottom <= first.y or square.y - marker.cell >= first.y + first.height


def test_markers_are_unique() -> None:
    ids = [marker.id for places in PLACE_COUNTS for marker in mat_of(places).markers]
    ids += [card_marker(number).id for number in range(94)]
    assert len(set(ids)) == len(ids)


def test_printed_card_has_room_for_face_marker_and_label() -> None:
    for rectangle in (PRINTED_CARD.face, PRINTED_CARD.marker, PRINTED_CARD.label):
        assert rectangle.x + rectangle.width < CARD_SIZE_MM[0]
        assert rectangle.y + rectangle.height < CARD_SIZE_MM[1]
    margin = card_marker(0).cell
    assert PRINTED_CARD.face.y + PRINTED_CARD.face.height + margin <= PRINTED_CARD.marker.y
    assert PRINTED_CARD.marker.x + PRINTED_CARD.marker.width + margin <= PRINTED_CARD.label.x


@pytest.mark.parametrize("places", PLACE_COUNTS)
@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_mat_is_found_with_two_visible_markers(places: int, hidden: int) -> None:
    mat = mat_of(places)
    image = _drawn(mat, hidden)
    found = find_mat(image)
    assert found is not None
    assert np.abs(found - np.array([place.corners for place in mat.places]) * 2 - 40).max() < 3


def test_single_marker_is_not_a_mat() -> None:
    assert find_mat(_drawn(mat_of(6), 3)) is None


def _drawn(mat: Mat, hidden: int) -> np.ndarray:
    """Draw a mat at two pixels per millimetre, 40 pixels from the image's edge, without its first markers."""
    image = np.full((round(mat.size[1] * 2) + 80, round(mat.size[0] * 2) + 80), 235, np.uint8)
    for marker in mat.markers[hidden:]:
        left, top = round(marker.square.x * 2) + 40, round(marker.square.y * 2) + 40
        cells = np.kron(marker.pattern.astype(np.uint8) * 235, np.ones((12, 12), np.uint8))
        image[top : top + 72, left : left + 72] = cells
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 0.8), cv2.COLOR_GRAY2BGR), np.uint8)


DECK = ("L.WU+2", "L.WU-1", "B.CD+1", "REVERSE", "MOOSE+2")
NUMBERS = face_numbers(load_deck("second"))
MARKER = PRINTED_CARD.marker
LEFT_VALUE = Rectangle(10, 46, 19, 20)
"""Area of the left value, the only difference between `L.WU+2` and `L.WU-1` besides the marker."""

PLACE = np.array([[300, 200], [552, 200], [552, 552], [300, 552]], np.float32)
HERE = np.array([[1, 0, 300], [0, 1, 200], [0, 0, 1]], np.float64)


def printed(card: str, number: int | None = None) -> Image:
    face = parse_card(card)
    return printed_card(face, NUMBERS[face] if number is None else number)


def number_of(card: str) -> int:
    return NUMBERS[parse_card(card)]


@pytest.fixture(scope="module")
def decision() -> CardClassifier:
    return CardClassifier([EnrolledCard(CardFaceId(card), printed(card), number_of(card)) for card in DECK])


def on_table(card: Image, *white: Rectangle) -> Image:
    """Return a noisy image of a card on a cloth, with parts of it whitened."""
    face = card.copy()
    for part in white:
        face[
            round(part.y * 4) : round((part.y + part.height) * 4), round(part.x * 4) : round((part.x + part.width) * 4)
        ] = 255
    table = np.full((750, 850, 3), (70, 96, 60), np.uint8)
    table[200:552, 300:552] = face
    return np.clip(table + np.random.default_rng(5).normal(0, 4, table.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("artwork", "marker", "white", "known"),
    [
        ("L.WU+2", "L.WU+2", (), "L.WU+2"),
        ("L.WU+2", "L.WU+2", (LEFT_VALUE,), "L.WU+2"),
        ("L.WU-1", "L.WU-1", (LEFT_VALUE,), "L.WU-1"),
        ("L.WU-1", "L.WU-1", (MARKER,), "L.WU-1"),
        ("L.WU+2", "L.WU+2", (LEFT_VALUE, MARKER), None),
        ("L.WU+2", "REVERSE", (), None),
        ("L.WU+2", "L.WU-1", (), None),
    ],
)
def test_marker_confirms_decides_between_twins_or_makes_the_card_unsure(
    decision: CardClassifier, artwork: str, marker: str, white: tuple[Rectangle, ...], known: str | None
) -> None:
    image = on_table(printed(artwork, number_of(marker)), *white)
    reading = decision.read(image, 1, PLACE)
    assert reading.face == known
    if artwork != marker:
        assert reading.state is PlaceState.UNSURE
        assert {artwork, marker} <= {candidate.face for candidate in reading.candidates[:2]}


def test_marker_of_an_impossible_face_makes_the_card_unsure(
    decision: CardClassifier,
) -> None:
    image = on_table(printed("L.WU+2", number_of("REVERSE")))
    reading = decision.read(image, 1, PLACE, possible={CardFaceId("L.WU+2"), CardFaceId("MOOSE+2")})
    assert reading.state is PlaceState.UNSURE
    assert {candidate.face for candidate in reading.candidates} <= {"L.WU+2", "MOOSE+2"}


def test_marker_counts_only_at_its_printed_place() -> None:
    markers = CardMarkers([number_of("L.WU+2"), number_of("REVERSE")])
    image = on_table(printed("REVERSE"))
    assert markers.read(image, HERE) == 1
    assert markers.read(image, HERE @ HALF_TURN) is None
    below = np.array([[1, 0, 24], [0, 1, 0], [0, 0, 1]], np.float64)
    assert markers.read(image, HERE @ below) is None, "it is another card's, 6 mm beside"
    assert CardMarkers([None, None]).read(image, HERE) is None


def test_bought_card_has_no_marker() -> None:
    crop = printed("REVERSE")
    assert is_marked(crop, number_of("REVERSE"))
    assert not is_marked(crop, number_of("L.WU+2"))
    assert not is_marked(crop, None)
    plain = rectified(crop, np.eye(3), 1.0)
    plain[round(MARKER.y * 4) :] = 255
    assert plain.shape == (CROP_SIZE[1], CROP_SIZE[0], 3)
    assert not is_marked(plain, number_of("REVERSE"))


def vocabulary(places: list[tuple[float, float]], alike: float = 1.0) -> Keypoints:
    """Return keypoints at places, with a given cosine to the descriptors of another vocabulary."""
    count = len(places)
    descriptors = np.tile([alike, (1 - alike**2) ** 0.5], (count, 1)).astype(np.float32)
    ones = np.ones(count, np.float32)
    return Keypoints(np.array(places, np.float32), ones, ones, descriptors)


def test_keypoints_match_if_alike_and_less_than_twelve_pixels_apart() -> None:
    first = vocabulary([(0, 0)])
    same = first.same_as(vocabulary([(11.9, 0), (0, -11.9), (12.1, 0), (0, 12.1)]))
    assert same[:, 0].tolist() == [True, True, False, False]
    assert first.same_as(vocabulary([(0, 0)], MATCHING.alike + 0.01)).all()
    assert not first.same_as(vocabulary([(0, 0)], MATCHING.alike - 0.01)).any()


def test_descriptors_have_unit_length_and_one_place_each() -> None:
    grey = np.random.default_rng(0).integers(0, 256, (90, 120)).astype(np.uint8)
    found = root_sift(grey, 40, 0.02)
    count = len(found.places)
    assert 0 < count <= 41
    assert (found.places.shape, found.angles.shape, found.sizes.shape) == ((count, 2), (count,), (count,))
    assert np.linalg.norm(found.descriptors, axis=1) == pytest.approx(np.ones(count), abs=1e-5)
    none = root_sift(np.full((90, 120), 128, np.uint8), 40, 0.02)
    assert (none.places.shape, none.descriptors.shape) == ((0, 2), (0, 128)), "a plain image has none"
