"""Window around a cue: the times at which players are read, and in which order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunnymoose_cv.core.user_settings import FreezeSettings


@dataclass(frozen=True, slots=True)
class Window:
    """The times around a cue, in seconds.

    Attributes:
        cue_s: when Bam was said.
        start_s: from here on hands count.
        end_s: until here they may settle.
        watched_until_s: until here a change is a move.
        step_s: from one frame that is read to the next.
        tongue_s: how long a tongue must be out to count.
        headgear_prior: factor on the odds that a hand beside a head is headgear.
    """

    cue_s: float
    start_s: float
    end_s: float
    watched_until_s: float
    step_s: float
    tongue_s: float
    headgear_prior: float = 1.0

    @classmethod
    def around(cls, cue_s: float, settings: FreezeSettings) -> Window:
        """The window around a cue."""
        length_s = settings.before_s + settings.after_s
        return cls(
            cue_s=cue_s,
            start_s=cue_s - settings.before_s,
            end_s=cue_s + settings.after_s,
            watched_until_s=cue_s + settings.after_s + settings.watched_s,
            step_s=length_s / (settings.frames - 1),
            tongue_s=settings.tongue_s,
            headgear_prior=settings.headgear_prior,
        )

    @property
    def read_s(self) -> tuple[float, ...]:
        """The times that may be read: all of the window, and what tells of a tongue at the cue how long it was out."""
        lead = max(0, math.ceil((self.tongue_s - (self.cue_s - self.start_s)) / self.step_s))
        count = round((self.end_s - self.start_s) / self.step_s) + 1
        return tuple(self.start_s + number * self.step_s for number in range(-lead, count))

    @property
    def settled_s(self) -> float:
        """The time halfway from the cue to the window's end: whoever froze at the cue holds still by then."""
        middle_s = (self.cue_s + self.end_s) / 2
        return min(self.read_s, key=lambda time_s: abs(time_s - middle_s))

    @property
    def by_use_s(self) -> tuple[float, ...]:
        """The times in the order of what they tell: first from the cue onwards, then back from it."""
        early_s = self.cue_s - self.step_s / 2
        return tuple(sorted(self.read_s, key=lambda time_s: (time_s < early_s, abs(time_s - self.cue_s))))

    @property
    def watched_s(self) -> tuple[float, ...]:
        """The times that are read afterwards, to see who moves: from when whoever froze was seen to hold still."""
        count = int((self.watched_until_s - self.settled_s) / self.step_s + 1e-6)
        return tuple(self.settled_s + number * self.step_s for number in range(1, count + 1))
