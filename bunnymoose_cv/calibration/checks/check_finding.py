"""Findings of the check of the table: level, cause, sentence, remedy and the measured value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.checks.level import Level

if TYPE_CHECKING:
    from bunnymoose_cv.core.phrase import Phrase


class CheckLine(Enum):
    """Lines of the check, in the order in which they are told."""

    IMAGE = "picture"
    UPRIGHT = "upright"
    RATE = "rate"
    LIGHT = "light"
    BACKLIGHT = "backlight"
    FLICKER = "flicker"
    FOCUS = "focus"
    MOTION = "motion"
    DISTANCE = "distance"
    ROOM = "room"
    MIRROR = "mirror"
    MICROPHONE = "microphone"
    SPEED = "speed"


class CheckCause(Enum):
    """Causes of weak and bad findings; `FINE` is that of a good one."""

    FINE = "fine"
    NO_IMAGE = "no_picture"
    BLACK = "black"
    COVERED = "covered"
    FROZEN = "frozen"
    ROTATED = "rotated"
    MIRRORED = "mirrored"
    FEW_FRAMES = "few_frames"
    MOTION_BLUR = "motion_blur"
    DARK = "dark"
    BACKLIT = "backlit"
    FLICKERS = "flickers"
    BLURRED = "blurred"
    NOBODY = "nobody"
    FAR = "far"
    CROPPED = "cropped"
    CROWDED = "crowded"
    NO_SOUND = "no_sound"
    NO_VOICE = "no_voice"
    TOO_LOUD = "too_loud"
    SLOW_COMPUTER = "slow_computer"


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """Result of one check of the table.

    Attributes:
        line: the line that it stands in.
        level: its traffic light; a bad one spoils the game.
        cause: the fault, `FINE` where there is none.
        sentence: the observation.
        remedy: an action that helps; None for a good finding.
        value: the measured quantity, in the unit of its check.
    """

    line: CheckLine
    level: Level
    cause: CheckCause
    sentence: Phrase
    remedy: Phrase | None = None
    value: float | None = None

    def __post_init__(self) -> None:
        good = self.level is Level.GOOD
        if good is not (self.remedy is None) or good is not (self.cause is CheckCause.FINE):
            message = f"{self.line.value}: cause and remedy belong to a weak or bad finding, and to no other"
            raise ValueError(message)


def good(line: CheckLine, sentence: Phrase, value: float | None = None) -> CheckFinding:
    """A finding without a fault."""
    return CheckFinding(line, Level.GOOD, CheckCause.FINE, sentence, None, value)


def main_finding(findings: tuple[CheckFinding, ...]) -> CheckFinding | None:
    """The fault to mend first: the first bad finding, else the first weak one; None where all are good."""
    faults = [finding for finding in findings if finding.level is not Level.GOOD]
    return next((fault for fault in faults if fault.level is Level.BAD), next(iter(faults), None))
