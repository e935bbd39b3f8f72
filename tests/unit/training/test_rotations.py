"""Points are rotated in the plane of two coordinates."""

from __future__ import annotations

import numpy as np
import pytest

from training.headgear.gather import MESH_NODS, _axes_of
from training.rotations import rotated

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
def test_axes_of_a_rendered_head_in_the_image(
    camera: tuple[float, float], head_turn: tuple[float, float, float], wanted: list[list[float]]
) -> None:
    truth = {"camera": {"azimuth": camera[0], "elevation": camera[1]}, "head_turn_deg": head_turn}
    assert np.allclose(_axes_of(truth), wanted, atol=1e-9)
