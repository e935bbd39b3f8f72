"""An image is the same only to the last bit, and no matter how it came."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.watcher import Stillness

TABLE = np.random.default_rng(1).integers(0, 255, (100, 60, 3), np.uint8)
NOISY = TABLE.copy()
NOISY[33, 20, 1] += 1
SMALLER = TABLE[:50]


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (TABLE, TABLE.copy(), True),
        (TABLE, NOISY, False),
        (TABLE, SMALLER, False),
        (b"jpeg", bytes([*b"jpeg"]), True),
        (b"jpeg", b"jpg", False),
        (b"jpeg", TABLE, False),
    ],
)
def test_one_bit_makes_another_image(
    before: bytes | np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    after: bytes | np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    *,
    same: bool,
) -> None:
    stillness = Stillness()
    seconds = [
        stillness.seconds(JpegFrame(shown, time_s) if isinstance(shown, bytes) else Frame(shown, time_s))
        for time_s, shown in enumerate([before, before, after])
    ]
    assert seconds == [0, 1, 2 if same else 0]
