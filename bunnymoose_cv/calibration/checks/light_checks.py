"""Checks of the light: a window or lamp behind the players, flicker bands of lamps, and noise from low light."""

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
    from collections.abc import Sequence

    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook

_WHITE: Final = 245.0
_SMOOTH_PX: Final = 9
_EDGE_PX: Final = 41
"""Side of the dilation kernel around white areas, into which their light spills."""


def check_backlight(look: TableLook) -> Finding:
    """Check the newest image: its white part, and the contrast of the rest, 0 to 255."""
    smooth = cv2.blur(look.greys[-1], (_SMOOTH_PX, _SMOOTH_PX))
    white = smooth >= _WHITE
    share = float(white.mean())
    rest = smooth[cv2.dilate(white.astype(np.uint8), np.ones((_EDGE_PX, _EDGE_PX), np.uint8)) == 0]
    contrast = contrast_of(rest[::7]) if rest.size else 0.0
    if share < THRESHOLDS.window or contrast >= THRESHOLDS.weak_backlit:
        return good(CheckLine.BACKLIGHT, Phrase("The light does not come from behind."), contrast)
    level = Level.BAD if contrast < THRESHOLDS.bad_backlit else Level.WEAK
    sentence = Phrase(
        "Bright light behind the players ({share:.0f} % of the picture is white) leaves the rest dull.",
        share=100 * share,
    )
    remedy = Phrase(
        "Draw the curtain, or turn the table so that the window is beside the players or behind the camera."
    )
    return Finding(CheckLine.BACKLIGHT, level, sentence, remedy, CheckCause.BACKLIT, contrast)


_FEWEST: Final = 3
_ROWS: Final = 90
_COLUMNS: Final = 160
_GAMMA: Final = 2.2
_LIT: Final = 16.0
"""Minimum brightness of a column; darker ones are not used to measure the light."""


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
    """Return the depth of the flicker as a share of the light: the deviation of rows from their mean over all frames.

    A row's median over its columns is hardly affected by people who move. A change of all rows of a frame alike is due
    to the camera's exposure.
    """
    small = np.stack([cv2.resize(grey, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA) for grey in greys])
    light = np.log(np.maximum(small, _LIT)) * _GAMMA
    rows = np.median(light - light.mean(0), axis=2)
    bands = rows - rows.mean(1, keepdims=True)
    return float(np.sqrt(2) * bands.std())


_BLOCK_PX: Final = 16
_STATIC: Final = 40
"""Percentile of the blocks' differences that is used, since people may move in the others."""

_UNCLIPPED: Final = (10.0, 245.0)
"""Range of brightness in which noise is visible; in black and white it is not."""

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
    """Return the noise's standard deviation divided by the image's contrast, or None for a single image.

    A camera amplifies low light, and its grain with it. The share does not depend on the brightness of a face.
    """
    measured = [_noise(one, other) for one, other in pairwise(look.greys)]
    if not measured:
        return None
    smooth = cv2.blur(look.greys[-1], (7, 7)).astype(np.float32, copy=False)
    return float(np.median(measured)) / max(1.0, contrast_of(smooth[::4, ::4]))


def _noise(one: Grey, other: Grey) -> float:
    """Return the standard deviation of the noise between two images, in the parts without motion."""
    difference = other - one
    difference = np.abs(difference - np.median(difference, 1, keepdims=True))  # without flicker bands
    height, width = one.shape
    size = (max(1, width // _BLOCK_PX), max(1, height // _BLOCK_PX))
    blocks = cv2.resize(difference, size, interpolation=cv2.INTER_AREA)
    levels = cv2.resize(one, size, interpolation=cv2.INTER_AREA)
    seen = blocks[(levels > _UNCLIPPED[0]) & (levels < _UNCLIPPED[1])]
    if seen.size == 0:
        return 0.0
    return float(np.percentile(seen, _STATIC)) * _TO_DEVIATION
