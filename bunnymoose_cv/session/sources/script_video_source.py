"""Video source of a session out of the clips of a script."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.footage import ClipFootage
from bunnymoose_cv.capture.jpeg_frame import FrameRun, pack
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.sources.video_source import Moment, VideoSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.cues.cue import Cue
    from bunnymoose_cv.referee.script import Script, ScriptedRound
    from bunnymoose_cv.rules.game import Game

SHOWN_BEFORE_S: Final = 8.0
SHOWN_AFTER_S: Final = 4.0
"""Duration of a clip that is shown around its Bam."""


class ScriptVideoSource(VideoSource):
    """Clips of a script, one per round: before Bam the seconds before it in a loop, after it the rest once.

    The Bam of the clip is judged, no matter when Bam is said at the table. Raise an `InputError` if a clip cannot be
    read, or does not last until its Bam.
    """

    def __init__(self, evening: Script, clock: Callable[[], float] = time.monotonic) -> None:
        self._rounds = evening.rounds
        self._clips = [clip_of(scripted) for scripted in evening.rounds]
        self._clock = clock
        self._shown: _Shown | None = None

    def __enter__(self) -> Self:
        """Show the first clip until a game is followed, for practice too."""
        self._show(0, frozen=False)
        return self

    @property
    def camera(self) -> CameraState:
        """State of the script, which ends after the last round."""
        return CameraState.ENDED if self._shown is None else CameraState.WATCHING

    @property
    def problem(self) -> str:
        """Message for users when the script is over; otherwise empty."""
        over = Phrase("The script shows no further round: say what everybody shows, or end the game.")
        return "" if self._shown else over

    def newest(self) -> Frame | None:
        """Return the frame of the clip that is shown now."""
        return None if self._shown is None else self._shown.frame(self._clock())

    def follow(self, game: Game) -> None:
        """Show the clip of the open round: the part before Bam, or the part after it."""
        shown, frozen = self._shown, game.phase is Phase.FROZEN
        index = game.round_number - 1
        if game.phase is Phase.OVER:
            return
        if index >= len(self._clips):
            self._shown = None
        elif shown is None or shown.index != index:
            self._show(index, frozen=frozen)
        elif shown.frozen is not frozen:
            self._shown = replace(shown, frozen=frozen, since_s=self._clock())

    def _show(self, index: int, *, frozen: bool) -> None:
        bam_s = self._rounds[index].bam_s
        self._shown = _Shown.of(index, self._clips[index], bam_s, self._clock(), frozen=frozen)

    def moment(self, _: Cue) -> Moment | None:
        """Return the Bam of the clip."""
        return None if self._shown is None else self.recorded(self._shown.index + 1)

    def recorded(self, number: int) -> Moment | None:
        """Return the Bam in the clip of a round; None if the script has no such round."""
        if number > len(self._clips):
            return None
        scripted = self._rounds[number - 1]
        return Moment(ClipFootage(self._clips[number - 1]), scripted.bam_s, scripted)


def clip_of(scripted: ScriptedRound) -> Clip:
    """Open the clip of a round; raise an `InputError` if it cannot be read, or does not last until its Bam."""
    clip = Clip(scripted.clip, str(scripted.clip))
    clip.check_time(scripted.bam_s)
    return clip


@dataclass(frozen=True, slots=True)
class _Shown:
    """Playback of a round's clip: its part before Bam or, once frozen, the part after it, shown since a time."""

    index: int
    bam_s: float
    before: FrameRun
    after: FrameRun
    frozen: bool
    since_s: float

    @classmethod
    def of(cls, index: int, clip: Clip, bam_s: float, now_s: float, *, frozen: bool) -> Self:
        """Cut a clip into its parts before and after Bam."""
        start_s = max(0.0, bam_s - SHOWN_BEFORE_S)
        packed = [pack(frame) for frame in clip.frames(start_s, bam_s + SHOWN_AFTER_S)]
        before = [frame for frame in packed if frame.time_s < bam_s] or packed[:1]
        after = packed[len(before) :] or before[-1:]
        return cls(index, bam_s, FrameRun(before), FrameRun(after), frozen=frozen, since_s=now_s)

    def frame(self, now_s: float) -> Frame:
        """Return the frame that is shown at a time, with the time since which it is shown."""
        run = self.after if self.frozen else self.before
        first_s, last_s = run.times_s[0], run.times_s[-1]
        elapsed_s = now_s - self.since_s
        step_s = (last_s - first_s) / max(1, len(run) - 1)
        if not self.frozen:
            elapsed_s %= max(last_s - first_s + step_s, step_s, 1e-3)
        number = max(number for number, time_s in enumerate(run.times_s) if time_s - first_s <= elapsed_s + 1e-6)
        since_s = now_s - (elapsed_s - (run.times_s[number] - first_s))
        return replace(run[number], time_s=since_s)
