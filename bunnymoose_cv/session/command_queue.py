"""Takes what people want from any thread and has it done on one."""

from __future__ import annotations

from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable

    _Wish: TypeAlias = tuple[Callable[[], None], Future[None]]

CLOSED: Final = Phrase("The game has been left: nothing more can happen in it. Go on with it, or begin another.")


class CommandQueue:
    """Wishes in the order in which they came."""

    def __init__(self) -> None:
        self._wishes: SimpleQueue[_Wish] = SimpleQueue()
        self._closed = False

    def hand_in(self, wish: Callable[[], None]) -> Future[None]:
        """Have something done; called from any thread.

        Returns:
            What tells when it is done; it fails with what the wish raises, an `InputError` where people can help.
        """
        done: Future[None] = Future()
        self._wishes.put((wish, done))
        if self._closed:
            self._turn_away()
        return done

    def work(self, timeout_s: float) -> None:
        """Do what people want; wait for the first wish so many seconds at most."""
        try:
            wish, done = self._wishes.get(timeout=timeout_s)
            while True:
                _fulfil(wish, done)
                wish, done = self._wishes.get_nowait()
        except Empty:
            return

    def close(self) -> None:
        """Nothing more is done; who still waits is told so."""
        self._closed = True
        self._turn_away()

    def _turn_away(self) -> None:
        try:
            while True:
                _, done = self._wishes.get_nowait()
                if done.set_running_or_notify_cancel():
                    done.set_exception(InputError(CLOSED))
        except Empty:
            return


def _fulfil(wish: Callable[[], None], done: Future[None]) -> None:
    """Do one wish; a fault of ours is told to the one who waits and raised besides."""
    if not done.set_running_or_notify_cancel():
        return
    try:
        wish()
    except InputError as error:
        done.set_exception(error)
    except BaseException as fault:
        done.set_exception(fault)
        raise
    else:
        done.set_result(None)
