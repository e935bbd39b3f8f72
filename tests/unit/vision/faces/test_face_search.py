"""Search of faces and what our face net sees in them; whole images are read in test_reader.py."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.detections import FacePose
from bunnymoose_cv.vision.faces.face_refiner import face_of, matches_face, refine_face
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.nets.face_pose_net import FaceNet
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.reader import Reader

FIXTURES = Path(__file__).parents[4] / "fixtures"
FACES, PLAYERS = FIXTURES / "faces", FIXTURES / "players"


def eyes_in(truth: Path) -> np.ndarray:
    """Return the eyes by the truth beside an image."""
    return np.array(json.loads(truth.read_text())["eyes_px"], np.float64)


def search(image: Image) -> tuple[Head, ...]:
    """Search an image on one thread."""
    with Workers(1) as workers:
        return find_heads(image, workers, load_settings().people)


@pytest.mark.parametrize("name", ["behind_hair", "in_the_dark"])
def test_a_neck_or_a_hand_is_no_face_where_a_better_one_is(name: str) -> None:
    image = read_image(FACES / f"{name}.jpg")
    eyes = eyes_in(FACES / f"{name}.json")
    (head,) = search(image)
    distance = np.linalg.norm(eyes[0] - eyes[1])
    assert np.linalg.norm(face_of(head).eyes - eyes, axis=1).mean() < 0.35 * distance
    assert head.sure


def test_a_hand_is_nobody_beside_a_player_either() -> None:
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
