"""Detector of the narrator's Bam: learnt from takes, matched against every sudden sound.

A Bam is a sound that begins suddenly, and resembles one of the takes in time and tone for a third of a second. The
louder the sound is above the room noise, the looser the match may be. A sound softer than the takes must match better.
A Bam is therefore detected a third of a second late, but with its onset time. `training.evaluate --cues` measures the
detector. The thresholds below were chosen on recordings of other seeds (fixtures/render/recordings.py).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.spectrogram import (
    AFTER,
    BANDS,
    BEFORE,
    QUIET,
    STEP_S,
    BandMeter,
    Samples,
    Shape,
    begins,
    decibels,
    dissimilarity,
    level_of,
    rises,
    shape_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.cues.spectrogram import Powers

FEWEST_TAKES: Final = 3

UNLIKE_DB: Final = 4.6
"""Dissimilarity to every other take above which a take is an outlier."""

STRANGEST_DB: Final = 3.6
"""Highest score of a Bam. The score is the dissimilarity to the nearest take.

At 3.85, 15 instead of 8 real sounds in two hours pass, and one more of 290 Bams is heard (docs/accuracy/sounds.md)."""

EXPECTED_DB: Final = 1.5
"""Increase of the threshold while another source indicates that Bam is near; chosen, not measured."""

_FOR_SOFTNESS: Final = 0.1
"""Penalty on the score for each decibel below the softest take."""

_FOR_LOUDNESS: Final = 0.1
"""Bonus on the score for each decibel above the room noise."""

_LOUD_ENOUGH_DB: Final = 15.0
"""Largest number of decibels above the room noise that count."""

SOFTER_DB: Final = 14.0
"""Largest difference from the softest take. A softer sound is not a Bam, but comes from elsewhere."""

ROOM_S: Final = 8.0
"""Length of sound before an onset that counts as room noise, whose level is the 80th percentile."""

STANDS_OUT_DB: Final = 12.0
"""Smallest level of a take above its room noise."""

ECHO_S: Final = 0.3
"""Reverberation time of the referee's own voice in the room."""

_KEPT: Final = BEFORE + AFTER + 16
"""Number of frames in the buffer: those around an onset and its neighbours."""

_GAP_S: Final = 0.1
"""Gap in time after which sound counts as a new recording."""


class LearningError(InputError):
    """Takes from which a Bam cannot be learnt."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """Recorded sound of a microphone, one channel, with its rate in samples per second."""

    samples: Samples
    rate: int


@dataclass(frozen=True, slots=True, eq=False)
class BamProfile:
    """Learnt sound of one narrator's Bam at one microphone: a shape per take, and the level of the softest one."""

    shapes: tuple[Shape, ...]
    softest_db: float


def learn(takes: Sequence[Recording]) -> BamProfile:
    """Learn a narrator's Bam from three or more recordings, each with one Bam in an otherwise quiet room.

    Raises:
        LearningError: there are too few takes, one lacks a loud sound, or one differs from all others.
        PoorSoundError: the sample rate of a take is too low.
    """
    if len(takes) < FEWEST_TAKES:
        raise LearningError(f"A Bam is learnt from {FEWEST_TAKES} takes or more, not from {len(takes)}: say it again")
    powers = [BandMeter(take.rate).measure(take.samples) for take in takes]
    frames = [_loudest_beginning(one, number) for number, one in enumerate(powers, 1)]
    shapes = [shape_of(one, frame) for one, frame in zip(powers, frames, strict=True)]
    for index, (one, frame) in enumerate(zip(powers, frames, strict=True)):
        others = [shape for other, shape in enumerate(shapes) if other != index]
        if min(dissimilarity(one, frame, shape) for shape in others) > UNLIKE_DB:
            raise LearningError(f"Take {index + 1} sounds unlike the others: say or slap Bam the same way each time")
    return BamProfile(tuple(shapes), min(level_of(one, frame) for one, frame in zip(powers, frames, strict=True)))


def _loudest_beginning(powers: Powers, number: int) -> int:
    """Return the frame at which a take's Bam begins. Raise a `LearningError` if no sound is loud enough."""
    rise = rises(powers)
    found = [frame for frame in range(BEFORE, len(powers) - AFTER) if begins(rise, frame)]
    room_db = float(np.median(decibels(powers.sum(1)))) if len(powers) else 0.0
    best = max(found, key=lambda frame: level_of(powers, frame) + rise[frame], default=None)
    if best is None or level_of(powers, best) < room_db + STANDS_OUT_DB:
        raise LearningError(f"In take {number} nothing stands out of the room: be louder, or nearer the microphone")
    return best


