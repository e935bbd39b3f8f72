"""The practice mirror: a camera and a practice on a thread of their own. Owns no reading, no lesson and no page."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from bunnymoose_cv.capture.view import View
from bunnymoose_cv.capture.watcher import SourceState, Watcher
from bunnymoose_cv.errors import InputError
from bunnymoose_cv.practice.practice import Practice
from bunnymoose_cv.vision.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from bunnymoose_cv.practice.practice import PracticeState
    from bunnymoose_cv.practice.takes import Takes, Wish
    from bunnymoose_cv.profile import Profile

PAUSE_S: Final = 0.03
"""So long it waits for a new frame, or for what people want."""


@dataclass(frozen=True, slots=True, eq=False)
class MirrorState:
    """What the mirror shows.

    Attributes:
        version: rises with every change.
        practice: what is asked and seen.
        source: whether the camera watches, is lost or has ended.
        trouble: one sentence where the camera needs people; else empty.
    """

    version: int
    practice: PracticeState
    source: SourceState
    trouble: str


_Deed: TypeAlias = "tuple[Callable[[], PracticeState], Future[None]]"


class Mirror:
    """Practice before a camera, from `with` to its end; every method may be called from any thread.

    Args:
        where: a camera, a stream, a clip or a folder (`open_live`).
        profile: the limits.
        random: all chance.
        takes: where takes are kept.
    """

    def __init__(self, where: str, profile: Profile, random: Random, takes: Takes) -> None:
        self._where, self._profile = where, profile
        self._random, self._takes = random, takes
        self._deeds: SimpleQueue[_Deed] = SimpleQueue()
        self._listeners: list[Callable[[MirrorState], None]] = []
        self._over = threading.Event()
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        """Open the camera and begin.

        Raises:
            UnreadableError: there is no such camera, clip or folder.
            SourceLostError: it shows nothing.
        """
        with ExitStack() as opening:
            view = View.of(self._profile.camera)
            self.watcher = opening.enter_context(Watcher(self._where, view, self._profile.camera))
            self._practice = Practice(opening.enter_context(Reader(self._profile)), self._random, self._takes)
            self._opened = opening.pop_all()
        self._state = MirrorState(0, self._practice.state, self.watcher.state, "")
        self._thread = threading.Thread(target=self._run, name="practice", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the camera."""
        self._over.set()
        self._thread.join()
        self._opened.close()

    @property
    def state(self) -> MirrorState:
        """The newest; never waits."""
        return self._state

    @property
    def takes_folder(self) -> str:
        """Where takes lie, for people to read."""
        return str(self._takes.folder)

    def listen(self, callback: Callable[[MirrorState], None]) -> Callable[[], None]:
        """Call somebody after each change, on the mirror's thread: return soon.

        Returns:
            What ends the listening.
        """
        self._listeners.append(callback)
        return lambda: self._listeners.remove(callback)

    def wait(self, timeout_s: float | None = None) -> None:
        """Wait until the source has ended, as clips do."""
        self._thread.join(timeout_s)

    def skip(self) -> Future[None]:
        """Ask for another pose."""
        return self._do(self._practice.skip)

    def insist(self) -> Future[None]:
        """What is asked is shown, whatever is read."""
        return self._do(self._practice.insist)

    def wish(self, wish: Wish) -> Future[None]:
        """Keep takes from now on, or none any more."""
        return self._do(lambda: self._practice.wish(wish))

    def delete_takes(self) -> Future[None]:
        """Take all takes away."""
        return self._do(self._practice.delete_takes)

    def _do(self, deed: Callable[[], PracticeState]) -> Future[None]:
        done: Future[None] = Future()
        if not self._thread.is_alive():
            done.set_exception(InputError("The mirror has ended: begin it again."))
            return done
        self._deeds.put((deed, done))
        return done

    def _run(self) -> None:
        seen_s = float("-inf")
        source = self.watcher.state
        while not self._over.is_set() and source is not SourceState.ENDED:
            self._do_next()
            frame = self.watcher.newest()
            if self.watcher.state is not source:
                source = self.watcher.state
                self._practice.look_afresh()
                self._show()
            elif frame is not None and frame.time_s > seen_s:
                seen_s = frame.time_s
                self._practice.see(frame)
                self._show()
        self._refuse_the_rest()

    def _do_next(self) -> None:
        """Do what people want; wait a little for it, which gives the camera time for its next frame."""
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

    def _show(self) -> None:
        trouble = self.watcher.trouble or self._practice.state.trouble
        self._state = MirrorState(self._state.version + 1, self._practice.state, self.watcher.state, trouble)
        for callback in tuple(self._listeners):
            callback(self._state)

    def _refuse_the_rest(self) -> None:
        while not self._deeds.empty():
            self._deeds.get()[1].set_exception(InputError("The mirror has ended: begin it again."))
