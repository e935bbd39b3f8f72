"""Search of faces and what our face net sees in them; whole images are read in test_reader.py."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.detections import FaceDetection, FacePose
from bunnymoose_cv.vision.faces import face_mesh
from bunnymoose_cv.vision.faces.face_mesh import HeadCandidate, read_head
from bunnymoose_cv.vision.faces.face_refiner import face_in_tile, face_of, matches_face, refine_face, same_eyes
from bunnymoose_cv.vision.faces.face_search import _suppress_duplicates, find_heads
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.faces.tiles import cover_with_tiles
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.nets.face_pose_net import FaceNet
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.reader import Reader
from tests.unit.vision.made_heads import make_head

FIXTURES = Path(__file__).parents[4] / "fixtures"
FACES, PLAYERS = FIXTURES / "faces", FIXTURES / "players"


def eyes_in(truth: Path) -> np.ndarray:
    """Return the eyes by the truth beside an image."""
    return np.array(json.loads(truth.read_text())["eyes_px"], np.float64)


def search(image: Image) -> tuple[Head, ...]:
    """Search an image on one thread."""
    with Workers(1) as workers:
        return find_heads(image, workers, load_settings().people)


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
    image = read_image(FIXTURES / "players/0001.jpg")
    looks = []
    find_faces = Landmarkers.find_faces

    def counted(own: Landmarkers, tile: Image) -> tuple[FaceDetection, ...]:
        looks.append(tile)
        return find_faces(own, tile)

    monkeypatch.setattr(Landmarkers, "find_faces", counted)
    assert len(search(image)) == 1
    assert len(looks) < len(cover_with_tiles(*image.shape[:2])) / 2


def test_the_lens_of_glasses_hides_no_face() -> None:
    face, again = FaceDetection(Box(100, 100, 80, 80), 0.7), FaceDetection(Box(104, 98, 90, 90), 0.6)
    lens = FaceDetection(Box(110, 120, 20, 20), 0.8)
    assert _suppress_duplicates([face, again, lens]) == [lens, face]


@pytest.mark.parametrize("name", ["behind_hair", "in_the_dark"])
def test_a_neck_or_a_hand_is_no_face_where_a_better_one_is(name: str) -> None:
    image = read_image(FACES / f"{name}.jpg")
    eyes = eyes_in(FACES / f"{name}.json")
    (head,) = search(image)
    distance = np.linalg.norm(eyes[0] - eyes[1])
    assert np.linalg.norm(face_of(head).eyes - eyes, axis=1).mean() < 0.35 * distance
    assert head.sure


def test_a_hand_is_nobody_beside_a_player_either() -> None:
    """The detector takes it for a face, ours does not; the dim face below it is seen by neither."""
    dim, plain = (read_image(FIXTURES / name) for name in ("faces/in_the_dark.jpg", "players/0001.jpg"))
    together = np.hstack([dim, cv2.resize(plain, dim.shape[1::-1], interpolation=cv2.INTER_AREA)])
    heads = search(np.asarray(together, np.uint8))
    assert [head.centre[0] > dim.shape[1] for head in heads] == [True]


def test_curled_fingers_on_a_crown_are_no_second_player(reader: Reader) -> None:
    """Detector and network take them for a face; a hand is found there."""
    (player,) = reader.read(read_image(FACES / "below_a_hand.jpg")).players
    eyes = eyes_in(FACES / "below_a_hand.json")
    assert np.linalg.norm(player.player.head.centre - eyes.mean(0)) < 0.5 * np.linalg.norm(eyes[0] - eyes[1])


UPRIGHT = np.array([[0.0, 0.1], [0.0, -1.0]])


def _guess(name: str) -> FacePose:
    """Roughly where the face is."""
    eyes = eyes_in(PLAYERS / f"{name}.json")
    return FacePose(eyes + np.linalg.norm(eyes[0] - eyes[1]) * np.array([0.3, -0.2]), UPRIGHT, 0.5)


def _off(seen: FacePose, name: str) -> float:
    """Distance from the true eyes, in their distance."""
    eyes = eyes_in(PLAYERS / f"{name}.json")
    return float(np.linalg.norm(seen.eyes - eyes, axis=1).mean() / np.linalg.norm(eyes[0] - eyes[1]))


@pytest.mark.parametrize("name", ["0001", "0010", "0030", "0060"])
def test_eyes_are_seen_from_a_rough_guess(name: str) -> None:
    seen = refine_face(FaceNet(), read_image(PLAYERS / f"{name}.jpg"), _guess(name), looks=2)
    assert seen.confidence > 0.5
    assert _off(seen, name) < 0.3


def test_where_no_face_is_none_is_seen() -> None:
    image = read_image(PLAYERS / "0001.jpg")
    size = float(np.linalg.norm(np.subtract(*eyes_in(PLAYERS / "0001.json"))))
    assert face_in_tile(FaceNet(), image, (2 * size, image.shape[0] - 2 * size), 4 * size).confidence < 0.5


def test_the_usual_mesh_stands_as_the_head_that_it_is_laid_on() -> None:
    image = read_image(PLAYERS / "0001.jpg")
    (head,) = search(image)
    laid = fit_mean_mesh(face_of(head))
    assert matches_face(laid, face_of(head))
    assert laid.eye_distance == pytest.approx(head.eye_distance, rel=0.08)
    assert laid.tilt_degrees == pytest.approx(head.tilt_degrees, abs=3)
    assert laid.turn_degrees == pytest.approx(head.turn_degrees, abs=8)


def test_a_mesh_beside_the_face_does_not_lie_on_it() -> None:
    face = FacePose(np.array([[120.0, 100.0], [80.0, 100.0]]), UPRIGHT, 0.9)
    beside = FacePose(face.eyes + np.array([20.0, 0.0]), UPRIGHT, 0.9)
    assert matches_face(fit_mean_mesh(face), face)
    assert not matches_face(fit_mean_mesh(beside), face)
    assert same_eyes(face, beside)
    assert not same_eyes(face, FacePose(face.eyes + np.array([90.0, 0.0]), UPRIGHT, 0.9))


BLACK = np.zeros((1, 1, 3), np.uint8)


@pytest.mark.parametrize(("detector", "ours"), [(0.9, 0.1), (0.1, 0.9)])
def test_the_surer_of_two_detectors_says_how_likely_a_face_is(detector: float, ours: float) -> None:
    assert HeadCandidate(make_head(), detector, ours).likelihood == 0.9


@pytest.mark.parametrize(
    ("off_px", "ours", "misaligned"),
    [(0.0, 0.9, False), (60.0, 0.9, True), (60.0, 0.5, False)],
    ids=["on the eyes", "beside the eyes", "beside what is hardly seen"],
)
def test_a_mesh_beside_the_eyes_that_our_network_surely_sees_is_misaligned(
    monkeypatch: pytest.MonkeyPatch, off_px: float, ours: float, *, misaligned: bool
) -> None:
    head = make_head()
    face = face_of(head)
    monkeypatch.setattr(face_mesh, "head_in", lambda *_: head)
    seen_eyes = face.eyes + np.array([off_px, 0.0])
    monkeypatch.setattr(face_mesh, "refine_face", lambda *_: FacePose(seen_eyes, face.axes, ours))
    landmarkers: Any = SimpleNamespace(face_net=None)
    seen = read_head(landmarkers, BLACK, FaceDetection(Box(0, 0, 9, 9), 0.8))
    assert seen is not None
    assert seen.head.misaligned is misaligned
    assert (seen.detector_confidence, seen.face_net_confidence) == (0.8, ours)
