"""Cues by sound: from the samples of a microphone, or of a whole recording, to Bams for the cue gate."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.cues.bam import BamEar, BamProfile, Recording
from bunnymoose_cv.cues.cue import Cue, CueGate, Maker
from bunnymoose_cv.cues.spectrogram import PoorSoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bunnymoose_cv.cues.spectrogram import Samples


class SoundCues:
    """Detector that makes a cue for every Bam that is heard while the referee itself is silent."""

    def __init__(
        self,
        profile: BamProfile,
        gate: CueGate,
        report: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start a detector on the clock of sound and cues, in seconds.

        Sound with too low a rate is ignored, and `report` is called with one sentence about it.
        """
        self._ear, self._gate, self._report, self._clock = BamEar(profile), gate, report, clock
        self._poor_rate: int | None = None

    def hear(self, samples: Samples, rate: int, time_s: float) -> None:
        """Process the next piece of sound."""
        if rate == self._poor_rate:
            return
        try:
            bam_s = self._ear.hear(samples, rate, time_s)
        except PoorSoundError as error:
            self._poor_rate = rate
            self._report(error.sentence)
            return
        if bam_s is not None:
            self._gate.make(Maker.SOUND, bam_s)

    def expect(self, start_s: float, end_s: float) -> None:
        """Relax the threshold during a stretch of time in which Bam is expected. Any thread may call it."""
        self._ear.expect(start_s, end_s)

    def speaks(self, seconds: float) -> None:
        """Ignore sound for some seconds from now, while the referee itself speaks. Any thread may call it."""
        now_s = self._clock()
        self._ear.deafen(now_s, now_s + seconds)


PIECE_S: Final = 0.02


def cues_in(recording: Recording, profile: BamProfile, own_voice: Iterable[tuple[float, float]] = ()) -> Iterator[Cue]:
    """Yield the cues in a recording, with times relative to its beginning, except those in spans of the own voice.

    Raise a `PoorSoundError` if the sample rate of the recording is too low.
    """
    ear, gate = BamEar(profile), CueGate()
    for start_s, end_s in own_voice:
        ear.deafen(start_s, end_s)
    piece = round(recording.rate * PIECE_S)
    for first in range(0, len(recording.samples), piece):
        bam_s = ear.hear(recording.samples[first : first + piece], recording.rate, first / recording.rate)
        if bam_s is not None and (cue := gate.make(Maker.SOUND, bam_s)):
            yield cue
