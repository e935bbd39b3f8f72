"""Check for a window or lamp behind the players, by what is white and what contrast is left beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook

_WHITE: Final = 245.0
_SMOOTH_PX: Final = 9
_EDGE_PX: Final = 41
"""Side of the dilation kernel around white, over which the light spills."""


@dataclass(frozen=True, slots=True)
class Backlight:
    """White in an image, and the rest of it.

    Attributes:
        share: of the image that is white, 0 to 1.
        contrast: of the rest, 0 to 255.
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
