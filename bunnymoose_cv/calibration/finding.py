"""Findings of a check: one line each, with a remedy where something is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """Traffic light of a finding; with a bad one nothing can be played or judged."""

    GOOD = "good"
    WEAK = "weak"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check.

    Attributes:
        name: the thing checked, such as `camera`; unique within a list.
        state: its traffic light.
        sentence: the observation, one sentence.
        remedy: an action that helps; empty for a good finding.
    """

    name: str
    state: State
    sentence: str
    remedy: str = ""

    def __post_init__(self) -> None:
        if (self.state is State.GOOD) == bool(self.remedy):
            message = f"{self.name}: a remedy belongs to a weak or bad finding, and to no other"
            raise ValueError(message)
