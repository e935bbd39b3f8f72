"""Spectrogram of sound: level of each frequency band, a hundred times a second.

NumPy's FFT does it: of the kept libraries that find onsets one is GPL, the others bring compilers or SciPy with them.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

Samples: TypeAlias = npt.NDArray[np.int16]
"""Samples of one channel, shape (n,), the loudest possible −32768 and 32767."""

Powers: TypeAlias = npt.NDArray[np.float64]
"""Power in each band, one frame a row, shape (n, BANDS); a sine as loud as samples can be has 1 in all together."""

STEP_S: Final = 0.01
"""Hop from one frame to the next."""

WINDOW_S: Final = 0.02
"""Length of the analysis window of a frame."""

BANDS: Final = 12

_EDGES_HZ: Final = np.geomspace(150.0, 7000.0, BANDS + 1)
"""Edges of the bands, a little less than half an octave apart: a shout's overtones fall together, its vowel stays."""

LOWEST_RATE: Final = 16000
"""Lowest sample rate; a lower one holds no tones up to the highest band."""

_FULL: Final = 32768.0
_LEAST_POWER: Final = 1e-10


class PoorSoundError(InputError):
    """Sound with too few samples a second to be told from others."""


class BandMeter:
    """Filter bank over sound that comes in pieces: band powers by frame. Belongs to one thread."""

    def __init__(self, rate: int) -> None:
        """Start a filter bank for sound of one rate, in samples per second.

        Raises:
            PoorSoundError: the rate is below `LOWEST_RATE`.
        """
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
        """Measure the frames that are whole now; the first frame ever begins with the first sample ever."""
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
        """Number of the last samples that stand in no frame's beginning yet."""
        return len(self._rest)


def _shares(tones_hz: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    """Share of each bin of a spectrum in each band, shape (bins, BANDS)."""
    half = tones_hz[1] / 2
    below = np.clip((_EDGES_HZ - (tones_hz[:, None] - half)) / (2 * half), 0, 1)
    return np.asarray(np.diff(below, axis=1), np.float64)


def decibels(power: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Convert powers to levels in decibels: 0 is a sine as loud as samples can be."""
    return np.asarray(10 * np.log10(np.maximum(power, _LEAST_POWER)))
