"""Measurement of a camera's delay, by a pattern shown on a screen, or by claps, found in the frames.

Both are timed by this computer's clock. The frames are compared with them at every lag (cross-correlation), in each
cell of a grid, since the screen or the hands may be anywhere in the image.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.voice_check import beginnings
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.cues.spectrogram import STEP_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.capture.sound import Sound

Series: TypeAlias = npt.NDArray[np.float64]
"""A value for each frame, or for each frame and cell of the grid."""

BIT_S: Final = 0.25
"""Time in seconds for which the pattern stays light or dark, so that it never flashes more than twice a second."""

BITS: Final = "100000100001100010100111101000111001001011011101100110101011111"
"""The pattern: a maximum-length sequence, which resembles itself at no other lag."""

LONGEST_S: Final = 6.0
"""Longest measured delay in seconds."""

_WATCHED_S: Final = 8.0
_CLAPPED_S: Final = 12.0
"""Span in seconds of the last frames that are compared with the pattern, and with the claps."""

_FEWEST_FRAMES: Final = 40
_FEWEST_CLAPS: Final = 3
_GRID: Final = (32, 18)
_LAGS_S: Final[Series] = np.arange(0.0, LONGEST_S, 0.02)
_ELSEWHERE_S: Final = 0.35
"""Distance in seconds between lags of different peaks."""

_LIKE_PATTERN: Final = 0.8
_LIKE_CLAPS: Final = 0.6
"""Minimum correlation with the pattern, and with the claps."""

_CLEARER_BY: Final = 0.15
"""Minimum difference between the correlation and that at any other lag."""

_SAME_PEAK: Final = 0.01
"""Largest difference between correlations of one peak, whose middle is the delay."""

_CLAP_WIDTH_S: Final = 0.12
"""Standard deviation in seconds of the motion around a clap."""

_ONE_CLAP_S: Final = 0.15


class DelayMeter:
    """Meter of one camera's delay. Belongs to one thread."""

    def __init__(self) -> None:
        self._times_s: deque[float] = deque()
        self._cells: deque[Series] = deque()

    def see(self, image: Image, arrival_s: float) -> None:
        """Add a frame.

        Args:
            arrival_s: arrival by `time.monotonic()`, before any delay is subtracted.
        """
        small = cv2.resize(image, _GRID, interpolation=cv2.INTER_AREA)
        self._times_s.append(arrival_s)
        self._cells.append(small.astype(np.float64).mean(2).ravel())
        while self._times_s[0] < arrival_s - _CLAPPED_S:
            self._times_s.popleft()
            self._cells.popleft()

    def delay_by_pattern(self) -> float | None:
        """Return the delay in seconds by the pattern, or None while it is not clearly visible."""
        times_s, cells = self._last(_WATCHED_S)
        if len(times_s) < _FEWEST_FRAMES or times_s[-1] - times_s[0] < 0.9 * _WATCHED_S:
            return None
        bits = np.array([bit == "1" for bit in BITS], np.float64)
        shown = bits[((times_s[None, :] - _LAGS_S[:, None]) // BIT_S).astype(int) % len(BITS)]
        return _clearest_lag(shown, cells, _LIKE_PATTERN)

    def delay_by_claps(self, sound: Sound | None) -> float | None:
        """Return the delay in seconds by claps, or None unless this computer's microphone and the camera catch them."""
        times_s, cells = self._last(_CLAPPED_S)
        if sound is None or len(times_s) < _FEWEST_FRAMES:
            return None
        claps_s = [clap_s for clap_s in clap_times_s(sound) if times_s[0] - LONGEST_S < clap_s < times_s[-1]]
        if len(claps_s) < _FEWEST_CLAPS:
            return None
        motion = np.sqrt(np.abs(np.diff(cells, axis=0)))
        between_s = (times_s[1:] + times_s[:-1]) / 2
        away_s = between_s[None, :, None] - _LAGS_S[:, None, None] - np.array(claps_s)
        expected = np.exp(-((away_s / _CLAP_WIDTH_S) ** 2) / 2).sum(2)
        return _clearest_lag(expected, motion, _LIKE_CLAPS)

    def _last(self, span_s: float) -> tuple[Series, Series]:
        times_s = np.array(self._times_s)
        first = int(np.searchsorted(times_s, times_s[-1] - span_s)) if len(times_s) else 0
        return times_s[first:], np.array(self._cells)[first:]


def _clearest_lag(expected: Series, seen: Series, least: float) -> float | None:
    """Return the lag at which a cell matches the expectation; None if none does, or if several lags match equally.

    Args:
        expected: expected brightness or motion of a cell, shape (lags, frames).
        seen: brightness or motion of the cells, shape (frames, cells).
    """
    best = (_standardised(expected, 1) @ _standardised(seen, 0)).max(1)
    peak = int(best.argmax())
    elsewhere = best[np.abs(_LAGS_S - _LAGS_S[peak]) > _ELSEWHERE_S]
    if best[peak] < least or best[peak] - elsewhere.max() < _CLEARER_BY:
        return None
    same = (best >= best[peak] - _SAME_PEAK) & (np.abs(_LAGS_S - _LAGS_S[peak]) <= _ELSEWHERE_S)
    return float(_LAGS_S[same].mean())


def _standardised(series: Series, axis: int) -> Series:
    """Scale a series to mean 0 and length 1, so that products are correlations; 0 if it does not vary."""
    centred = series - series.mean(axis, keepdims=True)
    length = np.sqrt((centred**2).sum(axis, keepdims=True))
    return np.asarray(centred / np.where(length > 0, length, 1.0))


def clap_times_s(sound: Sound) -> Sequence[float]:
    """Return the beginning of each loud sound, on the clock of the sound."""
    times_s: list[float] = []
    for beginning in beginnings(sound):
        time_s = sound.start_s + beginning.frame * STEP_S
        if beginning.above_room_db >= THRESHOLDS.voice_db and (not times_s or time_s - times_s[-1] > _ONE_CLAP_S):
            times_s.append(time_s)
    return times_s


SHOW_PATTERN: Final = Phrase(
    "The camera’s delay is measured: hold a joined phone, or this screen, close to the camera and still for ten "
    "seconds. Or clap five times before the camera, with pauses of different length."
)
CLAP: Final = Phrase("The camera’s delay is measured: clap five times before it, with pauses of different length.")
"""Requests to the players, with a screen that shows the pattern and without one."""


def check_delay(delay_s: float | None, *, kept: bool = True) -> Finding:
    """Describe a measured delay.

    Args:
        delay_s: seconds; None if it was not found.
        kept: False if it could not be kept for the next game.
    """
    if delay_s is None:
        sentence = Phrase("It is not known how late the camera’s pictures come.")
        remedy = Phrase(
            "Check again: show the pattern on the page “Is the table ready?” to the camera, or clap near a "
            "microphone that --microphone names. Or write delay_s below [camera] in your settings file profile.toml."
        )
        return Finding(CheckLine.DELAY, Level.WEAK, sentence, remedy, CheckCause.LATE)
    if kept:
        sentence = Phrase("The camera’s pictures come {seconds:.1f} s late; the game allows for that.", seconds=delay_s)
        return good(CheckLine.DELAY, sentence, delay_s)
    sentence = Phrase("The camera’s pictures come {seconds:.1f} s late.", seconds=delay_s)
    remedy = Phrase(
        "An address with a password is not kept: write delay_s = {seconds:.2f} below [camera] in your settings "
        "file profile.toml.",
        seconds=delay_s,
    )
    return Finding(CheckLine.DELAY, Level.WEAK, sentence, remedy, CheckCause.LATE, delay_s)
