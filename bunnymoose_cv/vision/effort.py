"""Effort levels of a reading, and the budget of the stages at each level."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Effort(Enum):
    """Effort spent on one frame."""

    SEARCH = "search"
    FULL = "full"
    QUICK = "quick"
    GLANCE = "glance"


@dataclass(frozen=True, slots=True)
class Budget:
    """Budget of the stages for one frame.

    Attributes:
        search: search the whole image for heads; otherwise follow the heads of an earlier frame.
        closer_hand_crops: look closer, up to three times, for each hand that the first crop did not show.
        tongue_second_stage: run the second stage where the first mouth crop is uncertain.
    """

    search: bool
    closer_hand_crops: bool
    tongue_second_stage: bool


BUDGETS: Final[Mapping[Effort, Budget]] = {
    Effort.SEARCH: Budget(True, True, True),
    Effort.FULL: Budget(False, True, True),
    Effort.QUICK: Budget(False, False, True),
    Effort.GLANCE: Budget(False, False, False),
}
"""Images and first frames search; every third frame of a freeze is full, the others are quick. Movement detection
counts first-pass hands only. A glance reads one player in turn and keeps the readings of the others."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Budget of the frames that a tracker reads.

    Attributes:
        frames_in_parallel: while one waits for its last hand, the workers look for those of the next.
        full_every: one of so many frames that are read together is read in full, the others quickly: what is in doubt
            on a head, or hidden, is so in nearly all of them.
        covered_s: time within which the tiles searched beside the glances cover the image, on any computer: whoever
            comes is found within a second.
    """

    frames_in_parallel: int = 2
    full_every: int = 3
    covered_s: float = 0.9


SCHEDULE: Final = Schedule()
