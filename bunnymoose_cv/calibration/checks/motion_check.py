"""Check the exposure, by how far moving edges are smeared against how far they move from frame to frame."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook

_BLOCK_PX: Final = 24
_LEAST_WAY_PX: Final = 5.0
"""Smallest movement between frames from which the exposure can be told."""

_LEAST_CONTRAST: Final = 40.0
_FEWEST_BLOCKS: Final = 4


def check_motion(look: TableLook) -> Finding | None:
    """Check the smear of what moves; None where nothing moves fast enough."""
    exposure = exposure_s(look)
    if exposure is None:
        return None
    sentence = Phrase("A picture is exposed for about {exposure:.0f} ms.", exposure=1000 * exposure)
    if exposure < THRESHOLDS.weak_smear_s:
        return good(CheckLine.MOTION, sentence, exposure)
    remedy = Phrase("Switch more lamps on, so that moving hands are no smear.")
    return Finding(CheckLine.MOTION, Level.WEAK, sentence, remedy, CheckCause.MOTION_BLUR, exposure)


def exposure_s(look: TableLook) -> float | None:
    """The exposure in seconds, the median over moving blocks; None where too few move.

    An edge that moves by a way while the shutter is open becomes a ramp of that length: contrast divided by slope.
    """
    shares = [
        share * (later.time_s - earlier.time_s)
        for (earlier, one), (later, other) in pairwise(zip(look.frames, look.greys, strict=True))
        for share in _smeared_shares(one, other)
    ]
    return float(np.median(shares)) if len(shares) >= _FEWEST_BLOCKS else None


def _smeared_shares(one: Grey, other: Grey) -> list[float]:
    """Smear of each moving block as a share of its way from frame to frame, 0 to 1."""
    flow = cv2.calcOpticalFlowFarneback(
        one.astype(np.uint8), other.astype(np.uint8), np.zeros((*one.shape, 2), np.float32), 0.5, 4, 21, 3, 7, 1.5, 0
    )
    shares = []
    ways = _block_ways(np.asarray(flow, np.float32))
    for row, column in np.argwhere(np.hypot(ways[..., 0], ways[..., 1]) >= _LEAST_WAY_PX):
        top, left = row * _BLOCK_PX, column * _BLOCK_PX
        way = ways[row, column]
        length = float(np.hypot(*way))
        smear = _ramp_px(other[top : top + _BLOCK_PX, left : left + _BLOCK_PX], way / length)
        if smear is not None:
            shares.append(min(1.0, smear / length))
    return shares


def _block_ways(flow: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Median flow of each block, shape (rows, columns, 2); a block that ends at the edge of the image is left out."""
    rows, columns = ((length - 1) // _BLOCK_PX for length in flow.shape[:2])
    blocks = flow[: rows * _BLOCK_PX, : columns * _BLOCK_PX].reshape(rows, _BLOCK_PX, columns, _BLOCK_PX, 2)
    ways: npt.NDArray[np.float32] = np.median(blocks.swapaxes(1, 2).reshape(rows, columns, _BLOCK_PX**2, 2), axis=2)
    return ways


def _ramp_px(block: Grey, along: npt.NDArray[np.float32]) -> float | None:
    """The length of the steepest ramp along a direction, beyond that of a sharp edge; None without an edge."""
    low, high = np.percentile(block, [2, 98])
    if high - low < _LEAST_CONTRAST:
        return None
    slope = np.gradient(block, axis=1) * along[0] + np.gradient(block, axis=0) * along[1]
    return max(0.0, float((high - low) / max(np.percentile(np.abs(slope), 99), 1e-3)) - _SHARP_PX)


_SHARP_PX: Final = 3.0
"""Width of a sharp edge, pixels."""
