"""Check the distance of the players, by the pixels between their eyes."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.table_look import TableLook

_EYES_CM: Final = 6.3
"""Distance between the eyes of adults on average (Dodgson 2004).

Children have 5 to 6, so they are told a little too far."""

_FOCAL: Final = 0.75
"""Focal length in long sides of the image, of a webcam or a phone with 67 degrees across; 55 to 80 are usual."""


def check_distance(look: TableLook) -> Finding:
    """Check the farthest player."""
    if not look.heads:
        return Finding(
            CheckLine.DISTANCE,
            Level.BAD,
            Phrase("Nobody is seen."),
            Phrase("Sit down in a row before the camera, at one to two metres, with your faces to it."),
            CheckCause.NOBODY,
        )
    eyes_px = min(head.eye_distance for head in look.heads)
    if eyes_px >= THRESHOLDS.weak_eyes_px:
        sentence = Phrase(
            "Everybody is near enough: {pixels:.0f} pixels between the eyes, {need:.0f} are needed.",
            pixels=eyes_px,
            need=THRESHOLDS.weak_eyes_px,
        )
        return good(CheckLine.DISTANCE, sentence, eyes_px)
    state = Level.BAD if eyes_px < THRESHOLDS.bad_eyes_px else Level.WEAK
    sentence = Phrase(
        "Somebody sits too far away: {pixels:.0f} pixels between the eyes, {need:.0f} are needed.",
        pixels=eyes_px,
        need=THRESHOLDS.weak_eyes_px,
    )
    closer_cm = closer_by_cm(eyes_px, max(look.image.shape[:2]))
    remedy = Phrase(
        "Bring camera and players about {closer} cm closer together, or choose a larger picture.", closer=closer_cm
    )
    return Finding(CheckLine.DISTANCE, state, sentence, remedy, CheckCause.FAR, eyes_px)


def closer_by_cm(eyes_px: float, long_side_px: int) -> int:
    """The way, in centimetres and rounded up to tens, after which the eyes are far enough apart in the image.

    Args:
        eyes_px: between the eyes now.
        long_side_px: of the image, which has the lens's usual angle.
    """
    now_cm = _FOCAL * long_side_px * _EYES_CM / eyes_px
    return 10 * ceil(now_cm * (1 - eyes_px / THRESHOLDS.weak_eyes_px) / 10)
