"""Detector of the narrator's Bam: learnt from takes, matched against every sudden sound.

A Bam is a sound that begins suddenly, and that is like one of the takes in time and tone for a third of a second. The
farther it stands above the room the less like it need be, and the more like if it is softer than the takes. So it is
known a third of a second late, but with the time at which it began. `training.evaluate --cues` measures it; the limits
below were chosen on recordings of other seeds (fixtures/render/recordings.py).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.loudness import BANDS, STEP_S, BandMeter, Samples, decibels
from bunnymoose_cv.cues.onset import AFTER, BEFORE, QUIET, Shape, begins, dissimilarity, level_of, rises, shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.cues.loudness import Powers

FEWEST_TAKES: Final = 3

UNLIKE_DB: Final = 4.6
"""Dissimilarity to every other take above which a take is an outlier."""

STRANGEST_DB: Final = 3.6
"""Threshold of the score of a sound, its dissimilarity to the nearest take: a Bam stays below.

Of real sounds 15 instead of 8 in two hours pass at 3.85, with one more of 290 Bams heard (docs/accuracy/sounds.md)."""

EXPECTED_DB: Final = 1.5
"""Rise of the threshold while something else says that Bam is near: chosen, not measured."""

_FOR_SOFTNESS: Final = 0.1
"""Penalty of the score for each decibel below the softest take."""

_FOR_LOUDNESS: Final = 0.1
"""Bonus of the score for each decibel above the room."""

_LOUD_ENOUGH_DB: Final = 15.0
"""Most decibels above the room that count."""

SOFTER_DB: Final = 14.0
"""Threshold of the difference to the softest take: a softer sound is no Bam, it came from elsewhere."""

ROOM_S: Final = 8.0
"""Length of sound before an onset that is the room; its level is the 80th percentile of that."""

STANDS_OUT_DB: Final = 12.0
"""Least level of a take above its room."""

ECHO_S: Final = 0.3
"""Reverberation time of the referee's own voice in the room."""

_KEPT: Final = BEFORE + AFTER + 16
"""Number of frames in the buffer: those around one onset, with its neighbours."""

_GAP_S: Final = 0.1
"""Gap in time from which on sound begins a new stretch."""


class LearningError(InputError):
    """Takes from which no Bam can be learnt."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """Recorded sound of a microphone.

    Attributes:
        samples: one channel, shape (n,).
        rate: samples per second.
    """

    samples: Samples
    rate: int


@dataclass(frozen=True, slots=True, eq=False)
class BamProfile:
    """Learnt sound of one narrator's Bam at one microphone.

    Attributes:
        softest_db: the level of the softest take.
    """

    shapes: tuple[Shape, ...]
    softest_db: float


def learn(takes: Sequence[Recording]) -> BamProfile:
    """Learn a narrator's Bam.

    Args:
        takes: three or more, each with one Bam in a room that is quiet otherwise.

    Raises:
        LearningError: there are too few, nothing stands out in one, or one is unlike all others.
        PoorSoundError: a take has too few samples a second.
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
    """The frame at which a take's Bam begins."""
    rise = rises(powers)
    found = [frame for frame in range(BEFORE, len(powers) - AFTER) if begins(rise, frame)]
    room_db = float(np.median(decibels(powers.sum(1)))) if len(powers) else 0.0
    best = max(found, key=lambda frame: level_of(powers, frame) + rise[frame], default=None)
    if best is None or level_of(powers, best) < room_db + STANDS_OUT_DB:
        raise LearningError(f"In take {number} nothing stands out of the room: be louder, or nearer the microphone")
    return best


class BamEar:
    """Detector of a Bam in sound that comes in pieces. One thread gives it sound; any may deafen it."""

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
        """Take the next piece of sound.

        Args:
            samples: one channel, shape (n,); at most half a second, or only the first Bam of the piece is told.

        Returns:
            When a Bam began that is certain now, in seconds of the same clock, up to half a second ago; None mostly.

        Raises:
            PoorSoundError: the rate is too low.
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
        """Let nothing that begins in a stretch of time, or in its echo, be a Bam: the referee itself speaks then."""
        with self._deafening:
            self._deaf = (*(span for span in self._deaf if span[1] > self._first_s), (start_s, end_s + ECHO_S))

    def expect(self, start_s: float, end_s: float) -> None:
        """Let a sound that is less like the takes be a Bam in a stretch of time; a new stretch replaces the last."""
        self._expected = (start_s, end_s)

    def _meter_for(self, rate: int, time_s: float) -> BandMeter:
        """The meter, a new one where the sound does not go on from what was heard."""
        meter = self._meter
        if meter is not None and rate == self._rate:
            expected_s = self._first_s + len(self._powers) * STEP_S + meter.waiting_samples / rate
            if abs(time_s - expected_s) < _GAP_S:
                return meter
        self._meter, self._rate = BandMeter(rate), rate
        self._powers, self._levels, self._judged = np.zeros((0, BANDS)), np.zeros(0), 0
        return self._meter

    def _judge(self) -> float | None:
        """The first Bam among the beginnings that are followed by enough sound now."""
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
        """Loudness of the room before a frame, decibels."""
        end = len(self._levels) - len(self._powers) + frame + QUIET.stop
        return float(np.percentile(self._levels[max(0, end - round(ROOM_S / STEP_S)) : end], 80))

    def _time_s(self, frame: int) -> float:
        """Onset time of the sound that is first loud in a frame, seconds."""
        return self._first_s + frame * STEP_S

    def _forget(self) -> None:
        surplus = len(self._powers) - _KEPT
        if surplus > 0:
            self._powers = self._powers[surplus:]
            self._first_s += surplus * STEP_S
            self._judged = max(0, self._judged - surplus)
        self._levels = self._levels[-(_KEPT + round(ROOM_S / STEP_S)) :]
