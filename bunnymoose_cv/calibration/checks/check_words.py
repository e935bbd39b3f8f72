"""Names of lines and levels of the check, in the language of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Level
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.check_finding import Finding
    from bunnymoose_cv.i18n.texts import Texts

_LINES: Final = {
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

_LEVELS: Final = {Level.GOOD: Phrase("good"), Level.WEAK: Phrase("weak"), Level.BAD: Phrase("bad")}

SIGNS: Final = {Level.GOOD: "✓", Level.WEAK: "!", Level.BAD: "✕"}
"""A level's sign beside its word, so that no colour is needed."""


def line_name(line: CheckLine, texts: Texts) -> str:
    """A line's name."""
    return texts(_LINES[line])


def level_name(level: Level, texts: Texts) -> str:
    """A level's word."""
    return texts(_LEVELS[level])


def fault_with_remedy(finding: Finding) -> Phrase:
    """Describe a fault and its remedy in one sentence."""
    return Phrase("{fault} {remedy}", fault=finding.sentence, remedy=finding.remedy or "")
