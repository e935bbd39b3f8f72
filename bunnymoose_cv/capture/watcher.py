"""Watcher of a source on threads of its own: newest frame, ring buffer of the last seconds, watchdog.

A camera or a stream that is lost is opened again by itself, after pauses that grow; a clip that is over stays over. An
image that never changes counts as lost, too, where the camera sends every image whole. Behind an encoder equal images
are those of a calm table, and only after a while worth a notice.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.capture.connection import Connection
from bunnymoose_cv.capture.frame import Frame, SourceEndedError, SourceLostError, UnreadableError
from bunnymoose_cv.capture.held_footage import HeldFootage
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.live import address_of, open_live, shown_name
from bunnymoose_cv.capture.microphone import Microphone
from bunnymoose_cv.capture.ring_buffer import RingBuffer, SoundRing
from bunnymoose_cv.capture.sound import Samples, Sound
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.jpeg_frame import FrameRun
    from bunnymoose_cv.capture.live_source import LiveSource, Taken
    from bunnymoose_cv.capture.orientation import View
    from bunnymoose_cv.core.errors import InputError
    from bunnymoose_cv.core.user_settings import CameraSettings

_SAMPLED_ROWS: Final = 32
"""Every so many rows are compared first: images that differ nearly always differ there already."""


class Stillness:
    """Comparison of each image with the one before, to the last bit: a real camera's noise makes each another.

    Attributes:
        same_s: seconds for which the image has not changed; 0 where it is new.
        frozen_s: seconds for which neither the image has changed nor its stamp shown that it is new.
    """

    def __init__(self) -> None:
        self.same_s = self.frozen_s = 0.0
        self._before: Frame | JpegFrame | None = None

    def see(self, taken: Frame | JpegFrame, *, is_renewed: bool) -> None:
        """Compare the next image; `is_renewed` as in `LiveSource`."""
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
        return np.array_equal(one.image[::_SAMPLED_ROWS], other.image[::_SAMPLED_ROWS]) and np.array_equal(
            one.image, other.image
        )
    return False


def _tell_still(camera: str) -> str:
    return Phrase(
        "{camera} has shown the same picture for a while: if somebody has moved, start the camera or its app again",
        camera=camera,
    )


_logger = logging.getLogger(__name__)

_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 4.0
"""Longest back-off: a camera that was plugged in again is noticed after so long at most."""

_STILL_S: Final = 20.0
"""Time of equal images behind an encoder after which a notice asks for a look at the camera; a calm table has few."""

_MOST_HANGING: Final = 3
"""Most connections that are left behind in a driver: one may never wake though its camera is back long since."""

_SETTLING_S: Final = 5.0
"""Time for which frames of a network camera are held longer, while players show its delay if that is not known."""

LONGEST_DELAY_S: Final = 10.0
"""Longest delay of a source; sound of a microphone is held for as long, until the frames of its time have come."""


class Watcher:
    """A source that is watched from `with` to its end; everything but the listening may be asked from any thread."""

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
            settings: what a camera is asked for, when it counts as lost, how many seconds are held in how much memory.
            microphone: its name or number, empty for the usual one; None takes the source's own sound, if it has some.
            delay_of: returns the known delay of the source at a width and height in pixels, seconds, or None. Frames
                and the source's own sound are stamped so much earlier than they come.
        """
        self.title = shown_name(where)
        self._where, self._view, self._settings, self._pace = where, view, settings, pace
        after_s = settings.buffer_after_s + (_SETTLING_S if address_of(where) is not None else 0.0)
        self._ring = RingBuffer(settings.buffer_before_s, after_s, round(settings.buffer_megabytes * 1e6))
        self._sounds = SoundRing(settings.buffer_before_s, settings.buffer_after_s + LONGEST_DELAY_S)
        self._delay_of = delay_of
        self._delay_s: float | None = None
        self._opened_size = (0, 0)
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
            UnreadableError: there is no such source, or no such microphone.
            SourceLostError: the source is open and shows nothing.
        """
        if self._microphone is not None:
            self._microphone.__enter__()
        self._actor.start()
        with self._changed:
            self._changed.wait_for(lambda: self._state is not None or self._problem is not None or self._broken)
            problem = self._problem if self._state is None else None
        if problem is not None or self._broken:
            self.__exit__()  # a fault of ours is raised here
        if problem is not None:
            raise problem
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the source; the frames that are held stay."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._actor.stop()
        if self._microphone is not None:
            self._microphone.__exit__()
        self._actor.raise_fault()

    @property
    def state(self) -> CameraState:
        """Tell if frames come, are missed, or are over."""
        return self._state or CameraState.LOST

    @property
    def problem(self) -> str | None:
        """Message for people while the source is lost or over, or shows the same for long: one sentence."""
        if self._state is CameraState.WATCHING:
            return self._still_notice
        return None if self._problem is None else self._problem.sentence

    @property
    def delay_s(self) -> float | None:
        """Delay that is subtracted from the times of frames, seconds; None if it is not known."""
        return self._delay_s

    @property
    def opened_size(self) -> tuple[int, int]:
        """Return width and height in pixels with which the source was opened, for which its delay holds."""
        return self._opened_size

    @property
    def is_in_network(self) -> bool:
        """Return whether frames come over the network, which may delay them."""
        return address_of(self._where) is not None

    @property
    def may_be_late(self) -> bool:
        """Return whether frames come over the network with a delay that is not known."""
        return self._delay_s is None and self.is_in_network

    @property
    def hears_microphone(self) -> bool:
        """Return whether sound comes from a microphone, not from the source itself."""
        return self._microphone is not None

    @property
    def has_sound(self) -> bool:
        """Tell if the microphone gives sound; True where none is wanted."""
        return self._microphone is None or self._microphone.has_sound

    @property
    def held_bytes(self) -> int:
        """Memory of frames and sound, bytes; besides them there is one unpacked frame."""
        return self._ring.held_bytes + self._sounds.held_bytes

    def newest(self) -> Frame | None:
        """The frame that came last, never one that waited behind others; None before the first."""
        newest = self._ring.newest
        if newest is None or isinstance(newest, Frame):
            return newest
        if self._unpacked is None or self._unpacked.time_s != newest.time_s:
            try:
                self._unpacked = newest.frame()
            except UnreadableError:  # torn on its way; the next one comes soon
                _logger.info("a frame is torn", exc_info=True)
        return self._unpacked

    def frames(self, start_s: float, end_s: float) -> FrameRun:
        """The held frames from one time to another, both included, each unpacked when it is looked at."""
        return self._ring.frames(start_s, end_s)

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound from one time to another; None without any."""
        return self._sounds.sound(start_s, end_s)

    def held(self, start_s: float, end_s: float) -> HeldFootage:
        """Keep the footage from one time to another for longer than the ring does."""
        return HeldFootage(self.frames(start_s, end_s), self.sound(start_s, end_s))

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Wait until the frames up to a time have come.

        Args:
            time_s: on the clock of the frames.
            patience_s: seconds to wait beyond the delay of the source.

        Returns:
            Whether they have; False as soon as the source is lost or over before.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._has_come(time_s) or self._state is not CameraState.WATCHING,
                max(0.0, patience_s) + (self._delay_s or 0.0),
            )
            return self._has_come(time_s)

    def listen(self, callback: Callable[[CameraState], None]) -> Callable[[], None]:
        """Call somebody when the source is lost, comes back, or is over; on the watcher's thread, so return soon.

        Returns:
            What stops the listening.
        """
        return self._states.listen(callback)

    def listen_to_sound(self, callback: Callable[[Samples, int, float], None]) -> Callable[[], None]:
        """Call somebody with each piece of sound: samples, rate, time of the first; on a sound thread: return soon.

        Returns:
            What stops the listening.
        """
        return self._heard.listen(callback)

    def _has_come(self, time_s: float) -> bool:
        newest = self._ring.newest
        return newest is not None and newest.time_s >= time_s

    def _note_fault(self, fault: BaseException | None) -> None:
        with self._changed:
            self._broken = fault is not None
            self._changed.notify_all()

    def _watch(self) -> float | None:
        """Follow one connection; the next one comes after a pause, none when somebody closes or the source is over."""
        self._hanging = [each for each in self._hanging if each.hangs]
        if len(self._hanging) >= _MOST_HANGING:
            return self._pause_s
        with Connection(self._open, self._take, self._changed, self._settings.lost_after_s, self.title) as connection:
            self._hanging.append(connection)
            steady = self._follow(connection)
        self._pause_s = _FIRST_PAUSE_S if steady else min(2 * self._pause_s, _LONGEST_PAUSE_S)
        return self._pause_s if self._state is CameraState.LOST else None

    def _open(self) -> LiveSource:
        been_open = self._state is not None
        source = open_live(self._where, self._view, self._settings, self._pace, exactly=been_open)
        self._opened_size = source.size
        self._delay_s = self._delay_of(source.size) if source.live else None
        return source

    def _follow(self, connection: Connection) -> bool:
        """Stay with a connection until it is over; whether it was one to rely on, or gone as soon as it had come."""
        if self._wait(connection, lambda: connection.news):
            self.title, self._where = connection.title, connection.again
            self._become(CameraState.WATCHING, None)
            self._wait(connection, lambda: False)
        if not self._closing:
            problem = connection.problem or SourceLostError(
                Phrase("{camera} gives no more pictures", camera=self.title)
            )
            ended = isinstance(problem, SourceEndedError)
            self._become(CameraState.ENDED if ended else CameraState.LOST, problem)
        return connection.news and connection.age_s > self._settings.lost_after_s

    def _wait(self, connection: Connection, happened: Callable[[], bool]) -> bool:
        """Wait until something has happened, the connection is over, or somebody closes; whether it has happened."""
        with self._changed:
            while not (happened() or self._closing or connection.is_over):
                self._changed.wait(connection.patience_s())
            return happened()

    def _become(self, state: CameraState, problem: InputError | None) -> None:
        """Tell everybody about a new state; a source that never showed anything has none."""
        with self._changed:
            self._problem = problem
            told = state is not self._state and (self._state is not None or problem is None)
            if told:
                self._state = state
            self._changed.notify_all()
        if told:
            _logger.info("the source is %s", state.name.lower())
            self._states.tell(state)

    def _take(self, connection: Connection, taken: Taken) -> None:
        """On a connection's thread: keep what came, and see whether it is news.

        Raises:
            SourceLostError: a camera goes on showing the very same image, as some do when they hang.
        """
        delay_s = self._delay_s or 0.0
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
        is_worth_a_look = connection.live and still.same_s >= _STILL_S
        self._still_notice = _tell_still(connection.title) if is_worth_a_look else None
        with self._changed:
            connection.came(taken.time_s, news=frozen_s == 0)
            self._changed.notify_all()
        if min(frozen_s, connection.age_s) >= self._settings.lost_after_s:
            raise SourceLostError(Phrase("{camera} shows the same picture again and again", camera=connection.title))

    def _hear(self, sound: Sound) -> None:
        sound = self._sounds.add(sound)
        self._heard.tell(sound.samples, sound.rate, sound.start_s)
