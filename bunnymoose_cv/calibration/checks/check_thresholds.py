"""Thresholds of the check of the table, each with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CheckThresholds:
    """Thresholds; those of light were chosen on part 0 of the fault matrix (fixtures/table), never on part 1."""

    black: float = 20.0
    """Brightness, 0 to 255, that hardly any pixel of a black image exceeds: a covered sensor's noise stays below."""

    covered: float = 10.0
    """Contrast in large patches, 0 to 255, of an image that shows nothing: a finger or a shutter before the lens."""

    weak_rate: float = 14.0
    bad_rate: float = 9.0
    """Frames a second: a freeze of 0.75 s is read from six frames; the cameras of the evening clips give 15."""

    weak_noise: float = 0.06
    bad_noise: float = 0.09
    """Noise (standard deviation) as a share of the image's contrast."""

    window: float = 0.03
    """Share of the image that is white, from which on a window or lamp behind the players counts."""

    weak_backlit: float = 110.0
    bad_backlit: float = 85.0
    """Contrast of what is not white beside such a window, 0 to 255; of the image and never of a face."""

    weak_flicker: float = 0.03
    bad_flicker: float = 0.06
    """Depth of bands that wander through the image, as a share of the light."""

    weak_blur: float = 0.07
    bad_blur: float = 0.1
    """Standard deviation of the blur at edges, in eye distances."""

    weak_smear_s: float = 0.03
    """Exposure from which on a moving hand is a smear: at 1 m/s it is 3 cm wide, as wide as two fingers."""

    weak_eyes_px: float = 20.0
    bad_eyes_px: float = 13.0
    """Pixels between the eyes of the farthest player."""

    weak_above: float = 4.6
    bad_above: float = 3.0
    """Eye distances between the eyes and the upper edge: of 106 rendered hands at heads the highest reaches 4.6."""

    weak_beside: float = 4.4
    bad_beside: float = 2.6
    """Eye distances between a player's eyes and the edge beside: half the hands reach 3.2, nine of ten 4.6."""

    weak_gap: float = 5.5
    bad_gap: float = 3.5
    """Eye distances from one player's eyes to the next one's: in a row of five they are 6.9."""

    upright_degrees: float = 45.0
    """Largest lean of a head, degrees; an image in which one leans farther is turned."""

    voice_db: float = 12.0
    """Decibels by which a “Bam” stands out of the room; as in learning it (cues/bam.py)."""

    clipped: float = 0.02
    """Share of the samples of a Bam that are as loud as samples can be."""

    comfortable_s: float = 0.7
    slow_s: float = 1.5
    """Seconds for a full reading of five players; as `bunnymoose doctor` judges them."""


THRESHOLDS: Final = CheckThresholds()
