"""Findings of the checks of table and computer: level, sentence, remedy, cause and measured value, and their names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from bunnymoose_cv.core.phrase import Phrase


class Level(Enum):
    """Traffic light of a finding. With a bad one nothing can be played or judged."""

    GOOD = "good"
    WEAK = "weak"
    BAD = "bad"


class CheckLine(Enum):
    """Lines of both checks, in the order of their output."""

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
    DELAY = "delay"
    SPEED = "speed"

    # Lines of `bunnymoose doctor` only, which also has a line SPEED.
    PYTHON = "python"
    PLATFORM = "platform"
    LIBRARIES = "libraries"
    CV2 = "cv2"
    MODELS = "models"
    PROFILE = "profile"
    CAMERA = "camera"
    CAMERA_PERMISSION = "camera permission"
    CAMERA_IN_USE = "camera in use"
    CAMERA_IMAGE = "camera picture"
    SOUND_OUT = "sound out"
    SOUND_IN = "sound in"
    VOICE_ENGLISH = "voice en"
    VOICE_GERMAN = "voice de"
    VOICE_FRENCH = "voice fr"
    VOICE_SPANISH = "voice es"
    VOICE_CZECH = "voice cs"
    DISK = "disk"
    FOLDERS = "folders"
    PHONES = "phones"


class CheckCause(Enum):
    """Causes of weak and bad findings; good findings have `FINE`."""

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
    LATE = "late"
    SLOW_COMPUTER = "slow_computer"


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one check of the table or the computer.

    Attributes:
        sentence: the observation; a Phrase for the table, so that it can be translated.
        remedy: an action that helps; None for a good finding.
        value: the measured quantity, in the unit of its check.
    """

    line: CheckLine
    level: Level
    sentence: str
    remedy: str | None = None
    cause: CheckCause = CheckCause.FINE
    value: float | None = None

    def __post_init__(self) -> None:
        good = self.level is Level.GOOD
        if good is not (self.remedy is None) or (good and self.cause is not CheckCause.FINE):
            message = f"{self.line.value}: cause and remedy belong to a weak or bad finding, and to no other"
            raise ValueError(message)


def good(line: CheckLine, sentence: str, value: float | None = None) -> Finding:
    """Make a finding without a fault."""
    return Finding(line, Level.GOOD, sentence, value=value)


def main_finding(findings: tuple[Finding, ...]) -> Finding | None:
    """Return the fault to correct first: the first bad finding, or the first weak one; None if all are good."""
    faults = [finding for finding in findings if finding.level is not Level.GOOD]
    return next((fault for fault in faults if fault.level is Level.BAD), next(iter(faults), None))


LINE_NAMES: Final = {
    CheckLine.IMAGE: Phrase("Picture"),
    CheckLine.UPRIGHT: Phrase("Upright"),
    CheckLine.RATE: Phrase("Frames"),
    CheckLine.LIGHT: Phrase("Light"),
    CheckLine.BACKLIGHT: Phrase("Light from behind"),
    CheckLine.FLICKER: Phrase("Flicker"),
    CheckLine.FOCUS: Phrase("Focus"),
    CheckLine.MOTION: Phrase("Exposure"),
    CheckLine.DISTANCE: Phrase("Distance"),
    CheckLine.ROOM: Phrase("Room for hands"),
    CheckLine.MIRROR: Phrase("Left and right"),
    CheckLine.MICROPHONE: Phrase("Microphone"),
    CheckLine.DELAY: Phrase("Delay"),
    CheckLine.SPEED: Phrase("Computer"),
}

LEVEL_NAMES: Final = {Level.GOOD: Phrase("good"), Level.WEAK: Phrase("weak"), Level.BAD: Phrase("bad")}

SIGNS: Final = {Level.GOOD: "✓", Level.WEAK: "!", Level.BAD: "✕"}
"""Sign beside each level's word, so that colour is not needed."""


def fault_with_remedy(finding: Finding) -> Phrase:
    """Describe a fault and its remedy in one sentence."""
    return Phrase("{fault} {remedy}", fault=finding.sentence, remedy=finding.remedy or "")
