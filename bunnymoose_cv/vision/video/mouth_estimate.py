"""Recursive estimate of the tongue around a cue, debounced: a blink does not count, a held tongue does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from bunnymoose_cv.vision.logits import logit, sigmoid
from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.frame_evidence import LogOddsMean

if TYPE_CHECKING:
    from bunnymoose_cv.vision.video.window import Window

EVEN: Final = 0.5
"""Threshold of the probability that a tongue is out."""


@dataclass(frozen=True, slots=True, eq=False)
class MouthHold:
    """Stretch of time in which the tongue stayed out, or in.

    Attributes:
        since_s: time of its first reading.
        until_s: time of its last reading.
        evidence: log-odds of "out" of its readings.
    """

    out: bool
    since_s: float
    until_s: float
    evidence: LogOddsMean

    @classmethod
    def started_with(cls, time_s: float, out: float) -> Self:
        """Begin a hold with one reading, the probability that the tongue is out."""
        return cls(out > EVEN, time_s, time_s, _mouth_evidence(out))

    def joined(self, time_s: float, out: float) -> MouthHold:
        """Add one more reading alike."""
        return replace(self, until_s=time_s, evidence=self.evidence.joined(_mouth_evidence(out)))

    def is_held(self, window: Window) -> bool:
        """Tell if a tongue is out for long enough and at the cue."""
        return self.out and self.length_s >= window.tongue_s and self.since_s <= window.cue_s <= self.until_s

    @property
    def length_s(self) -> float:
        """Time from the first reading to the last."""
        return self.until_s - self.since_s


@dataclass(frozen=True, slots=True, eq=False)
class MouthEstimate:
    """Estimate of one mouth.

    Attributes:
        current: the present hold; None before the first reading.
        slip: a reading that contradicts the present hold; a second one ends the hold, any other forgets it.
        final: the hold of a tongue that was out at the cue for long enough; nothing later replaces it.
        tongue_in: readings of the window with the tongue in.
        first_s: time of the first reading.
    """

    window: Window
    current: MouthHold | None = None
    slip: tuple[float, float] | None = None
    final: MouthHold | None = None
    tongue_in: MouthHold | None = None
    first_s: float = 0.0

    def updated(self, time_s: float, out: float) -> MouthEstimate:
        """Update by the next reading, the probability that the tongue is out."""
        if self.final is not None:
            return self
        counted = self._add_to_tongue_in(time_s, out)
        if self.current is None:
            return replace(counted, current=MouthHold.started_with(time_s, out), first_s=time_s)
        if self.current.out == (out > EVEN):
            return replace(counted, current=self.current.joined(time_s, out), slip=None)
        if self.slip is None:
            return replace(counted, slip=(time_s, out))
        final = self.current if self.current.is_held(self.window) else None
        return replace(counted, current=MouthHold.started_with(*self.slip).joined(time_s, out), slip=None, final=final)

    def _add_to_tongue_in(self, time_s: float, out: float) -> MouthEstimate:
        if time_s < self.window.start_s or out > EVEN:
            return self
        tongue_in = (
            MouthHold.started_with(time_s, out) if self.tongue_in is None else self.tongue_in.joined(time_s, out)
        )
        return replace(self, tongue_in=tongue_in)

    @property
    def is_settled(self) -> bool:
        """Tell if the tongue was out at the cue for long enough, or in from the cue until after it."""
        current = self.current
        if current is None or self.final is not None or current.is_held(self.window):
            return current is not None
        lasting = current.since_s <= self.window.cue_s < current.until_s - FREEZE.after_cue_s
        return lasting and not current.out and self.slip is None

    @property
    def decisive(self) -> MouthHold:
        """Hold that counts: a tongue held out at the cue or until the window's end, else the mouth without it."""
        current = self.current
        if current is None:
            raise AssertionError("an estimate has at least one reading")
        if self.final is not None or current.is_held(self.window):
            return self.final or current
        long_enough = current.length_s >= self.window.tongue_s or current.since_s == self.first_s
        return current if current.out and long_enough and self.slip is None else self.tongue_in or current

    @property
    def probability_out(self) -> float:
        """Probability that the tongue counts as out."""
        return float(sigmoid(self.decisive.evidence.log_odds)[0])


def _mouth_evidence(out: float) -> LogOddsMean:
    return LogOddsMean(logit([out], FREEZE.least_probability), np.ones(1), 1)
