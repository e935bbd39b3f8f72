"""The practice mirror: a practice before a sight, on a thread of its own."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.session.practice.exercise import Practice
from bunnymoose_cv.session.table_state import CameraState, LatestReading

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from bunnymoose_cv.session.practice.exercise import PracticeState
    from bunnymoose_cv.session.practice.takes import Consent, Takes
    from bunnymoose_cv.session.video_source import VideoSource
    from bunnymoose_cv.vision.reader import Reader

PAUSE_S: Final = 0.03
"""So long it waits for what people want, and for the next frame."""


@dataclass(frozen=True, slots=True, eq=False)
class MirrorState:
    """State of the mirror.

    Attributes:
        version: rises with every change.
        practice: what is asked and seen.
        camera: what is known of it.
        problem: one sentence where camera or disk need people; else empty.
        over: whether it has been closed.
    """

    version: int
    practice: PracticeState
    camera: CameraState
    problem: str
    over: bool = False


_Deed: TypeAlias = "tuple[Callable[[], PracticeState], Future[None]]"


class Mirror:
    """Practice before a sight, from `with` to its end; every method may be called from any thread.

    Args:
        sight: what it looks at; closed with it.
        reader: reads what is seen.
        random: all chance.
        takes: where takes are kept.
    """

    def __init__(self, sight: VideoSource, reader: Reader, random: Random, takes: Takes) -> None:
        self._sight = sight
        self._practice = Practice(reader, random, takes)
        self._takes = takes
        self._deeds: SimpleQueue[_Deed] = SimpleQueue()
        self._listeners: list[Callable[[MirrorState], None]] = []
        self._closing = threading.Event()
        self._state = MirrorState(0, self._practice.state, CameraState.WATCHING, "")
        self._thread = threading.Thread(target=self._run, name="practice", daemon=True)

    def __enter__(self) -> Self:
        """Open what it looks at, and begin.

        Raises:
            InputError: that cannot be opened.
        """
        self._sight.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the camera."""
        self._closing.set()
        self._thread.join()
        self._sight.__exit__()

    @property
    def state(self) -> MirrorState:
        """The newest; never waits."""
        return self._state

    @property
    def latest_reading(self) -> LatestReading | None:
        """The newest look; None before the first."""
        state = self._state
        reading = state.practice.reading
        return None if reading is None else LatestReading(state.version, reading)

    @property
    def takes_folder(self) -> Path:
        """Folder of takes."""
        return self._takes.folder

    @property
    def is_watched(self) -> bool:
        """Tell if anybody listens."""
        return bool(self._listeners)

    def listen(self, callback: Callable[[MirrorState], None]) -> Callable[[], None]:
        """Call somebody after each change, on the mirror's thread: return soon.

        Returns:
            What ends the listening.
        """
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback)

    def skip(self) -> Future[None]:
        """Ask for another pose."""
        return self._do(self._practice.skip)

    def accept_as_shown(self) -> Future[None]:
        """Accept the asked pose as shown, whatever is read."""
        return self._do(self._practice.accept_as_shown)

    def give_consent(self, consent: Consent) -> Future[None]:
        """Keep takes from now on, or none any more."""
        return self._do(lambda: self._practice.give_consent(consent))

    def delete_takes(self) -> Future[None]:
        """Take all takes away."""
        return self._do(self._practice.delete_takes)

    def _do(self, deed: Callable[[], PracticeState]) -> Future[None]:
        done: Future[None] = Future()
        self._deeds.put((deed, done))
        if self._state.over:
            self._refuse_the_rest()
        return done

    def _run(self) -> None:
        seen_s = float("-inf")
        while not self._closing.is_set():
            self._do_next()
            frame = self._sight.newest()
            if self._sight.camera is not self._state.camera:
                self._practice.look_afresh()
                self._show()
            elif frame is not None and frame.time_s > seen_s:
                seen_s = frame.time_s
                self._practice.see(frame)
                self._show()
        self._show(over=True)
        self._refuse_the_rest()

    def _do_next(self) -> None:
        """Do what people want; waiting for it gives the camera time for its next frame."""
        try:
            deed, done = self._deeds.get(timeout=PAUSE_S)
        except Empty:
            return
        try:
            deed()
        except InputError as error:
            done.set_exception(error)
        else:
            self._show()
            done.set_result(None)

    def _show(self, *, over: bool = False) -> None:
        practice = self._practice.state
        problem = self._sight.problem or practice.problem
        self._state = MirrorState(self._state.version + 1, practice, self._sight.camera, problem, over)
        for callback in tuple(self._listeners):
            callback(self._state)

    def _refuse_the_rest(self) -> None:
        while True:
            try:
                _, done = self._deeds.get_nowait()
            except Empty:
                return
            done.set_exception(InputError(Phrase("The mirror is closed: begin it again.")))
