"""Check the true rate of the frames, by the times at which they came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.calibration.checks.table_look import TableLook

_FEWEST: Final = 5
"""Fewest frames of which a rate is told."""


def check_rate(look: TableLook) -> Finding | None:
    """Check the rate; None where too few frames came to tell."""
    rate = frames_per_s(look.times_s)
    if rate is None:
        return None
    sentence = Phrase("The camera gives {rate:.0f} frames a second.", rate=rate)
    if rate >= THRESHOLDS.weak_rate:
        return good(CheckLine.RATE, sentence, rate)
    state = Level.BAD if rate < THRESHOLDS.bad_rate else Level.WEAK
    remedy = Phrase("Switch a lamp on, plug the camera in directly, choose a smaller picture, or close other programs.")
    return Finding(CheckLine.RATE, state, sentence, remedy, CheckCause.FEW_FRAMES, rate)


def frames_per_s(times_s: Sequence[float]) -> float | None:
    """The mean rate of frames that came at these times."""
    span_s = times_s[-1] - times_s[0] if times_s else 0.0
    if len(times_s) < _FEWEST or span_s <= 0:
        return None
    return float((len(np.unique(times_s)) - 1) / span_s)
