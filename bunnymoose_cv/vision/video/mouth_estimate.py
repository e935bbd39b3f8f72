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
        out: whether it was out.
        since_s: time of its first reading.
        until_s: time of its last reading.
        evidence: log-odds of "out" of its readings.
    """

    out: bool
    since_s: float
    until_s: float
    evidence: LogOddsMean

    @classmethod
    def begun(cls, time_s: float, out: float) -> Self:
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
        window: the window around the cue.
        now: the present hold; None before the first reading.
        slip: a reading that contradicts the present hold; a second one ends the hold, any other forgets it.
        held: the hold of a tongue that was out at the cue for long enough; nothing later replaces it.
        inside: readings of the window with the tongue in.
        first_s: time of the first reading.
    """

    window: Window
    now: MouthHold | None = None
    slip: tuple[float, float] | None = None
    held: MouthHold | None = None
    inside: MouthHold | None = None
    first_s: float = 0.0

    def updated(self, time_s: float, out: float) -> MouthEstimate:
        """Update by the next reading, the probability that the tongue is out."""
        if self.held is not None:
            return self
        counted = self._counted(time_s, out)
        if self.now is None:
            return replace(counted, now=MouthHold.begun(time_s, out), first_s=time_s)
        if self.now.out == (out > EVEN):
            return replace(counted, now=self.now.joined(time_s, out), slip=None)
        if self.slip is None:
            return replace(counted, slip=(time_s, out))
        held = self.now if self.now.is_held(self.window) else None
        return replace(counted, now=MouthHold.begun(*self.slip).joined(time_s, out), slip=None, held=held)

    def _counted(self, time_s: float, out: float) -> MouthEstimate:
        if time_s < self.window.start_s or out > EVEN:
            return self
        inside = MouthHold.begun(time_s, out) if self.inside is None else self.inside.joined(time_s, out)
        return replace(self, inside=inside)

    @property
    def settled(self) -> bool:
        """Tell if the tongue was out at the cue for long enough, or in from the cue until after it."""
        now = self.now
        if now is None or self.held is not None or now.is_held(self.window):
            return now is not None
        lasting = now.since_s <= self.window.cue_s < now.until_s - FREEZE.after_cue_s
        return lasting and not now.out and self.slip is None

    @property
    def counted(self) -> MouthHold:
        """Hold that counts: a tongue held out at the cue or until the window's end, else the mouth without it."""
        now = self.now
        if now is None:
            raise AssertionError("an estimate has at least one reading")
        if self.held is not None or now.is_held(self.window):
            return self.held or now
        long_enough = now.length_s >= self.window.tongue_s or now.since_s == self.first_s
        return now if now.out and long_enough and self.slip is None else self.inside or now

    @property
    def probability_out(self) -> float:
        """Probability that the tongue counts as out."""
        return float(sigmoid(self.counted.evidence.log_odds)[0])


def _mouth_evidence(out: float) -> LogOddsMean:
    return LogOddsMean(logit([out], FREEZE.least_probability), np.ones(1), 1)
