"""Checks of the light: a window or lamp behind the players, bands that lamps draw, and noise for want of light."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.table_look import contrast_of
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook

_WHITE: Final = 245.0
_SMOOTH_PX: Final = 9
_EDGE_PX: Final = 41
"""Side of the dilation kernel around white, over which the light spills."""


@dataclass(frozen=True, slots=True)
class Backlight:
    """White in an image, and the rest of it.

    Attributes:
        share: white part of the image, 0 to 1.
        contrast: range of brightness in the rest, 0 to 255.
    """

    share: float
    contrast: float


def check_backlight(look: TableLook) -> Finding:
    """Check the newest image."""
    measured = backlight_of(look.greys[-1])
    if measured.share < THRESHOLDS.window or measured.contrast >= THRESHOLDS.weak_backlit:
        return good(CheckLine.BACKLIGHT, Phrase("The light does not come from behind."), measured.contrast)
    state = Level.BAD if measured.contrast < THRESHOLDS.bad_backlit else Level.WEAK
    sentence = Phrase(
        "Bright light behind the players ({share:.0f} % of the picture is white) leaves the rest dull.",
        share=100 * measured.share,
    )
    remedy = Phrase(
        "Draw the curtain, or turn the table so that the window is beside the players or behind the camera."
    )
    return Finding(CheckLine.BACKLIGHT, state, sentence, remedy, CheckCause.BACKLIT, measured.contrast)


def backlight_of(grey: Grey) -> Backlight:
    """Measure white and the rest."""
    smooth = cv2.blur(grey, (_SMOOTH_PX, _SMOOTH_PX))
    white = smooth >= _WHITE
    around = cv2.dilate(white.astype(np.uint8), np.ones((_EDGE_PX, _EDGE_PX), np.uint8)) > 0
    rest = smooth[~around]
    if rest.size == 0:
        return Backlight(float(white.mean()), 0.0)
    low, high = np.percentile(rest[::7], [5, 95])
    return Backlight(float(white.mean()), float(high - low))


_FEWEST: Final = 3
_ROWS: Final = 90
_COLUMNS: Final = 160
_GAMMA: Final = 2.2
_LIT: Final = 16.0
"""Brightness of a column below which it tells nothing of the light."""


def check_flicker(look: TableLook) -> Finding | None:
    """Check the bands, or return None if there are fewer than three images."""
    if len(look.greys) < _FEWEST:
        return None
    depth = flicker_depth(look.greys)
    if depth < THRESHOLDS.weak_flicker:
        return good(CheckLine.FLICKER, Phrase("The lamps do not flicker."), depth)
    state = Level.BAD if depth >= THRESHOLDS.bad_flicker else Level.WEAK
    sentence = Phrase("The lamps flicker: bands of {depth:.0f} % wander through the picture.", depth=100 * depth)
    remedy = Phrase("Set the camera to the mains (50 or 60 Hz), use other lamps, or play by daylight.")
    return Finding(CheckLine.FLICKER, state, sentence, remedy, CheckCause.FLICKERS, depth)


def flicker_depth(greys: Sequence[Grey]) -> float:
    """Depth of the flicker as a share of the light: how far rows leave their mean, over all rows and frames.

    A row's median over its columns hardly notices people who move; what changes all rows of a frame alike is the
    camera's exposure.
    """
    small = np.stack([cv2.resize(grey, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA) for grey in greys])
    light = np.log(np.maximum(small, _LIT)) * _GAMMA
    rows = np.median(light - light.mean(0), axis=2)
    bands = rows - rows.mean(1, keepdims=True)
    return float(np.sqrt(2) * bands.std())


_BLOCK_PX: Final = 16
_STATIC: Final = 40
"""Percentile of the blocks' differences that counts: in the others people may move."""

_UNCLIPPED: Final = (10.0, 245.0)
"""Brightness between which noise can be seen: in black and in white it cannot."""

_TO_DEVIATION: Final = float(np.sqrt(np.pi) / 2)
"""Ratio of the standard deviation of a normal distribution to the mean distance of two draws."""


def check_noise(look: TableLook) -> Finding | None:
    """Check the noise, or return None if there is only one image."""
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
    """The noise's standard deviation, divided by the image's contrast; None of one image.

    Too little light is amplified, and grain comes with it. The share says nothing of how bright a face is.
    """
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
