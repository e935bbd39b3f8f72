"""Our face net on rendered players: where it sees the eyes, and the usual mesh that is laid on what it sees."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.core.profile import load_profile
from bunnymoose_cv.vision.detections import SeenFace
from bunnymoose_cv.vision.faces.face_refiner import (
    consensus_face,
    expected_face,
    face_in_tile,
    face_of,
    is_misaligned,
    is_part_of_a_face,
    matches_face,
    refine_face,
    refine_face_by_views,
    replace_head,
    same_eyes,
)
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.faces.mean_mesh import fit_mean_mesh
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.nets.face_pose_net import FaceNet
from bunnymoose_cv.vision.nets.worker_pool import Workers

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture

PLAYERS = Path(__file__).parents[4] / "fixtures/players"
UPRIGHT = np.array([[0.0, 0.1], [0.0, -1.0]])


def _eyes(name: str) -> np.ndarray:
    return np.array(json.loads((PLAYERS / f"{name}.json").read_text())["eyes_px"], np.float64)


def _picture(name: str) -> Picture:
    return np.asarray(cv2.imread(str(PLAYERS / f"{name}.jpg")), np.uint8)


def _guess(name: str) -> SeenFace:
    """Roughly where the face is."""
    eyes = _eyes(name)
    return SeenFace(eyes + np.linalg.norm(eyes[0] - eyes[1]) * np.array([0.3, -0.2]), UPRIGHT, 0.5)


def _off(seen: SeenFace, name: str) -> float:
    """Distance from the true eyes, in their distance."""
    eyes = _eyes(name)
    return float(np.linalg.norm(seen.eyes - eyes, axis=1).mean() / np.linalg.norm(eyes[0] - eyes[1]))


@pytest.mark.parametrize("name", ["0001", "0010", "0030", "0060"])
def test_eyes_are_seen_from_a_rough_guess(name: str) -> None:
    seen = refine_face(FaceNet(), _picture(name), _guess(name), looks=2)
    assert seen.confidence > 0.5
    assert _off(seen, name) < 0.3


def test_careful_looks_are_less_off_than_a_single_one() -> None:
    net, names = FaceNet(), [f"{number:04}" for number in range(1, 71, 3)]
    offs = []
    for name in names:
        once = refine_face(net, _picture(name), _guess(name))
        offs.append((_off(once, name), _off(refine_face_by_views(net, _picture(name), once), name)))
    once, careful = np.mean(offs, 0)
    assert careful < 0.85 * once
    assert careful < 0.12


@pytest.mark.parametrize("name", ["0001", "0004", "0010", "0030", "0060"])
def test_one_eye_taken_for_a_face_gives_way_to_the_face_around_it(name: str) -> None:
    eyes = _eyes(name)
    lens = SeenFace(eyes[0] + 0.4 * (eyes - eyes.mean(0)), UPRIGHT, 0.9)
    assert _off(refine_face_by_views(FaceNet(), _picture(name), lens), name) < 0.35


@pytest.mark.parametrize("name", ["0001", "0004", "0010", "0030", "0060"])
def test_from_farther_off_a_lens_is_part_of_a_face_and_a_face_of_none(name: str) -> None:
    net, eyes = FaceNet(), _eyes(name)
    lens = SeenFace(eyes[0] + 0.4 * (eyes - eyes.mean(0)), UPRIGHT, 0.9)
    assert is_part_of_a_face(net, _picture(name), lens)
    assert not is_part_of_a_face(net, _picture(name), SeenFace(eyes, UPRIGHT, 0.9))


def test_where_no_face_is_none_is_seen() -> None:
    picture = np.asarray(cv2.imread(str(PLAYERS / "0001.jpg")), np.uint8)
    size = float(np.linalg.norm(np.subtract(*_eyes("0001"))))
    assert face_in_tile(FaceNet(), picture, (2 * size, picture.shape[0] - 2 * size), 4 * size).confidence < 0.5


def test_the_usual_mesh_stands_as_the_head_that_it_is_laid_on() -> None:
    picture = np.asarray(cv2.imread(str(PLAYERS / "0001.jpg")), np.uint8)
    with Workers(1) as workers:
        (head,) = find_heads(picture, workers, load_profile().people)
    laid = fit_mean_mesh(face_of(head))
    assert matches_face(laid, face_of(head))
    assert laid.eye_distance == pytest.approx(head.eye_distance, rel=0.08)
    assert laid.tilt_degrees == pytest.approx(head.tilt_degrees, abs=3)
    assert laid.turn_degrees == pytest.approx(head.turn_degrees, abs=8)


@pytest.mark.parametrize("name", ["0001", "0004", "0010", "0030", "0060"])
@pytest.mark.parametrize(("beside", "lean"), [(0.0, 0.0), (0.3, 12.0), (-0.3, -12.0)])
def test_a_head_is_laid_anew_where_the_face_is(name: str, beside: float, lean: float) -> None:
    eyes = _eyes(name)
    turn = cv2.getRotationMatrix2D((0, 0), -lean, 1.0)[:, :2]
    askew = SeenFace((eyes - eyes.mean(0)) @ turn.T + eyes.mean(0) + beside * (eyes[0] - eyes[1]), UPRIGHT, 0.9)
    head = replace(fit_mean_mesh(askew), sure=False, mean_mesh=False)
    anew = replace_head(FaceNet(), _picture(name), head)
    assert _off(face_of(anew), name) < 0.2
    assert anew.mean_mesh
    assert not anew.sure


def test_a_head_where_our_net_sees_no_face_stays_as_it_is() -> None:
    picture = np.full((300, 300, 3), 90, np.uint8)
    head = fit_mean_mesh(_face(150, 150, 40, 0.9))
    assert replace_head(FaceNet(), picture, head) is head


def test_a_mesh_beside_the_face_or_askew_does_not_lie_on_it() -> None:
    face = SeenFace(np.array([[120.0, 100.0], [80.0, 100.0]]), UPRIGHT, 0.9)
    beside = SeenFace(face.eyes + np.array([20.0, 0.0]), UPRIGHT, 0.9)
    askew = SeenFace(face.eyes, np.array([[0.0, 0.1], [0.5, -0.8]]), 0.9)
    assert matches_face(fit_mean_mesh(face), face)
    assert not matches_face(fit_mean_mesh(beside), face)
    assert not matches_face(fit_mean_mesh(askew), face)
    assert same_eyes(face, beside)
    assert not same_eyes(face, SeenFace(face.eyes + np.array([90.0, 0.0]), UPRIGHT, 0.9))


@pytest.mark.parametrize(
    ("beside", "confidence", "astray"), [(0.0, 0.9, False), (0.25, 0.9, False), (0.35, 0.9, True), (0.35, 0.5, False)]
)
def test_a_mesh_is_astray_where_our_net_surely_sees_the_eyes_elsewhere(
    beside: float, confidence: float, *, astray: bool
) -> None:
    """Though it still lies on the face."""
    face = _face(100, 100, 40, confidence)
    head = fit_mean_mesh(_face(100 + beside * 40, 100, 40, 0.9))
    assert matches_face(head, face)
    assert is_misaligned(head, face) == astray


def _face(x: float, y: float, distance: float, confidence: float) -> SeenFace:
    return SeenFace(np.array([[x + distance / 2, y], [x - distance / 2, y]]), UPRIGHT, confidence)


def test_a_mesh_on_a_lens_does_not_lie_on_the_face_behind_the_glasses() -> None:
    face = _face(100, 100, 40, 0.9)
    assert not matches_face(fit_mean_mesh(_face(106, 100, 20, 0.9)), face)
    assert matches_face(fit_mean_mesh(_face(102, 100, 32, 0.9)), face)


def test_looks_at_a_lens_speak_for_the_face_around_it() -> None:
    lens, face = _face(112, 100, 10, 1.0), _face(100, 100, 40, 0.9)
    assert consensus_face([lens, lens, face]) is face


def test_most_looks_count_not_the_surest() -> None:
    elbow, face, face_again = _face(300, 200, 36, 0.97), _face(100, 100, 40, 0.95), _face(103, 98, 38, 0.9)
    assert consensus_face([elbow, face, face_again]) is face


def test_hands_that_pass_for_small_faces_do_not_outvote_a_large_one() -> None:
    hands = [_face(300 + shift, 200, 12, 0.96) for shift in range(4)]
    face = _face(100, 100, 40, 0.999)
    assert consensus_face([*hands, face, _face(104, 98, 38, 0.99)]) is face


def test_a_face_is_looked_for_at_its_place_in_the_box() -> None:
    seen = expected_face(Box(40, 60, 100, 100))
    assert seen.eyes.tolist() == [[110, 96], [70, 96]]
