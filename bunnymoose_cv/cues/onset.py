"""Onset of a sudden sound: its beginning, its loudness, and its shape in time and frequency."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.cues.loudness import Powers, decibels

Shape: TypeAlias = npt.NDArray[np.float64]
"""Levels in decibels against the loudest, one slice of time a row, one band a column; 0 down to −`DEPTH_DB`."""

SLICES: Final = ((0, 3), (3, 6), (6, 10), (10, 15), (15, 20), (20, 25), (25, 30))
"""The frames of each slice, counted from the beginning of the sound."""

DEPTH_DB: Final = 25.0
"""Depth below the loudest part at which sound no longer counts."""

QUIET: Final = slice(-12, -3)
"""The frames before the sound in which it is heard what went on already."""

BEFORE: Final = 14
"""Number of frames before the onset that are compared, also where the onset is taken a little earlier."""

AFTER: Final = 33
"""Number of frames from the onset on."""

LEAST_RISE_DB: Final = 5.0
"""Threshold of the rise within some hundredths of a second that is an onset."""

_ALONE: Final = 5
"""Window of the non-maximum suppression of onsets, frames."""

_ALREADY: Final = 1.5
"""Factor for the background that is subtracted: it goes up and down."""

_LEAST_WEIGHT: Final = 0.4
_LARGEST_ERROR_DB: Final = 12.0
_SHIFTS: Final = range(-2, 3)


def rises(powers: Powers) -> npt.NDArray[np.float64]:
    """Rise of each frame and the two after it over those 10 to 3 before it, in decibels; 0 at the ends.

    Args:
        powers: shape (n, BANDS).
    """
    sums = np.concatenate([[0.0], np.cumsum(powers.sum(1))])
    frames = np.arange(10, len(powers) - 2)
    if len(frames) == 0:
        return np.zeros(len(powers))
    after = (sums[frames + 3] - sums[frames]) / 3
    before = (sums[frames - 2] - sums[frames - 10]) / 8
    return np.pad(decibels(after) - decibels(before), (10, 2))


def begins(rise: npt.NDArray[np.float64], frame: int) -> bool:
    """Tell if a sound begins at a frame.

    Args:
        frame: at least 5 frames from both ends.
    """
    near = rise[frame - _ALONE : frame + _ALONE + 1]
    return bool(rise[frame] >= LEAST_RISE_DB and rise[frame] == near.max())


def level_of(powers: Powers, frame: int) -> float:
    """Loudness that a sound beginning at a frame reaches in its first 0.15 s, decibels."""
    return float(decibels(powers[frame : frame + 15].sum(1)).max())


def shape_of(powers: Powers, frame: int) -> Shape:
    """The shape of a sound without what went on before it.

    Args:
        powers: shape (n, BANDS).
        frame: where it begins, with `BEFORE` frames before it and `AFTER` from it on.
    """
    already = powers[frame + QUIET.start : frame + QUIET.stop].mean(0)
    slices = np.stack([powers[frame + first : frame + last].mean(0) for first, last in SLICES])
    levels = decibels(slices - _ALREADY * already)
    return np.asarray(np.maximum(levels - levels.max(), -DEPTH_DB))


def dissimilarity(powers: Powers, frame: int, known: Shape) -> float:
    """Distance of a sound from a known one, decibels: the mean difference, loud parts of the known one counting most.

    Args:
        powers: shape (n, BANDS).
        frame: where the sound begins, give or take two frames, with `BEFORE` and `AFTER` frames around it.
    """
    weights = _LEAST_WEIGHT + (1 - _LEAST_WEIGHT) * (1 + known / DEPTH_DB)
    errors = [np.minimum(np.abs(shape_of(powers, frame + shift) - known), _LARGEST_ERROR_DB) for shift in _SHIFTS]
    return min(float(np.sqrt((weights * error**2).sum() / weights.sum())) for error in errors)
