"""Spectrogram of sound, a hundred times a second by frequency band, and the onsets of sudden sounds in it.

It is computed by NumPy's FFT. Of the maintained libraries that detect onsets, one is GPL, and the others depend on
compilers or SciPy.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

Samples: TypeAlias = npt.NDArray[np.int16]
"""Samples of one channel, shape (n,), from −32768 to 32767."""

Powers: TypeAlias = npt.NDArray[np.float64]
"""Power in each band, one frame per row, shape (n, BANDS). A sine at full scale has a total power of 1."""

STEP_S: Final = 0.01
"""Hop from one frame to the next."""

WINDOW_S: Final = 0.02
"""Length of the analysis window of a frame."""

BANDS: Final = 12

_EDGES_HZ: Final = np.geomspace(150.0, 7000.0, BANDS + 1)
"""Edges of the bands, a little less than half an octave apart. This merges a shout's overtones, but keeps its vowel."""

LOWEST_RATE: Final = 16000
"""Lowest sample rate. A lower one does not contain the tones of the highest band."""

_FULL: Final = 32768.0
_LEAST_POWER: Final = 1e-10


class PoorSoundError(InputError):
    """Sound with too low a sample rate to be recognised."""


class BandMeter:
    """Filter bank that turns pieces of sound into band powers by frame. It belongs to one thread."""

    def __init__(self, rate: int) -> None:
        """Start a filter bank for a rate in samples per second. Raise a `PoorSoundError` below `LOWEST_RATE`."""
        if rate < LOWEST_RATE:
            raise PoorSoundError(
                Phrase(
                    "The sound has only {rate} samples a second: choose a microphone or file with {lowest} or more",
                    rate=rate,
                    lowest=LOWEST_RATE,
                )
            )
        self._step, self._size = round(rate * STEP_S), round(rate * WINDOW_S)
        self._weights = np.hanning(self._size)
        self._to_bands = _shares(np.fft.rfftfreq(self._size, 1 / rate))
        self._rest = np.zeros(0, np.int16)

    def measure(self, samples: Samples) -> Powers:
        """Return the powers of the frames that are now complete. The first frame begins at the first sample."""
        heard = np.concatenate([self._rest, samples])
        count = max(0, (len(heard) - self._size) // self._step + 1)
        self._rest = heard[count * self._step :]
        if count == 0:
            return np.zeros((0, BANDS))
        frames = np.lib.stride_tricks.sliding_window_view(heard, self._size)[: count * self._step : self._step]
        spectra = np.abs(np.fft.rfft(frames / _FULL * self._weights)) ** 2
        return np.asarray(spectra @ self._to_bands * (32 / 3 / self._size**2) + _LEAST_POWER)

    @property
    def waiting_samples(self) -> int:
        """Number of samples from the beginning of the next frame on, which is not complete yet."""
        return len(self._rest)


def _shares(tones_hz: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Return the share of each bin of a spectrum in each band, shape (bins, BANDS)."""
    half = tones_hz[1] / 2
    below = np.clip((_EDGES_HZ - (tones_hz[:, None] - half)) / (2 * half), 0, 1)
    return np.asarray(np.diff(below, axis=1), np.float64)


def decibels(power: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Convert powers to levels in decibels; 0 is a sine at full scale."""
    return np.asarray(10 * np.log10(np.maximum(power, _LEAST_POWER)))


Shape: TypeAlias = npt.NDArray[np.float64]
"""Levels in decibels relative to the loudest, 0 down to −`DEPTH_DB`, one time slice per row and one band per column."""

SLICES: Final = ((0, 3), (3, 6), (6, 10), (10, 15), (15, 20), (20, 25), (25, 30))
"""Frames of each slice, counted from the onset."""

DEPTH_DB: Final = 25.0
"""Level below the loudest part at which sound no longer counts."""

QUIET: Final = slice(-12, -3)
"""Frames before the onset that are used to estimate the background."""

BEFORE: Final = 14
"""Number of frames that are needed before the onset, including room for an onset a little earlier."""

AFTER: Final = 33
"""Number of frames that are needed from the onset on."""

LEAST_RISE_DB: Final = 5.0
"""Smallest rise within some hundredths of a second that is an onset."""

_ALONE: Final = 5
"""Window of the non-maximum suppression of onsets, frames."""

_ALREADY: Final = 1.5
"""Factor for the background that is subtracted, since the background fluctuates."""

_LEAST_WEIGHT: Final = 0.4
_LARGEST_ERROR_DB: Final = 12.0
_SHIFTS: Final = range(-2, 3)


def rises(powers: Powers) -> npt.NDArray[np.float64]:
    """Return the rise of each frame and the two after it over those 10 to 3 before it, decibels; 0 at the ends."""
    sums = np.concatenate([[0.0], np.cumsum(powers.sum(1))])
    frames = np.arange(10, len(powers) - 2)
    if len(frames) == 0:
        return np.zeros(len(powers))
    after = (sums[frames + 3] - sums[frames]) / 3
    before = (sums[frames - 2] - sums[frames - 10]) / 8
    return np.pad(decibels(after) - decibels(before), (10, 2))


def begins(rise: npt.NDArray[np.float64], frame: int) -> bool:
    """Return whether a sound begins at a frame, which is at least 5 frames from both ends."""
    near = rise[frame - _ALONE : frame + _ALONE + 1]
    return bool(rise[frame] >= LEAST_RISE_DB and rise[frame] == near.max())


def level_of(powers: Powers, frame: int) -> float:
    """Return the loudness that a sound beginning at a frame reaches in its first 0.15 s, decibels."""
    return float(decibels(powers[frame : frame + 15].sum(1)).max())


def shape_of(powers: Powers, frame: int) -> Shape:
    """Return the shape of a sound with its onset at a frame, after subtracting the background.

    There are `BEFORE` frames before the onset and `AFTER` from it on.
    """
    already = powers[frame + QUIET.start : frame + QUIET.stop].mean(0)
    slices = np.stack([powers[frame + first : frame + last].mean(0) for first, last in SLICES])
    levels = decibels(slices - _ALREADY * already)
    return np.asarray(np.maximum(levels - levels.max(), -DEPTH_DB))


def dissimilarity(powers: Powers, frame: int, known: Shape) -> float:
    """Return the distance of a sound from a known one: the mean difference, weighted by the known loudness, decibels.

    The onset is at `frame`, give or take two frames, with `BEFORE` and `AFTER` frames around it.
    """
    weights = _LEAST_WEIGHT + (1 - _LEAST_WEIGHT) * (1 + known / DEPTH_DB)
    errors = [np.minimum(np.abs(shape_of(powers, frame + shift) - known), _LARGEST_ERROR_DB) for shift in _SHIFTS]
    return min(float(np.sqrt((weights * error**2).sum() / weights.sum())) for error in errors)
