"""Check that the image shows something: not black, not covered, not frozen."""

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

_STILL_S: Final = 0.5
"""Time after which images that are the same to the last bit come from a camera that hangs."""

_PATCHES: Final = (32, 18)
"""Large patches: noise is averaged away in them."""


def check_image(look: TableLook) -> Finding:
    """Check the newest image, and the change from one to the next."""
    grey = look.greys[-1]
    brightest = float(np.percentile(grey, 99.5))
    if brightest < THRESHOLDS.black:
        sentence = Phrase("The picture is black.")
        remedy = Phrase("Open the shutter before the lens, take the lens cap off, and switch a lamp on.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.BLACK, brightest)
    contrast = coarse_contrast(grey)
    if contrast < THRESHOLDS.covered:
        sentence = Phrase("Something covers the lens: the picture shows nothing.")
        remedy = Phrase("Take it away, wipe the lens, or turn the camera to the players.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.COVERED, contrast)
    if is_frozen(look):
        sentence = Phrase("The picture is frozen: it does not change at all.")
        remedy = Phrase("Plug the camera in again, or start its app anew.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.FROZEN)
    return good(CheckLine.IMAGE, Phrase("The camera shows a picture."), contrast)


def coarse_contrast(grey: Grey) -> float:
    """Contrast between large patches of an image, 0 to 255."""
    return contrast_of(cv2.resize(grey, _PATCHES, interpolation=cv2.INTER_AREA).astype(np.float32, copy=False))


def is_frozen(look: TableLook) -> bool:
    """Tell if a live image stays the same to the last bit; a real camera's noise makes each another."""
    if not look.live or look.frames[-1].time_s - look.frames[0].time_s < _STILL_S:
        return False
    return all(np.array_equal(one.image, other.image) for one, other in pairwise(look.frames))
