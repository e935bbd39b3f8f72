"""Termination signals of the system, turned into an orderly exit with a sentence."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

ENDINGS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals sent when a computer shuts down, and when a terminal is closed."""


class EndedError(SystemExit):
    """Exit of the program on a signal of the system; open resources are closed on the way out."""

    sentence = "The program was ended from outside."


@contextmanager
def orderly_exit() -> Iterator[None]:
    """Raise `EndedError` on signals that would end the program at once; ignored signals remain ignored."""
    ours = current_thread() is main_thread()
    before = {ending: signal.getsignal(ending) for ending in ENDINGS} if ours else {}
    for ending, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(ending, _end)
    try:
        yield
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)


@contextmanager
def ended_with(remedy: str) -> Iterator[None]:
    """Add a remedy for the user to the sentence of an `EndedError` that is raised within `with`."""
    try:
        yield
    except EndedError as ended:
        ended.sentence = f"{EndedError.sentence} {remedy}"
        raise


def _end(number: int, _: FrameType | None) -> None:
    raise EndedError(128 + number)
