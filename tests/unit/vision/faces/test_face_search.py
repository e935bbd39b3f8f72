"""Tiles of the search and the choice among their faces; whole images are read in test_reader.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.detections import FaceDetection
from bunnymoose_cv.vision.faces.face_refiner import face_of
from bunnymoose_cv.vision.faces.face_search import _suppress_duplicates, find_heads
from bunnymoose_cv.vision.faces.tiles import cover_with_tiles
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.nets.worker_pool import Workers

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.reader import Reader

FIXTURES = Path(__file__).parents[4] / "fixtures"
FACES = FIXTURES / "faces"


@given(
    width=st.integers(320, 8000),
    height=st.integers(240, 8000),
    place=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    share=st.floats(0.02, 0.095),
)
def test_every_face_stands_whole_in_some_tile_that_shows_it_large(
    width: int, height: int, place: tuple[float, float], share: float
) -> None:
    size = share * max(width, height)
    left, top = place[0] * max(0, width - size), place[1] * max(0, height - size)
    tiles = [(x, y, side) for (x, y), side in cover_with_tiles(width, height) if size >= 0.07 * side]
    assert any(
        x - side / 2 <= left + 1
        and left + size <= x + side / 2 + 1
        and y - side / 2 <= top + 1
        and top + size <= y + side / 2 + 1
        for x, y, side in tiles
    )


@pytest.mark.parametrize(("width", "height"), [(320, 240), (1920, 1080), (7680, 4320), (720, 1280)])
def test_tiles_stay_few(width: int, height: int) -> None:
    assert len(cover_with_tiles(width, height)) <= 70


@pytest.mark.bare_networks
def test_beside_a_plain_large_face_nobody_is_looked_for_in_the_smallest_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    image = np.asarray(cv2.imread(str(FIXTURES / "players/0001.jpg")), np.uint8)
    looks = []
    find_faces = Landmarkers.find_faces

    def counted(own: Landmarkers, tile: Image) -> tuple[FaceDetection, ...]:
        looks.append(tile)
        return find_faces(own, tile)

    monkeypatch.setattr(Landmarkers, "find_faces", counted)
    with Workers(1) as workers:
        assert len(find_heads(image, workers, load_settings().people)) == 1
    assert len(looks) < len(cover_with_tiles(*image.shape[:2])) / 2


def test_the_lens_of_glasses_hides_no_face() -> None:
    face, again = FaceDetection(Box(100, 100, 80, 80), 0.7), FaceDetection(Box(104, 98, 90, 90), 0.6)
    lens = FaceDetection(Box(110, 120, 20, 20), 0.8)
    assert _suppress_duplicates([face, again, lens]) == [lens, face]


@pytest.mark.parametrize("name", ["behind_hair", "in_the_dark"])
def test_a_neck_or_a_hand_is_no_face_where_a_better_one_is(name: str) -> None:
    image = np.asarray(cv2.imread(str(FACES / f"{name}.jpg")), np.uint8)
    eyes = np.array(json.loads((FACES / f"{name}.json").read_text())["eyes_px"])
    with Workers(1) as workers:
        (head,) = find_heads(image, workers, load_settings().people)
    distance = np.linalg.norm(eyes[0] - eyes[1])
    assert np.linalg.norm(face_of(head).eyes - eyes, axis=1).mean() < 0.35 * distance
    assert head.sure


def test_a_hand_is_nobody_beside_a_player_either() -> None:
    """The detector takes it for a face, ours does not; the dim face below it is seen by neither."""
    dim, plain = (
        np.asarray(cv2.imread(str(FIXTURES / name)), np.uint8) for name in ("faces/in_the_dark.jpg", "players/0001.jpg")
    )
    together = np.hstack([dim, cv2.resize(plain, dim.shape[1::-1], interpolation=cv2.INTER_AREA)])
    with Workers(1) as workers:
        heads = find_heads(np.asarray(together, np.uint8), workers, load_settings().people)
    assert [head.centre[0] > dim.shape[1] for head in heads] == [True]


def test_curled_fingers_on_a_crown_are_no_second_player(reader: Reader) -> None:
    """Detector and network take them for a face; a hand is found there."""
    (player,) = reader.read(np.asarray(cv2.imread(str(FACES / "below_a_hand.jpg")), np.uint8)).players
    eyes = np.array(json.loads((FACES / "below_a_hand.json").read_text())["eyes_px"])
    assert np.linalg.norm(player.player.head.centre - eyes.mean(0)) < 0.5 * np.linalg.norm(eyes[0] - eyes[1])
