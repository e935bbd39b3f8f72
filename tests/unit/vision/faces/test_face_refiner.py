"""Our face net on rendered players: where it sees the eyes, and the usual mesh that is laid on what it sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.detections import FacePose
from bunnymoose_cv.vision.faces.face_refiner import face_in_tile, face_of, matches_face, refine_face, same_eyes
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.nets.face_pose_net import FaceNet
from bunnymoose_cv.vision.nets.worker_pool import Workers

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image

PLAYERS = Path(__file__).parents[4] / "fixtures/players"
UPRIGHT = np.array([[0.0, 0.1], [0.0, -1.0]])


def _eyes(name: str) -> np.ndarray:
    return np.array(json.loads((PLAYERS / f"{name}.json").read_text())["eyes_px"], np.float64)


def _image(name: str) -> Image:
    return np.asarray(cv2.imread(str(PLAYERS / f"{name}.jpg")), np.uint8)


def _guess(name: str) -> FacePose:
    """Roughly where the face is."""
    eyes = _eyes(name)
    return FacePose(eyes + np.linalg.norm(eyes[0] - eyes[1]) * np.array([0.3, -0.2]), UPRIGHT, 0.5)


def _off(seen: FacePose, name: str) -> float:
    """Distance from the true eyes, in their distance."""
    eyes = _eyes(name)
    return float(np.linalg.norm(seen.eyes - eyes, axis=1).mean() / np.linalg.norm(eyes[0] - eyes[1]))


@pytest.mark.parametrize("name", ["0001", "0010", "0030", "0060"])
def test_eyes_are_seen_from_a_rough_guess(name: str) -> None:
    seen = refine_face(FaceNet(), _image(name), _guess(name), looks=2)
    assert seen.confidence > 0.5
    assert _off(seen, name) < 0.3


def test_where_no_face_is_none_is_seen() -> None:
    image = np.asarray(cv2.imread(str(PLAYERS / "0001.jpg")), np.uint8)
    size = float(np.linalg.norm(np.subtract(*_eyes("0001"))))
    assert face_in_tile(FaceNet(), image, (2 * size, image.shape[0] - 2 * size), 4 * size).confidence < 0.5


def test_the_usual_mesh_stands_as_the_head_that_it_is_laid_on() -> None:
    image = np.asarray(cv2.imread(str(PLAYERS / "0001.jpg")), np.uint8)
    with Workers(1) as workers:
        (head,) = find_heads(image, workers, load_settings().people)
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
