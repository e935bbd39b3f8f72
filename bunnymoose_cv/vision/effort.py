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
        whole_image: whether the whole image is searched for heads, instead of following those of an earlier frame.
        closer_hand_crops: whether up to two closer crops are searched for each hand that the first crop lacks.
        tongue_second_stage: whether the second stage runs if the first mouth crop is uncertain.
    """

    whole_image: bool
    closer_hand_crops: bool
    tongue_second_stage: bool


BUDGETS: Final[Mapping[Effort, Budget]] = {
    Effort.SEARCH: Budget(whole_image=True, closer_hand_crops=True, tongue_second_stage=True),
    Effort.FULL: Budget(whole_image=False, closer_hand_crops=True, tongue_second_stage=True),
    Effort.QUICK: Budget(whole_image=False, closer_hand_crops=False, tongue_second_stage=True),
    Effort.GLANCE: Budget(whole_image=False, closer_hand_crops=False, tongue_second_stage=False),
}
"""Budget of the stages at each effort.

Single images and first frames are searched. Every third frame of a freeze is read in full, the others quickly. Movement
detection counts only hands that the first pass finds. A glance (`Reader.read_quick`) reads at most one player and keeps
the readings of the others."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Schedule of the frames that a tracker reads.

    Attributes:
        frames_in_parallel: number of frames in flight. While one waits for its last hand, the workers search the next.
        full_every: interval of frames read in full; the others are read quickly. Anything doubtful or hidden on a head
            is so in nearly all frames that are read together.
    """

    frames_in_parallel: int = 2
    full_every: int = 3


SCHEDULE: Final = Schedule()
