"""Check the light by the image's noise: too little light is amplified, and grain comes with it.

The measure is the noise as a share of the whole image's contrast. It says nothing of how bright a face is.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.table_look import contrast_of
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook

_BLOCK_PX: Final = 16
_STATIC: Final = 40
"""Percentile of the blocks' differences that counts: in the others people may move."""

_UNCLIPPED: Final = (10.0, 245.0)
"""Brightness between which noise can be seen: in black and in white it cannot."""

_TO_DEVIATION: Final = float(np.sqrt(np.pi) / 2)
"""Ratio of the standard deviation of a normal distribution to the mean distance of two draws."""


def check_noise(look: TableLook) -> Finding | None:
    """Check the noise; None where there is one image only."""
    share = noise_share(look)
    if share is None:
        return None
    if share < THRESHOLDS.weak_noise:
        return good(CheckLine.LIGHT, Phrase("There is light enough."), share)
    state = Level.BAD if share >= THRESHOLDS.bad_noise else Level.WEAK
    sentence = Phrase("There is too little light: noise is {share:.0f} % of the contrast.", share=100 * share)
    remedy = Phrase("Switch more lamps on, best in front of the players or above them.")
    return Finding(CheckLine.LIGHT, state, sentence, remedy, CheckCause.DARK, share)


def noise_share(look: TableLook) -> float | None:
    """The noise's standard deviation, divided by the image's contrast; None of one image."""
    measured = [_noise(one, other) for one, other in pairwise(look.greys)]
    if not measured:
        return None
    smooth = cv2.blur(look.greys[-1], (7, 7)).astype(np.float32, copy=False)
    return float(np.median(measured)) / max(1.0, contrast_of(smooth[::4, ::4]))


def _noise(one: Grey, other: Grey) -> float:
    """The standard deviation of the noise between two images, where nothing moves."""
    difference = other - one
    difference = np.abs(difference - np.median(difference, 1, keepdims=True))  # without the bands of a flicker
    height, width = one.shape
    size = (max(1, width // _BLOCK_PX), max(1, height // _BLOCK_PX))
    blocks = cv2.resize(difference, size, interpolation=cv2.INTER_AREA)
    levels = cv2.resize(one, size, interpolation=cv2.INTER_AREA)
    seen = blocks[(levels > _UNCLIPPED[0]) & (levels < _UNCLIPPED[1])]
    if seen.size == 0:
        return 0.0
    return float(np.percentile(seen, _STATIC)) * _TO_DEVIATION
