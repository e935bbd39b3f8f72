"""Window around a cue: the times at which players are read, and their order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunnymoose_cv.core.user_settings import FreezeSettings


@dataclass(frozen=True, slots=True)
class Window:
    """The times around a cue, in seconds."""

    cue_s: float
    start_s: float  # from here on hands count
    end_s: float  # until then hands may settle
    watched_until_s: float  # until then a change is a move
    step_s: float  # interval between frames that are read
    tongue_s: float  # shortest time for which a tongue must be out to count
    headgear_prior: float = 1.0  # factor on the odds that a hand beside a head is headgear

    @classmethod
    def around(cls, cue_s: float, settings: FreezeSettings) -> Window:
        """Return the window around a cue."""
        return cls(
            cue_s=cue_s,
            start_s=cue_s - settings.before_s,
            end_s=cue_s + settings.after_s,
            watched_until_s=cue_s + settings.after_s + settings.watched_s,
            step_s=(settings.before_s + settings.after_s) / (settings.frames - 1),
            tongue_s=settings.tongue_s,
            headgear_prior=settings.headgear_prior,
        )

    @property
    def read_s(self) -> tuple[float, ...]:
        """Times that may be read: the whole window, and enough before it to measure how long a tongue was out."""
        lead = max(0, math.ceil((self.tongue_s - (self.cue_s - self.start_s)) / self.step_s))
        count = round((self.end_s - self.start_s) / self.step_s) + 1
        return tuple(self.start_s + number * self.step_s for number in range(-lead, count))

    @property
    def settled_s(self) -> float:
        """Time halfway from the cue to the window's end. A player who froze at the cue holds still by then."""
        middle_s = (self.cue_s + self.end_s) / 2
        return min(self.read_s, key=lambda time_s: abs(time_s - middle_s))

    @property
    def by_use_s(self) -> tuple[float, ...]:
        """Times by usefulness: first from the cue onwards, then back from it."""
        early_s = self.cue_s - self.step_s / 2
        return tuple(sorted(self.read_s, key=lambda time_s: (time_s < early_s, abs(time_s - self.cue_s))))

    @property
    def watched_s(self) -> tuple[float, ...]:
        """Times that are read afterwards to detect movement, beginning after `settled_s`."""
        count = int((self.watched_until_s - self.settled_s) / self.step_s + 1e-6)
        return tuple(self.settled_s + number * self.step_s for number in range(1, count + 1))
