"""Crops are varied as cameras and face detectors do: joints and eyes go along with the image; points are rotated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.vision.headgear.side_net import SIZE
from bunnymoose_cv.vision.nets.face_pose_net import SIZE as FACE_SIZE
from training.augmentation import moved
from training.faces.face_augmentation import CurriculumStage, show
from training.faces.faces import SIZE as STORED_FACE
from training.faces.faces import Faces
from training.geometry import rotated, similarity
from training.headgear.gather import STORED_SIZE
from training.headgear.side_augmentation import middle_of, varied
from training.players import MESH_NODS, axes_of

if TYPE_CHECKING:
    import numpy.typing as npt

DARK, LIGHT = 30, 225


def with_dot(size: int, across: float, down: float) -> npt.NDArray[np.uint8]:
    """Dark image with one light dot."""
    image = np.full((size, size, 3), DARK, np.uint8)
    cv2.circle(image, (round(across), round(down)), 7, (LIGHT, LIGHT, LIGHT), -1)
    return image


def dot_of(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Middle of the light dot, blurred, so that noise and haze do not count."""
    grey = cv2.GaussianBlur(image.astype(np.float32).mean(2), (0, 0), 3)
    down, across = np.unravel_index(int(grey.argmax()), grey.shape)
    return np.array([across, down], float)


@pytest.mark.parametrize("seed", range(12))
def test_joints_go_along_with_a_varied_cut(seed: int) -> None:
    dot = np.array([95.0, 80.0])
    other = np.full((STORED_SIZE, STORED_SIZE, 3), DARK, np.uint8)
    joints = np.tile(dot, (21, 1)).astype(np.float16)
    cut, shown = varied(with_dot(STORED_SIZE, *dot), joints, other, np.random.default_rng(seed))
    assert cut.shape == (SIZE, SIZE, 3)
    assert np.linalg.norm(dot_of(cut) - shown[0]) < 4


def test_the_middle_of_a_stored_cut_stays_in_the_middle() -> None:
    (cut,) = middle_of(with_dot(STORED_SIZE, STORED_SIZE / 2, STORED_SIZE / 2)[None])
    assert np.abs(dot_of(cut) - SIZE / 2).max() < 2


@pytest.mark.parametrize(("across", "down"), [(3, 0), (0, 3), (-2, 2), (0, 0)])
def test_a_movement_smears_along_its_way_and_keeps_the_light(across: int, down: int) -> None:
    image = np.zeros((21, 21, 3), np.uint8)
    image[10, 10] = 210
    smeared = moved(image, across, down)
    rows, columns = np.nonzero(smeared[..., 0])
    assert (int(np.ptp(columns)), int(np.ptp(rows))) == (2 * abs(across), 2 * abs(down))
    assert abs(int(smeared[..., 0].sum()) - 210) <= 2 * len(rows)


@pytest.mark.parametrize(
    "lesson", [CurriculumStage(1, 0.0, 0.0, 1.0), CurriculumStage(1, 1.0, 0.0, 1.0)], ids=["anywhere", "closely"]
)
def test_eyes_go_along_with_a_shown_face(lesson: CurriculumStage) -> None:
    middle, half = STORED_FACE / 2, STORED_FACE / 24
    eyes = np.array([[[middle + half, middle], [middle - half, middle]]], np.float32)
    image = with_dot(STORED_FACE, *eyes[0, 0].tolist())
    faces = Faces([b""], eyes, np.zeros((1, 2, 2), np.float32), np.array(["Ann"]), np.array(["a"]))
    shown = show(faces, [image], np.zeros(0, np.intp), lesson, np.random.default_rng(1))
    apart = np.linalg.norm(shown.eyes[:, 0] - shown.eyes[:, 1], axis=1)
    inside = (shown.eyes.min((1, 2)) > 6) & (shown.eyes.max((1, 2)) < FACE_SIZE - 6) & (apart > 16)
    assert inside.sum() >= 5
    for cut, (left, right) in zip(shown.cuts[inside], shown.eyes[inside], strict=True):
        # In a mirrored cut the dot, the person's left eye, is the right one.
        assert min(np.linalg.norm(dot_of(cut) - each) for each in (left, right)) < 0.35 * np.linalg.norm(left - right)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_hand_is_fitted_by_the_similarity_that_made_its_goal(*, mirrored: bool) -> None:
    draw = np.random.default_rng(0)
    points, weights = draw.normal(size=(21, 2)), draw.uniform(0.3, 1.5, 21)
    turn, size = 0.7, 1.8
    axes = size * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if mirrored:
        axes = axes @ np.diag([-1.0, 1.0])
    found, error = similarity(points, points @ axes.T + (5, -3), weights, mirrored=mirrored)
    assert np.allclose(found, axes)
    assert error < 1e-9
    _, other = similarity(points, points @ axes.T, weights, mirrored=not mirrored)
    assert other > 0.3


X, Y, Z = np.eye(3)


@pytest.mark.parametrize(
    ("point", "plane", "wanted"),
    [(X, (0, 1), Y), (Y, (0, 1), -X), (Z, (0, 1), Z), (Z, (2, 0), X), (X, (2, 0), -Z), (Y, (1, 2), Z)],
)
def test_a_quarter_turn_leads_the_first_axis_to_the_second(
    point: np.ndarray[tuple[int], np.dtype[np.float64]],
    plane: tuple[int, int],
    wanted: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:
    assert np.allclose(rotated(point[None], plane, np.pi / 2), wanted[None])


def test_each_set_of_points_has_its_own_angle_and_the_given_ones_stay() -> None:
    points = np.tile(np.stack([X, Y]), (2, 1, 1)).astype(np.float32)
    turned = rotated(points, (0, 1), np.array([0.0, np.pi]))
    assert np.allclose(turned, [[X, Y], [-X, -Y]], atol=1e-6)
    assert turned.dtype == np.float32
    assert np.array_equal(points[1], [X, Y])


@pytest.mark.parametrize(
    ("camera", "head_turn", "wanted"),
    [
        ((0, 0), (-MESH_NODS, 0, 0), [[0, 0], [0, -1]]),
        ((0, 0), (-MESH_NODS, 90, 0), [[1, 0], [0, -1]]),
        ((90, 0), (-MESH_NODS, 90, 0), [[0, 0], [0, -1]]),
        ((0, 0), (-MESH_NODS, 0, 90), [[0, 0], [-1, 0]]),
        ((0, 0), (90 - MESH_NODS, 0, 0), [[0, 1], [0, 0]]),
        ((0, 90), (-MESH_NODS, 0, 0), [[0, 1], [0, 0]]),
    ],
    ids=["straight", "turned aside", "camera aside, too", "tilted", "nodding", "camera above"],
)
def testaxes_of_a_rendered_head_in_the_image(
    camera: tuple[float, float], head_turn: tuple[float, float, float], wanted: list[list[float]]
) -> None:
    truth = {"camera": {"azimuth": camera[0], "elevation": camera[1]}, "head_turn_deg": head_turn}
    assert np.allclose(axes_of(truth), wanted, atol=1e-9)
