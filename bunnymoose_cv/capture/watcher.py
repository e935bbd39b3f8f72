"""Watcher of a source on its own threads: newest frame, ring buffer of the last seconds, watchdog.

A lost camera or stream is reopened with exponential back-off; a finished clip is not reopened. An image that never
changes also counts as a loss if the camera sends every image whole. Behind an encoder equal images mean a calm table,
and cause only a notice after a while.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from bunnymoose_cv.capture.connection import Connection
from bunnymoose_cv.capture.footage import HeldFootage, RingBuffer, SoundRing
from bunnymoose_cv.capture.frame import Frame, SourceEndedError, SourceLostError, UnreadableError
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.live import address_of, open_live, shown_name
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.capture.microphone import Microphone
from bunnymoose_cv.capture.sound import Samples, Sound
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.image_geometry import View
    from bunnymoose_cv.capture.jpeg_frame import FrameRun
    from bunnymoose_cv.capture.live_source import LiveSource, Taken
    from bunnymoose_cv.core.errors import InputError
    from bunnymoose_cv.core.user_settings import CameraSettings


class Stillness:
    """Comparison of each image with the one before, to the last bit. A real camera's noise makes each one different.

    Attributes:
        same_s: seconds for which the image has not changed; 0 if it is new.
        frozen_s: seconds for which neither the image nor its stamp has shown anything new.
    """

    def __init__(self) -> None:
        self.same_s = self.frozen_s = 0.0
        self._before: Frame | JpegFrame | None = None

    def see(self, taken: Frame | JpegFrame, *, is_renewed: bool) -> None:
        """Compare the next image; `is_renewed` is that of `LiveSource`."""
        before, self._before = self._before, taken
        if before is None or not _same(before, taken):
            self.same_s = self.frozen_s = 0.0
            return
        since_s = taken.time_s - before.time_s
        self.same_s += since_s
        self.frozen_s = 0.0 if is_renewed else self.frozen_s + since_s


def _same(one: Frame | JpegFrame, other: Frame | JpegFrame) -> bool:
    if isinstance(one, JpegFrame) and isinstance(other, JpegFrame):
        return one.content == other.content
    if isinstance(one, Frame) and isinstance(other, Frame):
        # Images that differ nearly always differ in a few rows.
        return np.array_equal(one.image[::32], other.image[::32]) and np.array_equal(one.image, other.image)
    return False


_logger = logging.getLogger(__name__)

_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 4.0
"""Longest back-off, and so the longest time until a camera that was plugged in again is noticed."""

_STILL_S: Final = 20.0
"""Time of equal images behind an encoder before a notice asks to check the camera; a calm table has few of them."""

_MOST_HANGING: Final = 3
"""Largest number of connections abandoned in a driver. One may never return, long after its camera is back."""

_SETTLING_S: Final = 5.0
"""Extra time for which frames of a network camera are held, while players demonstrate its unknown delay."""

LONGEST_DELAY_S: Final = 10.0
"""Longest delay of a source. Microphone sound is held for this time, until the frames of its time have come."""


class Watcher:
    """A source that is watched inside `with`. All methods but those that listen may be called from any thread.

    Attributes:
        delay_s: delay in seconds that is subtracted from the times of frames; None if it is not known.
        opened_size: width and height in pixels at which the source was opened, for which its delay holds.
    """

    def __init__(  # noqa: PLR0913 - how a source is opened, heard and timed
        self,
        where: str,
        view: View,
        settings: CameraSettings,
        microphone: str | None = None,
        *,
        pace: float | None = 1.0,
        delay_of: Callable[[tuple[int, int]], float | None] = lambda _: None,
    ) -> None:
        """Prepare the watchdog without opening its source.

        Args:
            settings: mode to request, timeout of a loss, and the length and memory limit of the ring buffer.
            microphone: its name or number, empty for the default one; None for the source's own sound, if it has any.
            delay_of: function that returns the known delay in seconds at a width and height in pixels, or None. It is
                subtracted from the times of frames and of the source's own sound.
        """
        self.title = shown_name(where)
        self._where, self._view, self._settings, self._pace = where, view, settings, pace
        after_s = settings.buffer_after_s + (_SETTLING_S if address_of(where) is not None else 0.0)
        self._ring = RingBuffer(settings.buffer_before_s, after_s, round(settings.buffer_megabytes * 1e6))
        self._sounds = SoundRing(settings.buffer_before_s, settings.buffer_after_s + LONGEST_DELAY_S)
        self._delay_of = delay_of
        self.delay_s: float | None = None
        self.opened_size = (0, 0)
        self._microphone = None if microphone is None else Microphone(microphone, self._hear)
        self._stillness = Stillness()
        self._still_notice: str | None = None
        self._unpacked: Frame | None = None
        self._state: CameraState | None = None
        self._problem: InputError | None = None
        self._states: Observable[CameraState] = Observable()
        self._heard: Observable[Samples, int, float] = Observable()
        self._changed = threading.Condition()
        self._closing = self._broken = False
        self._pause_s = _FIRST_PAUSE_S
        self._hanging: list[Connection] = []
        self._actor = ActorThread("watcher", self._watch, ended=self._note_fault)

    def __enter__(self) -> Self:
        """Open source and microphone, and wait for the first frame.

        Raises:
            UnreadableError: the source or the microphone does not exist.
            SourceLostError: the source is open but shows nothing.
        """
        if self._microphone is not None:
            self._microphone.__enter__()
        self._actor.start()
        with self._changed:
            self._changed.wait_for(lambda: self._state is not None or self._problem is not None or self._broken)
            problem = self._problem if self._state is None else None
        if problem is not None or self._broken:
            self.__exit__()  # a programming error is raised here
        if problem is not None:
            raise problem
        return self

    def __exit__(self, *_: object) -> None:
        """Close the source. The held frames remain available."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._actor.stop()
        if self._microphone is not None:
            self._microphone.__exit__()
        self._actor.raise_fault()

    @property
    def state(self) -> CameraState:
        """Return whether frames come, are missing, or have ended."""
        return self._state or CameraState.LOST

    @property
    def problem(self) -> str | None:
        """One sentence for users while the source is lost, has ended, or is still for long; None otherwise."""
        if self._state is CameraState.WATCHING:
            return self._still_notice
        return None if self._problem is None else self._problem.sentence

    @property
    def is_in_network(self) -> bool:
        """Return whether frames come over the network, which may delay them."""
        return address_of(self._where) is not None

    @property
    def may_be_late(self) -> bool:
        """Return whether frames come over the network with an unknown delay."""
        return self.delay_s is None and self.is_in_network

    @property
    def hears_microphone(self) -> bool:
        """Return whether sound comes from a microphone, and not from the source itself."""
        return self._microphone is not None

    @property
    def has_sound(self) -> bool:
        """Return whether the microphone gives sound; True if none is used."""
        return self._microphone is None or self._microphone.has_sound

    def newest(self) -> Frame | None:
        """Return the latest frame, never an older one; None before the first."""
        newest = self._ring.newest
        if newest is None or isinstance(newest, Frame):
            return newest
        if self._unpacked is None or self._unpacked.time_s != newest.time_s:
            try:
                self._unpacked = newest.frame()
            except UnreadableError:  # torn in transmission; the next one comes soon
                _logger.info("a frame is torn", exc_info=True)
        return self._unpacked

    def frames(self, start_s: float, end_s: float) -> FrameRun:
        """Return the held frames from one time to another, both included. Each is decoded when it is accessed."""
        return self._ring.frames(start_s, end_s)

    def keep_for(self, cue_s: float) -> None:
        """Keep the frames of a cue until it has been judged; infinity releases them."""
        self._ring.keep_for(cue_s)

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound from one time to another, or None without any."""
        return self._sounds.sound(start_s, end_s)

    def held(self, start_s: float, end_s: float) -> HeldFootage:
        """Return the footage from one time to another, which remains when the ring has moved on."""
        return HeldFootage(self.frames(start_s, end_s), self.sound(start_s, end_s))

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Wait until the frames up to a time on their clock have come, or the source is lost or has ended.

        Args:
            patience_s: seconds to wait beyond the delay of the source.

        Returns:
            Whether they have come.
        """

        def has_come() -> bool:
            newest = self._ring.newest
            return newest is not None and newest.time_s >= time_s

        with self._changed:
            self._changed.wait_for(
                lambda: has_come() or self._state is not CameraState.WATCHING,
                max(0.0, patience_s) + (self.delay_s or 0.0),
            )
            return has_come()

    def listen(self, callback: Callable[[CameraState], None]) -> Callable[[], None]:
        """Call a listener on the watcher's thread at loss, return and end of the source. Return how to unsubscribe."""
        return self._states.listen(callback)

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> Callable[[], None]:
        """Call a listener on a sound thread with samples, rate and start time. Return how to unsubscribe."""
        return self._heard.listen(callback)

    def _note_fault(self, fault: BaseException | None) -> None:
        with self._changed:
            self._broken = fault is not None
            self._changed.notify_all()

    def _watch(self) -> float | None:
        """Follow one connection. Return the pause before the next, or None after the last one."""
        self._hanging = [connection for connection in self._hanging if connection.hangs]
        if len(self._hanging) >= _MOST_HANGING:
            return self._pause_s
        with Connection(self._open, self._take, self._changed, self._settings.lost_after_s, self.title) as connection:
            self._hanging.append(connection)
            steady = self._follow(connection)
        self._pause_s = _FIRST_PAUSE_S if steady else min(2 * self._pause_s, _LONGEST_PAUSE_S)
        return self._pause_s if self._state is CameraState.LOST else None

    def _open(self) -> LiveSource:
        source = open_live(self._where, self._view, self._settings, self._pace, exactly=self._state is not None)
        self.opened_size = source.size
        self.delay_s = self._delay_of(source.size) if source.live else None
        return source

    def _follow(self, connection: Connection) -> bool:
        """Follow a connection until it ends. Return whether it lasted, instead of failing as soon as it was open."""
        if self._wait(connection, lambda: connection.news):
            self.title, self._where = connection.title, connection.again
            self._become(CameraState.WATCHING, None)
            self._wait(connection, lambda: False)
        if not self._closing:
            silent = SourceLostError(Phrase("{camera} has stopped sending pictures", camera=self.title))
            problem = connection.problem or silent
            if self._state is None and isinstance(problem, SourceLostError):
                problem = SourceLostError(
                    Phrase("{camera} sends no pictures: start the camera or its app again", camera=self.title)
                )
            ended = isinstance(problem, SourceEndedError)
            self._become(CameraState.ENDED if ended else CameraState.LOST, problem)
        return connection.news and connection.age_s > self._settings.lost_after_s

    def _wait(self, connection: Connection, happened: Callable[[], bool]) -> bool:
        """Wait for an event or the end of connection or watcher. Return whether the event has happened."""
        with self._changed:
            while not (happened() or self._closing or connection.is_over):
                self._changed.wait(connection.patience_s())
            return happened()

    def _become(self, state: CameraState, problem: InputError | None) -> None:
        """Notify listeners of a new state, unless the source never showed anything."""
        with self._changed:
            self._problem = problem
            is_new = state is not self._state and (self._state is not None or problem is None)
            if is_new:
                self._state = state
            self._changed.notify_all()
        if is_new:
            _logger.info("the source is %s", state.value)
            self._states.notify(state)

    def _take(self, connection: Connection, taken: Taken) -> None:
        """Keep an item, on a connection's thread, and record whether it is new.

        Raises:
            SourceLostError: a camera repeats the very same image, as some do when they hang.
        """
        delay_s = self.delay_s or 0.0
        if isinstance(taken, Sound):
            if self._microphone is None:
                self._hear(replace(taken, start_s=taken.start_s - delay_s))
            return
        taken = replace(taken, time_s=taken.time_s - delay_s)
        still = self._stillness
        still.see(taken, is_renewed=connection.is_renewed)
        frozen_s = still.frozen_s if connection.live else 0.0
        if frozen_s == 0 or self._state is not CameraState.LOST:
            self._ring.add(taken)
        notice = None
        if connection.live and still.same_s >= _STILL_S:
            notice = Phrase(
                "{camera} has shown the same picture for a while: "
                "if somebody has moved, start the camera or its app again",
                camera=connection.title,
            )
        self._still_notice = notice
        with self._changed:
            connection.note_frame(taken.time_s, news=frozen_s == 0)
            self._changed.notify_all()
        if min(frozen_s, connection.age_s) >= self._settings.lost_after_s:
            raise SourceLostError(Phrase("{camera} shows the same picture again and again", camera=connection.title))

    def _hear(self, sound: Sound) -> None:
        sound = self._sounds.add(sound)
        self._heard.notify(sound.samples, sound.rate, sound.start_s)
