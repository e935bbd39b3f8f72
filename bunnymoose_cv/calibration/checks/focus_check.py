"""Check the focus, by the width of the sharpest edges around the heads.

An edge loses the more of its steepness by a known further blur, the sharper it was (Zhuo and Sim, 2011).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.table_look import grey_of
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.table_look import Grey, TableLook
    from bunnymoose_cv.vision.faces.head import Head

_REACH: Final = 4.0
"""Eye distances around the eyes that are looked at."""

_EYES_PX: Final = 24.0
"""Eye distance to which each head is scaled, pixels, so that near and far ones are measured alike."""

_FURTHER_PX: Final = 1.5
_PIXELS_ALONE_PX: Final = 1.7
"""Blur that comes from the image's own pixels, at most: a head far away has few of them, and is no less in focus."""

_SHARPEST: Final = 97.0
"""Percentile of the steepness from which on a pixel is an edge."""


def check_focus(look: TableLook) -> Finding | None:
    """Check the blur of the middle head; None where nobody is found."""
    blur = blur_of(look)
    if blur is None:
        return None
    eyes_px = float(np.median([head.eye_distance for head in look.heads]))
    if blur < THRESHOLDS.weak_blur or blur * eyes_px < _PIXELS_ALONE_PX:
        return good(CheckLine.FOCUS, Phrase("The players are in focus."), blur)
    state = Level.BAD if blur >= THRESHOLDS.bad_blur else Level.WEAK
    sentence = Phrase("The players are out of focus.")
    remedy = Phrase("Wipe the lens and turn its focus ring, or let the camera focus anew: hold a hand before it.")
    return Finding(CheckLine.FOCUS, state, sentence, remedy, CheckCause.BLURRED, blur)


def blur_of(look: TableLook) -> float | None:
    """Standard deviation of the blur in eye distances, the median over heads; None without heads."""
    if not look.heads:
        return None
    grey = grey_of(look.image, look.image.shape[1])
    return float(np.median([_edge_blur_px(_around(grey, head)) / _EYES_PX for head in look.heads]))


def _around(grey: Grey, head: Head) -> Grey:
    """The image around a head, with `_EYES_PX` between the eyes."""
    x, y = head.centre
    reach = _REACH * head.eye_distance
    height, width = grey.shape
    top, bottom = round(max(0.0, y - reach)), round(min(float(height), y + reach))
    left, right = round(max(0.0, x - reach)), round(min(float(width), x + reach))
    scale = _EYES_PX / head.eye_distance
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    part = cv2.resize(grey[top:bottom, left:right], None, fx=scale, fy=scale, interpolation=how)
    return part.astype(np.float32, copy=False)


def _edge_blur_px(grey: Grey) -> float:
    """Standard deviation of the blur at the steepest places, pixels."""
    steep = _steepness(grey)
    further = _steepness(cv2.GaussianBlur(grey, (0, 0), _FURTHER_PX).astype(np.float32, copy=False))
    edges = steep >= np.percentile(steep, _SHARPEST)
    ratio = float(np.median(steep[edges] / np.maximum(further[edges], 1e-3)))
    return _FURTHER_PX / float(np.sqrt(max(ratio**2 - 1, 1e-2)))


def _steepness(grey: Grey) -> Grey:
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), np.float32)
