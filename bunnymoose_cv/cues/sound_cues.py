"""Cues by sound: samples of a microphone in, Bams to the cue gate."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bunnymoose_cv.cues.bam import BamEar, BamProfile
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.cues.loudness import PoorSoundError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.cues.cue import CueGate
    from bunnymoose_cv.cues.loudness import Samples


class SoundCues:
    """Maker of a cue of every Bam that is heard while the referee itself is silent."""

    def __init__(
        self,
        profile: BamProfile,
        gate: CueGate,
        tell: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with nothing heard.

        Args:
            tell: how a person is told, once, that the sound is too poor; sound of that rate is passed over then.
            clock: that of sound and cues, in seconds.
        """
        self._ear, self._gate, self._tell, self._clock = BamEar(profile), gate, tell, clock
        self._poor_rate: int | None = None

    def hear(self, samples: Samples, rate: int, time_s: float) -> None:
        """Take the next piece of sound: one channel, samples per second, the time of its first sample."""
        if rate == self._poor_rate:
            return
        try:
            bam_s = self._ear.hear(samples, rate, time_s)
        except PoorSoundError as error:
            self._poor_rate = rate
            self._tell(error.sentence)
            return
        if bam_s is not None:
            self._gate.make(Maker.SOUND, bam_s)

    def expect(self, start_s: float, end_s: float) -> None:
        """Lower the threshold in a stretch of time in which Bam is near; called from any thread."""
        self._ear.expect(start_s, end_s)

    def speaks(self, seconds: float) -> None:
        """Ignore sound while the referee itself speaks, from now on for so long; called from any thread."""
        now_s = self._clock()
        self._ear.deafen(now_s, now_s + seconds)
