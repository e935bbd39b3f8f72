"""Shrinking to a longest side: scale, shape, and what is small already."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.vision.shrink import shrink


@pytest.mark.parametrize(
    ("shape", "longest_px", "shrunk", "scale"),
    [
        ((100, 200, 3), 50, (25, 50, 3), 0.25),
        ((200, 100), 50, (50, 25), 0.25),
        ((100, 200, 3), 200, (100, 200, 3), 1.0),
        ((100, 200), 900, (100, 200), 1.0),
    ],
    ids=["colour", "grey and upright", "just as large", "small"],
)
def test_the_longer_side_is_shrunk_to_a_length(
    shape: tuple[int, ...], longest_px: int, shrunk: tuple[int, ...], scale: float
) -> None:
    image, found = shrink(np.full(shape, 7, np.uint8), longest_px)
    assert (image.shape, found) == (shrunk, scale)
    assert (image == 7).all()
