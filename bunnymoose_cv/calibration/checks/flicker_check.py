"""Check for bands that lamps draw into the image, by how the rows' brightness changes from frame to frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook

_FEWEST: Final = 3
_ROWS: Final = 90
_COLUMNS: Final = 160
_GAMMA: Final = 2.2
_LIT: Final = 16.0
"""Brightness of a column below which it tells nothing of the light."""


def check_flicker(look: TableLook) -> Finding | None:
    """Check the bands; None of fewer images than three."""
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
