"""The image of a side of a head is the same whatever the head's tilt, size and side, and ends in grey."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.side_net import OUTWARD, SIZE, UPWARD, WINDOW, SideNet, cut_side

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head
    from tests.unit.vision.conftest import MakeHead

MARKS = ((1.2, 0.0), (0.0, 2.5), (4.0, 3.5))
"""Positions of discs against a head: eye distances outward and upward of the eyes."""


def marked(head: Head, side: Side) -> Image:
    """An image of 900 × 600 pixels with white discs at the marks of one side."""
    image = np.zeros((600, 900, 3), np.uint8)
    for outward, upward in MARKS:
        x, y = head.at(outward if side is Side.LEFT else -outward, upward)
        cv2.circle(image, (round(x), round(y)), round(0.35 * head.eye_distance), (255, 255, 255), -1)
    return image


def pixel_of(outward: float, upward: float) -> tuple[int, int]:
    """Row and column of the cut that show a place."""
    scale = SIZE / WINDOW
    middle = (SIZE - 1) / 2
    return round(middle - (upward - UPWARD) * scale), round(middle + (outward - OUTWARD) * scale)


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("tilt", [-30.0, 0.0, 20.0])
@pytest.mark.parametrize("eyes", [15.0, 40.0, 80.0])
def test_a_place_at_the_head_is_always_the_same_pixel(
    make_head: MakeHead, side: Side, tilt: float, eyes: float
) -> None:
    head = make_head(450, eyes=eyes, tilt=tilt)
    cut = cut_side(marked(head, side), head, side)
    assert cut.shape == (SIZE, SIZE, 3)
    for mark in MARKS:
        x, y = head.at(mark[0] if side is Side.LEFT else -mark[0], mark[1])
        if 0 <= x < 900 and 0 <= y < 600:
            assert cut[pixel_of(*mark)].mean() > 200
    assert cut[pixel_of(2.5, 1.0)].mean() < 50


def test_both_sides_of_a_symmetrical_image_are_alike(make_head: MakeHead) -> None:
    head = make_head(450, eyes=40)
    left, right = (cut_side(marked(head, side), head, side).astype(int) for side in Side)
    assert np.abs(left - right).mean() < 4


def test_beyond_the_border_the_cut_is_grey(make_head: MakeHead) -> None:
    head = make_head(890, eyes=60)
    cut = cut_side(np.zeros((600, 900, 3), np.uint8), head, Side.LEFT)
    assert np.all(cut[:, -20:] == 128)


CUTS = list(np.random.default_rng(1).integers(0, 255, (3, SIZE, SIZE, 3), np.uint8))


def test_every_cut_is_answered_by_itself() -> None:
    """Check that neighbours in a batch change nothing."""
    net = SideNet()
    together, alone = net.logits(CUTS), net.logits(CUTS[1:2])
    assert together.shape == (3, 7)
    np.testing.assert_allclose(together[1:2], alone, atol=1e-3)
