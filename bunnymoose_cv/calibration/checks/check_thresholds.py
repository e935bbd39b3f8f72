"""Thresholds of the check of the table, each with its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CheckThresholds:
    """Thresholds. Those of light were chosen on part 0 of the fault matrix (fixtures/table), never on part 1."""

    black: float = 20.0
    """Brightness, 0 to 255, that hardly any pixel of a black image exceeds; the noise of a covered sensor is lower."""

    covered: float = 10.0
    """Contrast in large patches, 0 to 255, of an image without a picture: a finger or shutter covers the lens."""

    weak_rate: float = 14.0
    bad_rate: float = 9.0
    """Lowest rate, frames a second. A freeze of 0.75 s is read from six frames; cameras of the recordings give 15."""

    weak_noise: float = 0.06
    bad_noise: float = 0.09
    """Noise (standard deviation) as a share of the image's contrast."""

    window: float = 0.03
    """White share of the image above which a window or lamp behind the players counts."""

    weak_backlit: float = 110.0
    bad_backlit: float = 85.0
    """Contrast of the rest of the image beside such a window, 0 to 255. Faces are not measured."""

    weak_flicker: float = 0.03
    bad_flicker: float = 0.06
    """Depth of bands that move through the image, as a share of the light."""

    weak_blur: float = 0.07
    bad_blur: float = 0.1
    """Standard deviation of the blur at edges, in eye distances."""

    weak_smear_s: float = 0.03
    """Exposure above which a moving hand is smeared: at 1 m/s the smear is 3 cm wide, as wide as two fingers."""

    weak_eyes_px: float = 20.0
    bad_eyes_px: float = 13.0
    """Pixels between the eyes of the farthest player."""

    weak_above: float = 4.6
    bad_above: float = 3.0
    """Eye distances between the eyes and the upper edge. The highest of 106 rendered hands at heads reaches 4.6."""

    weak_beside: float = 4.4
    bad_beside: float = 2.6
    """Eye distances between a player's eyes and the side edge: half the hands reach 3.2, nine of ten 4.6."""

    weak_gap: float = 5.5
    bad_gap: float = 3.5
    """Eye distances between the eyes of neighbours: in a row of five they are 6.9."""

    upright_degrees: float = 45.0
    """Largest lean of a head in degrees. If one leans farther, the image is turned."""

    voice_db: float = 12.0
    """Decibels by which a “Bam” must be louder than the room, as when it is learnt (cues/bam.py)."""

    clipped: float = 0.02
    """Share of a Bam's samples at full scale."""

    comfortable_s: float = 0.7
    slow_s: float = 1.5
    """Seconds for a full reading of five players, the same limit as in `bunnymoose doctor`."""


THRESHOLDS: Final = CheckThresholds()
