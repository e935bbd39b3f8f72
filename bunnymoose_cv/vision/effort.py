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


class HeadSearch(Enum):
    """Search for the heads of one frame, as the pipeline's page names it."""

    IMAGE = "whole image searched"
    FOLLOWED = "followed"


@dataclass(frozen=True, slots=True)
class Budget:
    """Budget of the stages for one frame.

    Attributes:
        heads: whether heads are searched for, or those of an earlier frame followed.
        closer_hand_crops: look closer, up to three times, for each hand that the first crop did not show.
        tongue_second_stage: run the second stage where the first mouth crop is uncertain.
    """

    heads: HeadSearch
    closer_hand_crops: bool
    tongue_second_stage: bool


BUDGETS: Final[Mapping[Effort, Budget]] = {
    Effort.SEARCH: Budget(HeadSearch.IMAGE, True, True),
    Effort.FULL: Budget(HeadSearch.FOLLOWED, True, True),
    Effort.QUICK: Budget(HeadSearch.FOLLOWED, False, True),
    Effort.GLANCE: Budget(HeadSearch.FOLLOWED, False, False),
}
"""Budget of the stages at each effort.

Images and first frames search; every third frame of a freeze is full, the others are quick. Movement detection counts
first-pass hands only. A glance (`Reader.read_quick`) reads one player in turn and keeps the readings of the others."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Budget of the frames that a tracker reads.

    Attributes:
        frames_in_parallel: while one waits for its last hand, the workers look for those of the next.
        full_every: one of so many frames that are read together is read in full, the others quickly: what is in doubt
            on a head, or hidden, is so in nearly all of them.
    """

    frames_in_parallel: int = 2
    full_every: int = 3


SCHEDULE: Final = Schedule()
