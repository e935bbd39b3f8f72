"""Steps of the warm-up round: which pose everybody shows, in the words that are shown and said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Pose


@dataclass(frozen=True, slots=True)
class WarmUpStep:
    """One instruction and the pose that it asks for."""

    words: Phrase
    asked: Pose


STEPS: Final = (
    WarmUpStep(Phrase("Everybody: wide antlers up!"), Pose.parse("WU WU")),
    WarmUpStep(Phrase("Everybody: compact antlers, down!"), Pose.parse("CD CD")),
    WarmUpStep(Phrase("Everybody: ears on top, straight!"), Pose.parse("TS TS")),
    WarmUpStep(Phrase("Everybody: ears at the side, floppy!"), Pose.parse("SF SF")),
    WarmUpStep(Phrase("Everybody: hands down, tongues out!"), Pose.parse("-- -- t")),
)
"""Each value of every field once; 25 seconds without a second take."""
