"""Cues of a table: keys, the learnt sound, moments told beforehand and the dealer, through one gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.cues.cue import CueGate, Maker
from bunnymoose_cv.cues.sound_cues import SoundCues
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.cues.cue import Cue
    from bunnymoose_cv.session.services import Services
    from bunnymoose_cv.session.video_source import VideoSource

BEFORE_BAM: Final = frozenset({Phase.BETTING, Phase.DEALING})
"""Phases that a Bam ends."""

EXPECTED_S: Final = 6.0
"""Time after the hunter was seen apart from the row, in which a doubtful sound counts for Bam."""


class TableCues:
    """Cues of one session. Belongs to its thread; sound comes in on a thread of its own.

    Args:
        bams_s: when Bam is said by itself, in seconds from the first frame.

    Attributes:
        hunter_seen: whether the hunter lies apart from the row, so that Bam is near.
    """

    def __init__(
        self, services: Services, video_source: VideoSource, bam: BamProfile | None, bams_s: Sequence[float]
    ) -> None:
        self._video_source = video_source
        self._cue_gate = CueGate()
        self._sound = None if bam is None else SoundCues(bam, self._cue_gate, services.notices.tell)
        self._bams_s = sorted(bams_s)
        self._began_s: float | None = None
        self.hunter_seen = False
        if self._sound is not None:
            video_source.listen_to_sound(self._sound.hear)
            if services.speaker is not None:
                services.speaker.listen(self._sound.speaks)

    @property
    def bams_to_come_s(self) -> tuple[float, ...]:
        """Moments told beforehand that have not come, in seconds from the first frame."""
        return tuple(self._bams_s)

    def make(self, maker: Maker, made_s: float) -> Cue | None:
        """Say Bam; see `CueGate.make`."""
        return self._cue_gate.make(maker, made_s)

    def take(self) -> Cue | None:
        """Take the cue that nobody has taken yet; None where there is none."""
        return self._cue_gate.wait(0)

    def dismiss(self) -> None:
        """Forget the last Bam, which was none, so that the next may come at once."""
        self._cue_gate.dismiss()

    def expect(self, seen_s: float) -> None:
        """Expect Bam, since the hunter was seen: for some seconds a doubtful sound counts."""
        self.hunter_seen = True
        if self._sound is not None:
            self._sound.expect(seen_s, seen_s + EXPECTED_S)

    def make_those_due(self) -> None:
        """Make the cues whose moments were told beforehand."""
        newest = self._video_source.newest() if self._bams_s else None
        if newest is None:
            return
        if self._began_s is None:
            self._began_s = newest.time_s
        while self._bams_s and newest.time_s >= self._began_s + self._bams_s[0]:
            self._cue_gate.make(Maker.SCRIPT, self._began_s + self._bams_s.pop(0))
