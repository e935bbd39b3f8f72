"""Geometry of a hand by its joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.vision.hands.hand_geometry import palm_length

if TYPE_CHECKING:
    from tests.unit.vision.conftest import MakeHand


@pytest.mark.parametrize(("foreshortened", "expected"), [(1.0, 62), (0.3, 36), (0.0, 36)])
def test_a_palm_that_points_at_the_camera_is_as_long_as_it_is_broad(
    make_hand: MakeHand, foreshortened: float, expected: float
) -> None:
    """The drawn palm is 60 pixels long and six tenths as broad."""
    points = make_hand(100, 100, palm=60).points.copy()
    points[:, 1] = 100 + foreshortened * (points[:, 1] - 100)
    assert palm_length(points[None])[0] == pytest.approx(expected, abs=1)
