"""Check of the table on an actor thread: a look, a raised hand, a Bam, a delay, the speed of the computer.

A check ends by itself after at most a minute, or a minute and a half for a camera in the network. Each question can be
skipped, and another check may follow.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace
from enum import Enum
from threading import Event
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.delay_meter import CLAP, SHOW_PATTERN, DelayMeter, check_delay
from bunnymoose_cv.calibration.checks.people_checks import (
    RAISE_RIGHT,
    check_mirror,
    raised_side,
    take_look,
    turn_needed,
)
from bunnymoose_cv.calibration.checks.picture_checks import check_image, frames_per_s
from bunnymoose_cv.calibration.checks.speed_check import check_speed, step_for, time_five
from bunnymoose_cv.calibration.checks.table_check import check_look
from bunnymoose_cv.calibration.checks.table_look import TableLook, of_one_size
from bunnymoose_cv.calibration.checks.voice_check import SAY_BAM, check_voice, loudest_beginning
from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.capture.camera_step import CameraStep, keep_step
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.published import VersionedState
from bunnymoose_cv.session.new_frames import NewFrames
from bunnymoose_cv.session.recent_sound import RecentSound
from bunnymoose_cv.session.source_actor import SourceActor
from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.vision.readings import FrameReading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.sound import Sound
    from bunnymoose_cv.session.video_source import Stream, VideoSource
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.reader import Reader

LONGEST_S: Final = 60.0
"""Longest check; whatever was not judged by then is left out."""

LOOK_S: Final = 2.5
"""Time in which frames are gathered; a frozen source counts as lost before."""

KEPT_FRAMES: Final = 5
HAND_S: Final = 15.0
BAM_S: Final = 10.0
DELAY_S: Final = 30.0
"""Longest wait for the answer to a question."""

HEARD_S: Final = 15.0
"""Length of the sound that is kept: a Bam while a hand was asked for counts, and a look at it is quick."""

AGREEING: Final = 2
"""Debounce: number of looks in a row that have to show the same raised hand."""

_POLL_S: Final = 0.01
_MEASURED_EACH_S: Final = 0.5
_REST_S: Final = 0.1
_KEEPS_UP_PER_S: Final = 18.0
"""Fewest frames a second, of the 30 asked for, at which the computer keeps up with a large image."""

_LARGE_PX: Final = 1280


class CheckStep(Enum):
    """Steps of the check, in order."""

    LOOK = "look"
    HAND = "hand"
    BAM = "bam"
    DELAY = "delay"
    SPEED = "speed"
    OVER = "over"


def request_of(step: CheckStep, *, on_screen: bool = True) -> Phrase | None:
    """Return the request to people in a step; None if there is none.

    Args:
        step: of the check.
        on_screen: whether a screen can show the pattern of the delay.
    """
    delay = SHOW_PATTERN if on_screen else CLAP
    return {CheckStep.HAND: RAISE_RIGHT, CheckStep.BAM: SAY_BAM, CheckStep.DELAY: delay}.get(step)


@dataclass(frozen=True, slots=True)
class CheckState(VersionedState):
    """State of the check.

    Attributes:
        findings: those known so far, in the order of `CheckLine`.
        quality: the quality step chosen; None before that.
        refusal: sentence for people where the disk does not keep that step or the delay; empty where it does.
    """

    step: CheckStep = CheckStep.LOOK
    findings: tuple[Finding, ...] = ()
    quality: CameraStep | None = None
    refusal: str = ""


class TableChecker(SourceActor[CheckState]):
    """Thread-safe check of the table, from `with` to its end.

    Args:
        source: shows the table and gives its sound; opened and closed with the check.
        asks: whether people are there to raise a hand and say Bam; sound that comes is judged in any case.
        on_screen: whether pages show the pattern of the delay.
        alone: whether no game runs beside it; only then is the computer timed, and the quality step chosen.
    """

    def __init__(
        self, source: VideoSource, reader: Reader, *, asks: bool = True, on_screen: bool = True, alone: bool = True
    ) -> None:
        actor = ActorThread("table check", self._turn, ended=lambda _: self._enter(CheckStep.OVER))
        super().__init__(source, actor, CheckState())
        self._reader, self._asks, self._on_screen, self._alone = reader, asks, on_screen, alone
        self._sound = RecentSound(HEARD_S)
        self._skipped, self._wanted, self._closing = Event(), Event(), Event()
        self._wanted.set()
        self._ends_s = 0.0

    def __enter__(self) -> Self:
        """Open the video source, and begin.

        Raises:
            InputError: the source cannot be opened.
        """
        self._source.listen_to_sound(self._sound.hear)
        return super().__enter__()

    def __exit__(self, *fault: object) -> None:
        self._closing.set()
        self._skipped.set()
        super().__exit__(*fault)

    def skip(self) -> None:
        """Leave out the question that is being asked."""
        self._skipped.set()

    def again(self) -> None:
        """Check anew, once this check is over."""
        self._skipped.set()
        self._wanted.set()

    # On the actor thread.

    def _turn(self) -> float:
        """Check once where that is wanted; otherwise show what is to be seen."""
        if self._wanted.is_set():
            self._wanted.clear()
            self._check()
            self._sound.end()  # the page may stay open for hours after it
            self._enter(CheckStep.OVER)
        else:
            self._see()
        return _REST_S

    def _check(self) -> None:
        self._ends_s = time.monotonic() + LONGEST_S
        self._skipped.clear()
        self._sound.begin()
        self._published.publish(replace(self.state, step=CheckStep.LOOK, findings=(), quality=None, refusal=""))
        look = self._look()
        if look is None:
            return
        self._add(*check_look(look))
        if self._asks and turn_needed(look) == 0:  # left and right of a turned image say nothing
            self._enter(CheckStep.HAND)
            self._add(self._asked_hand(look))
        if self._sound.newest is not None:
            self._enter(CheckStep.BAM)
            self._add(self._asked_bam())
        stream = self._source.stream
        if self._asks and stream is not None:
            self._add(self._asked_delay(stream) if self._on_screen or stream.hears_microphone else check_delay(None))
        if self._alone:
            self._enter(CheckStep.SPEED)
            self._choose_step(look)

    def _look(self) -> TableLook | None:
        """Gather frames, then read the newest; None where there is nothing to see."""
        self._frames = NewFrames(self._source)  # a frame that stands still since the check before counts, too
        first: Frame | None = None
        kept: deque[Frame] = deque(maxlen=KEPT_FRAMES)
        times_s: list[float] = []
        ends_s = time.monotonic() + LOOK_S
        while not self._closing.is_set() and (time.monotonic() < ends_s or self._waits_for_more(times_s)):
            frame = self._see()
            if frame is not None:
                first = first or frame
                kept.append(frame)
                times_s.append(frame.time_s)
            time.sleep(_POLL_S)
        if self._closing.is_set():
            return None
        if not kept or self._source.camera is CameraState.LOST:
            self._add(self._gone(first, kept))
            return None
        return take_look(self._reader, tuple(kept), times_s)

    def _gone(self, first: Frame | None, kept: Sequence[Frame]) -> Finding:
        """Finding about a camera that gives nothing: a live image that stands still counts as lost."""
        if first is not None:
            frozen = check_image(TableLook(of_one_size((first, *kept)), (), live=True))
            if frozen.cause is CheckCause.FROZEN:
                return frozen
        sentence = Phrase("The camera gives no picture.")
        remedy = Phrase("Plug it in again, close other programs that use it, and see “bunnymoose doctor”.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.NO_IMAGE)

    def _waits_for_more(self, times_s: list[float]) -> bool:
        """Tell if the first frame is still to come; a table that judges shows none for some seconds."""
        return not times_s and self._source.camera is CameraState.WATCHING and time.monotonic() < self._ends_s

    def _see(self) -> Frame | None:
        """Take the next frame, also for onlookers; None where none is new."""
        frame = self._frames.take()
        if frame is not None:
            reading = FrameReading(frame.image, frame.time_s, ())
            self._latest_reading = LatestReading.after(self._latest_reading, reading)
        return frame

    def _asked_hand(self, look: TableLook) -> Finding | None:
        """Wait until one hand is raised; None where that does not happen, or the question is skipped."""
        looks: list[tuple[Player, ...]] = []
        ends_s = min(time.monotonic() + HAND_S, self._ends_s)
        while not self._skips(ends_s):
            frame = self._see()
            if frame is None:
                continue
            looks.append(tuple(each.player for each in self._reader.follow(frame, look.heads).players))
            sides = {raised_side(players) for players in looks[-AGREEING:]}
            if len(looks) >= AGREEING and len(sides) == 1 and None not in sides:
                return check_mirror(looks[-AGREEING:], look.view)
        return None

    def _asked_bam(self) -> Finding | None:
        """Wait until a Bam stands out; None where the question is skipped."""
        ends_s = min(time.monotonic() + BAM_S, self._ends_s)
        judged: Sound | None = None
        while not self._skips(ends_s):
            self._see()
            newest, heard = self._sound.newest, self._sound.whole
            if heard is None or newest is judged:
                continue
            judged = newest
            bam = loudest_beginning(heard)
            if bam is not None and bam.above_room_db >= THRESHOLDS.voice_db:
                return check_voice(heard)
        heard = self._sound.whole
        return None if heard is None or self._skipped.is_set() else check_voice(heard)

    def _asked_delay(self, stream: Stream) -> Finding:
        """Wait until the pattern on a screen or claps show the delay of a stream, and keep it."""
        self._enter(CheckStep.DELAY)
        meter, looked_s = DelayMeter(), time.monotonic()
        ends_s = looked_s + DELAY_S
        self._ends_s += DELAY_S
        while not self._skips(ends_s):
            frame = self._see()
            if frame is not None:
                meter.see(frame.image, frame.time_s + stream.delay_s)
            if time.monotonic() >= looked_s + _MEASURED_EACH_S:
                looked_s = time.monotonic()
                heard = self._sound.whole if stream.hears_microphone else None
                for delay_s in (meter.delay_by_pattern(), meter.delay_by_claps(heard)):
                    if delay_s is not None:
                        return self._kept_delay(stream, delay_s)
        return check_delay(None)

    def _kept_delay(self, stream: Stream, delay_s: float) -> Finding:
        try:
            return check_delay(delay_s, kept=stream.keep_delay(delay_s))
        except InputError as error:  # a disk that refuses costs the delay, not the check
            self._published.publish(replace(self.state, refusal=error.sentence))
            return check_delay(None)

    def _skips(self, ends_s: float) -> bool:
        """Wait a moment; tell if the question is over."""
        over = self._skipped.wait(_POLL_S) or self._closing.is_set() or time.monotonic() >= ends_s
        return over or self._source.camera is CameraState.ENDED

    def _choose_step(self, look: TableLook) -> None:
        _, seconds = time_five(self._reader)
        large = max(look.image.shape[:2]) > _LARGE_PX
        rate = frames_per_s(look.times_s) or 0.0
        step = step_for(seconds, keeps_up=not large or rate >= _KEEPS_UP_PER_S)
        refusal = self.state.refusal
        try:
            keep_step(step)
        except InputError as error:  # a disk that refuses costs the step, not the evening
            refusal = error.sentence
        self._published.publish(replace(self.state, quality=step, refusal=refusal))
        self._add(check_speed(seconds, step))

    # State.

    def _add(self, *findings: Finding | None) -> None:
        order = tuple(CheckLine)
        known = (*self.state.findings, *(finding for finding in findings if finding is not None))
        in_order = tuple(sorted(known, key=lambda finding: order.index(finding.line)))
        self._published.publish(replace(self.state, findings=in_order))

    def _enter(self, step: CheckStep) -> None:
        """Begin a step; skipping an earlier question skips no later one, but asking for a new check does."""
        if not (self._wanted.is_set() or self._closing.is_set()):
            self._skipped.clear()
        self._published.publish(replace(self.state, step=step))
