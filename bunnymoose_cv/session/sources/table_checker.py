"""Check of the table on an actor thread: a look, a raised hand, a Bam, a delay, the speed of the computer.

A check ends after at most a minute, or a minute and a half for a camera in the network. Each question can be skipped,
and another check may follow.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace
from enum import Enum
from threading import Event
from typing import TYPE_CHECKING, Final, Self

import numpy as np

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
from bunnymoose_cv.calibration.checks.picture_checks import check_image, check_look, frames_per_s
from bunnymoose_cv.calibration.checks.speed_check import check_speed, step_for, time_five
from bunnymoose_cv.calibration.checks.table_look import TableLook, of_one_size
from bunnymoose_cv.calibration.checks.voice_check import SAY_BAM, check_voice, loudest_beginning
from bunnymoose_cv.capture.camera_list import CameraStep, keep_step
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import VersionedState
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.session.source_actor import NewFrames, SourceActor
from bunnymoose_cv.session.sources.video_source import VideoSource
from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.vision.readings import FrameReading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.capture.sound import Samples
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.sources.video_source import Stream
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.reader import Reader


class RecentSound:
    """Ring buffer of sound, written by one thread and read by another."""

    def __init__(self, kept_s: float) -> None:
        self._kept_s = kept_s
        self._pieces: deque[Sound] = deque()
        self._listening = False

    def begin(self) -> None:
        """Clear the buffer, and keep sound from now on."""
        self._pieces.clear()
        self._listening = True

    def end(self) -> None:
        """Keep no further sound."""
        self._listening = False

    def hear(self, samples: Samples, rate: int, time_s: float) -> None:
        """Append a piece of sound; see `VideoSource.listen_to_sound`."""
        if self._listening:
            self._pieces.append(Sound(samples, rate, time_s))
        while self._pieces and self._pieces[0].start_s < time_s - self._kept_s:
            self._pieces.popleft()

    @property
    def newest(self) -> Sound | None:
        """Newest piece; None without any."""
        pieces = tuple(self._pieces)
        return pieces[-1] if pieces else None

    @property
    def whole(self) -> Sound | None:
        """All pieces with the rate of the newest one, concatenated; None without any."""
        pieces = tuple(self._pieces)
        if not pieces:
            return None
        rate = pieces[-1].rate
        alike = [piece for piece in pieces if piece.rate == rate]
        return Sound(np.concatenate([piece.samples for piece in alike]), rate, alike[0].start_s)


LONGEST_S: Final = 60.0
"""Time limit of a check; questions that are open by then are left out."""

LOOK_S: Final = 2.5
"""Time in which frames are gathered; a frozen source is detected earlier."""

KEPT_FRAMES: Final = 5
HAND_S: Final = 15.0
BAM_S: Final = 10.0
DELAY_S: Final = 30.0
"""Longest waits for the answers to the questions, seconds."""

HEARD_S: Final = 15.0
"""Length of the sound that is kept, so that a Bam during the question about the hand counts."""

AGREEING: Final = 2
"""Debounce: number of consecutive looks that have to show the same raised hand."""

_POLL_S: Final = 0.01
_MEASURED_EACH_S: Final = 0.5
_REST_S: Final = 0.1
_KEEPS_UP_PER_S: Final = 18.0
"""Frames a second, of the 30 requested, from which the computer keeps up with large images."""

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
    """Return the request to the players in a step, with or without a screen for the pattern; None without one."""
    delay = SHOW_PATTERN if on_screen else CLAP
    return {CheckStep.HAND: RAISE_RIGHT, CheckStep.BAM: SAY_BAM, CheckStep.DELAY: delay}.get(step)


@dataclass(frozen=True, slots=True)
class CheckState(VersionedState):
    """State of the check, with its findings in the order of `CheckLine`.

    Attributes:
        quality: the chosen quality step; None before the choice.
        refusal: a sentence if the disk refuses the step or the delay; otherwise empty.
    """

    step: CheckStep = CheckStep.LOOK
    findings: tuple[Finding, ...] = ()
    quality: CameraStep | None = None
    refusal: str = ""


class TableChecker(SourceActor[CheckState]):
    """Thread-safe check of the table, from `with` to its end.

    Args:
        asks: whether players are there to raise a hand and say Bam; sound is judged in any case.
        on_screen: whether pages show the pattern of the delay.
        alone: whether no game runs beside the check; only then the computer is timed and the quality step chosen.
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
        """Open the video source and start; raise an `InputError` if it cannot be opened."""
        self._source.listen_to_sound(self._sound.hear)
        return super().__enter__()

    def __exit__(self, *fault: object) -> None:
        self._closing.set()
        self._skipped.set()
        super().__exit__(*fault)

    def skip(self) -> None:
        """Skip the current question."""
        self._skipped.set()

    def again(self) -> None:
        """Check again once this check is over."""
        self._skipped.set()
        self._wanted.set()

    # On the actor thread.

    def _turn(self) -> float:
        """Check once if requested; otherwise only show the image."""
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
        if self._asks and turn_needed(look) == 0:  # left and right of a turned image mean nothing
            self._enter(CheckStep.HAND)
            self._add(self._ask_for_hand(look))
        if self._sound.newest is not None:
            self._enter(CheckStep.BAM)
            self._add(self._ask_for_bam())
        stream = self._source.stream
        if self._asks and stream is not None:
            self._add(self._ask_for_delay(stream) if self._on_screen or stream.hears_microphone else check_delay(None))
        if self._alone:
            self._enter(CheckStep.SPEED)
            self._choose_step(look)

    def _look(self) -> TableLook | None:
        """Gather frames, then read the newest; return None if there is nothing to see."""
        self._frames = NewFrames(self._source)  # a frame that is still the one of the last check counts, too
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
        """Return the finding about a camera without images; a frozen live image counts as lost."""
        if first is not None:
            frozen = check_image(TableLook(of_one_size((first, *kept)), (), live=True))
            if frozen.cause is CheckCause.FROZEN:
                return frozen
        sentence = Phrase("The camera gives no picture.")
        remedy = Phrase("Plug it in again, close other programs that use it, and see “bunnymoose doctor”.")
        return Finding(CheckLine.IMAGE, Level.BAD, sentence, remedy, CheckCause.NO_IMAGE)

    def _waits_for_more(self, times_s: list[float]) -> bool:
        """Return whether the first frame is missing; a table that judges shows none for some seconds."""
        return not times_s and self._source.camera is CameraState.WATCHING and time.monotonic() < self._ends_s

    def _see(self) -> Frame | None:
        """Take the next frame, also for pages; return None without a new one."""
        frame = self._frames.take()
        if frame is not None:
            reading = FrameReading(frame.image, frame.time_s, ())
            self._latest_reading = LatestReading.after(self._latest_reading, reading)
        return frame

    def _ask_for_hand(self, look: TableLook) -> Finding | None:
        """Wait until one hand is raised; return None if that does not happen, or the question is skipped."""
        looks: list[tuple[Player, ...]] = []
        ends_s = min(time.monotonic() + HAND_S, self._ends_s)
        while not self._skips(ends_s):
            frame = self._see()
            if frame is None:
                continue
            looks.append(tuple(reading.player for reading in self._reader.follow(frame, look.heads).players))
            sides = {raised_side(players) for players in looks[-AGREEING:]}
            if len(looks) >= AGREEING and len(sides) == 1 and None not in sides:
                return check_mirror(looks[-AGREEING:], look.view)
        return None

    def _ask_for_bam(self) -> Finding | None:
        """Wait until a Bam is loud enough; return None if the question is skipped."""
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

    def _ask_for_delay(self, stream: Stream) -> Finding:
        """Wait until the pattern on a screen or claps show the delay of a stream, and store it."""
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
                        return self._keep_delay(stream, delay_s)
        return check_delay(None)

    def _keep_delay(self, stream: Stream, delay_s: float) -> Finding:
        try:
            return check_delay(delay_s, kept=stream.keep_delay(delay_s))
        except InputError as error:  # the check continues without the delay
            self._published.publish(replace(self.state, refusal=error.sentence))
            return check_delay(None)

    def _skips(self, ends_s: float) -> bool:
        """Wait a moment, and return whether the question is over."""
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
        except InputError as error:  # the evening continues without the step
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
        """Begin a step. A skip of an earlier question ends there; a request for a new check also skips later ones."""
        if not (self._wanted.is_set() or self._closing.is_set()):
            self._skipped.clear()
        self._published.publish(replace(self.state, step=step))


class SessionVideoSource(VideoSource):
    """Frames of a running game for a check beside it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def camera(self) -> CameraState:
        """State of the session's camera."""
        return self._session.state.camera

    @property
    def problem(self) -> str:
        """Message of the session for people."""
        return self._session.state.problem

    def newest(self) -> Frame | None:
        """Newest frame; None while the whole computer belongs to the referee."""
        return None if self._session.state.judging else self._session.newest()
