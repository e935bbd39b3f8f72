"""Reading of cards: a small part of the rendered matrix, and things that must not be read as cards."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.vision.cards.card_frame import Corners, card_height
from bunnymoose_cv.vision.cards.card_reader import CardReader
from bunnymoose_cv.vision.cards.card_reading import CardFaceId, CardsReading, PlaceReading, PlaceState, RetakeCause
from bunnymoose_cv.vision.cards.deal import DealKnowledge, KnownCard
from training.evaluate.cards.conditions import Group
from training.evaluate.cards.laid_cards import EMPTY, FOREIGN, Face
from training.evaluate.cards.matrix import enrolled, outcome, printed_faces
from training.evaluate.cards.scene import Scene, render

ON_MAT = (Group.WEBCAM, 1006)
CLEAR = ((Group.PHONE, 1), (Group.WEBCAM, 2), (Group.PLAIN, 3), (Group.PATTERN, 4))
ONE_SPOT = (Group.HARD, 1304)
LETTER = (Group.PLAIN, 1600)

Scenes: TypeAlias = dict[tuple[Group, int], Scene]


@pytest.fixture(scope="module")
def faces() -> tuple[Face, ...]:
    """Printed faces of our deck."""
    return printed_faces()


@pytest.fixture(scope="module")
def scenes(faces: tuple[Face, ...]) -> Scenes:
    """Photographs of the faces."""
    return {key: render(*key, faces) for key in (ON_MAT, *CLEAR, ONE_SPOT, LETTER)}


@pytest.fixture(scope="module")
def card_reader(faces: tuple[Face, ...], scenes: Scenes) -> CardReader:
    """Reader of the faces in the photographs and a part of the others, enrolled by another camera."""
    shown = {place.shows for scene in scenes.values() for place in scene.places}
    return CardReader(enrolled([face for number, face in enumerate(faces) if number % 6 == 0 or face.face in shown]))


@pytest.fixture(scope="module")
def on_mat(scenes: Scenes) -> Scene:
    """Photograph of the mat with an empty place and a foreign object."""
    scene = scenes[ON_MAT]
    assert {EMPTY, FOREIGN} <= {place.shows for place in scene.places}
    return scene


@pytest.fixture(scope="module")
def on_mat_reading(card_reader: CardReader, on_mat: Scene) -> CardsReading:
    """Reading of the photograph of the mat."""
    return card_reader.read(on_mat.image)


@pytest.mark.parametrize("key", CLEAR, ids=str)
def test_every_card_is_found_and_identified(card_reader: CardReader, scenes: Scenes, key: tuple[Group, int]) -> None:
    scene = scenes[key]
    read = outcome(scene, card_reader.read(scene.image), "", 0)
    cards = [place for place in read.places if place.is_card]
    assert cards
    assert [place.offered[:1] for place in cards] == [(place.shows,) for place in cards]
    assert sum(not place.is_sure for place in cards) <= 1
    assert not any(place.is_found for place in read.places if not place.is_card)
    assert read.things_taken == 0


def test_empty_places_and_foreign_cards_of_the_mat_are_distinguished(
    on_mat: Scene, on_mat_reading: CardsReading
) -> None:
    assert on_mat_reading.mat_found
    assert [place.place for place in on_mat_reading.places] == [1, 2, 3, 4, 5, 6]
    states = {truth.shows: _at(on_mat_reading.places, truth.corners_px).state for truth in on_mat.places}
    assert states[EMPTY] is PlaceState.EMPTY
    assert states[FOREIGN] is PlaceState.COVERED
    assert any("shows no card" in advice for advice in on_mat_reading.advice)


def test_corners_start_at_the_top_left_in_pixels_of_the_input(card_reader: CardReader, on_mat: Scene) -> None:
    large = np.asarray(cv2.resize(on_mat.image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    reading = card_reader.read(large)
    assert reading.size == (large.shape[1], large.shape[0])
    for truth in on_mat.places:
        read = _at(reading.places, truth.corners_px * 2)
        if read.state is PlaceState.CARD:
            apart = np.linalg.norm(read.corners_px - truth.corners_px * 2, axis=1).max()
            assert apart < 0.03 * card_height(truth.corners_px * 2)


def test_remembered_places_replace_a_hidden_mat(
    card_reader: CardReader, on_mat: Scene, on_mat_reading: CardsReading
) -> None:
    assert on_mat_reading.remembered is not None
    hidden = on_mat.image.copy()
    for row in (slice(None, hidden.shape[0] // 4), slice(-hidden.shape[0] // 4, None)):
        hidden[row] = cv2.blur(hidden[row], (31, 31))
    again = card_reader.read(hidden, remembered=on_mat_reading.remembered)
    assert len(again.places) == len(on_mat_reading.places)
    assert not again.mat_found


def test_blurred_image_has_no_certain_mistake_and_gets_advice(
    card_reader: CardReader, on_mat: Scene, on_mat_reading: CardsReading
) -> None:
    blurred = np.asarray(cv2.GaussianBlur(on_mat.image, (0, 0), 7), np.uint8)
    small = cv2.resize(blurred, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    reading = card_reader.read(np.asarray(small, np.uint8), remembered=on_mat_reading.remembered)
    truths = {CardFaceId(place.shows) for place in on_mat.places}
    assert all(place.face is None or place.face in truths for place in reading.places)


def test_keypoints_concentrated_in_one_spot_are_not_a_card(card_reader: CardReader, scenes: Scenes) -> None:
    assert all(place.candidates for place in card_reader.read(scenes[ONE_SPOT].image).places)


def test_letter_of_another_game_is_not_a_small_card(card_reader: CardReader, scenes: Scenes) -> None:
    reading = card_reader.read(scenes[LETTER].image)
    assert [place.face for place in reading.places] == ["B.?S+1", "B.?D+1", "R.S?+2"]


def test_image_without_cards_has_no_places(card_reader: CardReader) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (600, 900, 3)).astype(np.uint8)
    reading = card_reader.read(noise)
    assert reading.places == ()
    assert reading.faces is None
    assert reading.advice


def test_typed_card_is_kept_and_faces_outside_the_deck_are_not_read(
    card_reader: CardReader, on_mat: Scene, on_mat_reading: CardsReading
) -> None:
    seen, *_, lacking = (place for place in on_mat_reading.places if place.state is PlaceState.CARD)
    other = CardFaceId("MOOSE+2" if seen.face != "MOOSE+2" else "MOOSE+1")
    faces = {place.face for place in on_mat_reading.places if place.face is not None} - {lacking.face}
    deal = DealKnowledge(dict.fromkeys([*faces, other], 1), known={seen.place: KnownCard(other, entered=True)})
    again = card_reader.read(on_mat.image, deal=deal).places
    place = again[seen.place - 1]
    assert place.state is PlaceState.UNSURE
    assert {candidate.face for candidate in place.candidates} == {other, seen.face}
    assert lacking.face not in {candidate.face for place in again for candidate in place.candidates}


def _at(places: Sequence[PlaceReading], corners: Corners) -> PlaceReading:
    """Return the reading whose corners are nearest."""
    apart = [float(np.linalg.norm(place.corners_px.mean(0) - corners.mean(0))) for place in places]
    return places[int(np.argmin(apart))]


def _reflection(image: Image, corners: Corners) -> Image:
    """Draw a reflection over the lower half of a card."""
    middle = (corners.mean(0) + corners[2:].mean(0)) / 2
    size = (round(0.4 * card_height(corners)), round(0.2 * card_height(corners)))
    cv2.ellipse(image, [round(float(value)) for value in middle], size, 0, 0, 360, (255, 255, 255), -1)
    return image


def _finger(image: Image, corners: Corners) -> Image:
    """Draw a finger from below the lower edge over both values."""
    low = corners[2:].mean(0) - (corners[2:].mean(0) - corners[:2].mean(0)) * 0.1
    ends = np.rint([low + (corners[3] - corners[2]) * 0.6, low + (corners[2] - corners[3]) * 0.6]).astype(int)
    cv2.line(image, ends[0].tolist(), ends[1].tolist(), (110, 140, 190), round(0.55 * card_height(corners)))
    return image


def _dark(image: Image, _: Corners) -> Image:
    noise = np.random.default_rng(0).normal(0, 9, image.shape)
    return np.clip(image * 0.03 + noise, 0, 255).astype(np.uint8)


def _defocused(image: Image, corners: Corners) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.07 * card_height(corners)), np.uint8)


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (_reflection, (RetakeCause.REFLECTION, "reflection on place {place}")),
        (_finger, (RetakeCause.FINGERS, "covers place {place}")),
        (_dark, (RetakeCause.DARK, "dark")),
        (_defocused, (RetakeCause.BLURRED, "blurred")),
    ],
)
def test_advice_names_the_measured_cause(
    card_reader: CardReader,
    on_mat: Scene,
    on_mat_reading: CardsReading,
    spoil: Callable[[Image, Corners], Image],
    expected: tuple[RetakeCause, str],
) -> None:
    truth = next(place for place in on_mat.places if place.shows not in (EMPTY, FOREIGN))
    reading = card_reader.read(spoil(on_mat.image.copy(), truth.corners_px), on_mat_reading.remembered)
    read = _at(reading.places, truth.corners_px)
    assert read.state is not PlaceState.CARD
    cause, words = expected
    assert read.cause is cause
    assert any(words.format(place=read.place) in advice for advice in reading.advice)
