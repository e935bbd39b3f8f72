"""Search of faces and their refinement by the face network; test_reader.py reads whole images."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.detections import FacePose
from bunnymoose_cv.vision.faces.face_mesh import face_of, fit_mean_mesh, matches_face, refine_face
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.nets.face_nets import FaceNet
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.reader import Reader

FIXTURES = Path(__file__).parents[4] / "fixtures"
FACES, PLAYERS = FIXTURES / "faces", FIXTURES / "players"


def eyes_in(truth: Path) -> np.ndarray:
    """Return the eyes from a truth file."""
    return np.array(json.loads(truth.read_text())["eyes_px"], np.float64)


def search(image: Image) -> tuple[Head, ...]:
    """Search an image on one thread."""
    with Workers(1) as workers:
        return find_heads(image, workers, load_settings().people)


@pytest.mark.parametrize("name", ["behind_hair", "in_the_dark"])
def test_neck_or_hand_is_not_a_face_beside_a_better_one(name: str) -> None:
    image = read_image(FACES / f"{name}.jpg")
    eyes = eyes_in(FACES / f"{name}.json")
    (head,) = search(image)
    distance = np.linalg.norm(eyes[0] - eyes[1])
    assert np.linalg.norm(face_of(head).eyes - eyes, axis=1).mean() < 0.35 * distance
    assert head.sure


def test_hand_next_to_a_player_is_not_a_face() -> None:
    dim, plain = (read_image(FIXTURES / name) for name in ("faces/in_the_dark.jpg", "players/0001.jpg"))
    together = np.hstack([dim, cv2.resize(plain, dim.shape[1::-1], interpolation=cv2.INTER_AREA)])
    heads = search(np.asarray(together, np.uint8))
    assert [head.centre[0] > dim.shape[1] for head in heads] == [True]


def test_curled_fingers_on_a_head_are_not_a_second_player(reader: Reader) -> None:
    """Detector and network see a face there, but so does the hand detector a hand."""
    (player,) = reader.read(read_image(FACES / "below_a_hand.jpg")).players
    eyes = eyes_in(FACES / "below_a_hand.json")
    assert np.linalg.norm(player.player.head.centre - eyes.mean(0)) < 0.5 * np.linalg.norm(eyes[0] - eyes[1])


UPRIGHT = np.array([[0.0, 0.1], [0.0, -1.0]])


def _guess(name: str) -> FacePose:
    """Return a rough pose of the face."""
    eyes = eyes_in(PLAYERS / f"{name}.json")
    return FacePose(eyes + np.linalg.norm(eyes[0] - eyes[1]) * np.array([0.3, -0.2]), UPRIGHT, 0.5)


def _off(seen: FacePose, name: str) -> float:
    """Return the error of the eyes, in eye distances."""
    eyes = eyes_in(PLAYERS / f"{name}.json")
    return float(np.linalg.norm(seen.eyes - eyes, axis=1).mean() / np.linalg.norm(eyes[0] - eyes[1]))


@pytest.mark.parametrize("name", ["0001", "0010", "0030", "0060"])
def test_eyes_are_refined_from_a_rough_guess(name: str) -> None:
    seen = refine_face(FaceNet(), read_image(PLAYERS / f"{name}.jpg"), _guess(name), looks=2)
    assert seen.confidence > 0.5
    assert _off(seen, name) < 0.3


def test_mean_mesh_has_the_pose_of_the_fitted_head() -> None:
    image = read_image(PLAYERS / "0001.jpg")
    (head,) = search(image)
    mesh = fit_mean_mesh(face_of(head))
    assert matches_face(mesh, face_of(head))
    assert mesh.eye_distance == pytest.approx(head.eye_distance, rel=0.08)
    assert mesh.tilt_degrees == pytest.approx(head.tilt_degrees, abs=3)
    assert mesh.turn_degrees == pytest.approx(head.turn_degrees, abs=8)


def test_mesh_beside_the_face_does_not_match_it() -> None:
    face = FacePose(np.array([[120.0, 100.0], [80.0, 100.0]]), UPRIGHT, 0.9)
    beside = FacePose(face.eyes + np.array([20.0, 0.0]), UPRIGHT, 0.9)
    assert matches_face(fit_mean_mesh(face), face)
    assert not matches_face(fit_mean_mesh(beside), face)