class BamEar:
    """Detector of a Bam in pieces of sound. One thread supplies the sound; any thread may deafen it."""

    def __init__(self, profile: BamProfile) -> None:
        self._profile = profile
        self._meter: BandMeter | None = None
        self._rate = 0
        self._powers: Powers = np.zeros((0, BANDS))
        self._levels = np.zeros(0)
        self._first_s = 0.0
        self._judged = 0
        self._deaf: tuple[tuple[float, float], ...] = ()
        self._deafening = threading.Lock()
        self._expected = (0.0, 0.0)

    def hear(self, samples: Samples, rate: int, time_s: float) -> float | None:
        """Process the next piece of sound; raise a `PoorSoundError` if the sample rate is too low.

        Args:
            samples: samples of one channel, shape (n,). Of a piece longer than half a second only the first Bam is
                reported.
            time_s: time of the first sample, seconds.

        Returns:
            the onset time of a Bam that is now confirmed, up to half a second ago, on the clock of `time_s`; None
                without one.
        """
        meter = self._meter_for(rate, time_s)
        self._first_s = time_s - meter.waiting_samples / rate - len(self._powers) * STEP_S
        powers = meter.measure(samples)
        self._powers = np.concatenate([self._powers, powers])
        self._levels = np.concatenate([self._levels, decibels(powers.sum(1))])
        bam_s = self._judge()
        self._forget()
        return bam_s

    def deafen(self, start_s: float, end_s: float) -> None:
        """Ignore sounds that begin in a stretch of time or its echo, during which the referee itself speaks."""
        with self._deafening:
            self._deaf = (*(span for span in self._deaf if span[1] > self._first_s), (start_s, end_s + ECHO_S))

    def expect(self, start_s: float, end_s: float) -> None:
        """Accept sounds that resemble the takes less during a stretch of time. A new stretch replaces the last."""
        self._expected = (start_s, end_s)

    def _meter_for(self, rate: int, time_s: float) -> BandMeter:
        """Return the filter bank, which is a new one if the sound does not continue the last piece."""
        meter = self._meter
        if meter is not None and rate == self._rate:
            expected_s = self._first_s + len(self._powers) * STEP_S + meter.waiting_samples / rate
            if abs(time_s - expected_s) < _GAP_S:
                return meter
        self._meter, self._rate = BandMeter(rate), rate
        self._powers, self._levels, self._judged = np.zeros((0, BANDS)), np.zeros(0), 0
        return self._meter

    def _judge(self) -> float | None:
        """Return the onset time of the first Bam among the onsets that are now followed by enough sound, or None."""
        rise = rises(self._powers)
        first, last = max(BEFORE, self._judged), len(self._powers) - AFTER
        self._judged = max(self._judged, last)
        bams = (frame for frame in range(first, last) if begins(rise, frame) and self._is_bam(frame))
        frame = next(bams, None)
        return None if frame is None else self._time_s(frame)

    def _is_bam(self, frame: int) -> bool:
        level_db = level_of(self._powers, frame)
        softer_db = max(0.0, self._profile.softest_db - level_db)
        if softer_db > SOFTER_DB or any(start <= self._time_s(frame) <= end for start, end in self._deaf):
            return False
        nearest_db = min(dissimilarity(self._powers, frame, shape) for shape in self._profile.shapes)
        above_db = min(max(0.0, level_db - self._room_db(frame)), _LOUD_ENOUGH_DB)
        start_s, end_s = self._expected
        strangest_db = STRANGEST_DB + (EXPECTED_DB if start_s <= self._time_s(frame) <= end_s else 0.0)
        return nearest_db + _FOR_SOFTNESS * softer_db - _FOR_LOUDNESS * above_db <= strangest_db

    def _room_db(self, frame: int) -> float:
        """Return the loudness of the room before a frame, decibels."""
        end = len(self._levels) - len(self._powers) + frame + QUIET.stop
        return float(np.percentile(self._levels[max(0, end - round(ROOM_S / STEP_S)) : end], 80))

    def _time_s(self, frame: int) -> float:
        """Return the onset time of a sound that begins at a frame, seconds."""
        return self._first_s + frame * STEP_S

    def _forget(self) -> None:
        surplus = len(self._powers) - _KEPT
        if surplus > 0:
            self._powers = self._powers[surplus:]
            self._first_s += surplus * STEP_S
            self._judged = max(0, self._judged - surplus)
        self._levels = self._levels[-(_KEPT + round(ROOM_S / STEP_S)) :]
