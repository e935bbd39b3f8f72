"""Findings of the doctor: one line each, with a remedy where something is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from bunnymoose_cv.calibration.checks.level import Level


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check of the computer.

    Attributes:
        name: the thing checked, such as `camera`; unique within a list.
        level: its traffic light.
        sentence: the observation, one sentence.
        remedy: an action that helps; empty for a good finding.
    """

    name: str
    level: Level
    sentence: str
    remedy: str = ""

    def __post_init__(self) -> None:
        if (self.level is Level.GOOD) == bool(self.remedy):
            message = f"{self.name}: a remedy belongs to a weak or bad finding, and to no other"
            raise ValueError(message)
