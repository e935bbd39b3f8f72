"""Steps of the warm-up round: a pose each, in the words that are shown and said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Pose


@dataclass(frozen=True, slots=True)
class WarmUpStep:
    """Instruction and the pose that it asks for.

    Attributes:
        words: shown large, and said.
        manual: the same for somebody who has never played, shown alone.
    """

    words: Phrase
    manual: Phrase
    asked: Pose


STEPS: Final = (
    WarmUpStep(
        Phrase("Everybody: wide antlers up!"),
        Phrase("Thumbs at your temples, all fingers spread, pointing up."),
        Pose.parse("WU WU"),
    ),
    WarmUpStep(
        Phrase("Everybody: compact antlers, down!"),
        Phrase("Thumbs at your temples, fingers close together, pointing down."),
        Pose.parse("CD CD"),
    ),
    WarmUpStep(
        Phrase("Everybody: ears on top, straight!"),
        Phrase("Fists on top of your head, two fingers of each stretched up."),
        Pose.parse("TS TS"),
    ),
    WarmUpStep(
        Phrase("Everybody: ears at the side, floppy!"),
        Phrase("Fists at the sides of your head, two fingers of each out and curled."),
        Pose.parse("SF SF"),
    ),
    WarmUpStep(
        Phrase("Everybody: hands down, tongues out!"),
        Phrase("Hands on the table, and the tongue out past your lips."),
        Pose.parse("-- -- t"),
    ),
)
"""Each value of every field once; 25 seconds without a second take."""
