"""The signals by which the system ends a program, turned into an end with a sentence."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

ENDINGS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Sent when a computer shuts down, and when a terminal is closed."""


class EndedError(SystemExit):
    """End of the program by a signal of the system; all that is open is closed on the way out."""

    sentence = "The program was ended from outside."


@contextmanager
def orderly_exit() -> Iterator[None]:
    """Raise `EndedError` where a signal would end the program at once; one that is ignored stays so."""
    ours = current_thread() is main_thread()
    before = {each: signal.getsignal(each) for each in ENDINGS} if ours else {}
    for each, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(each, _end)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def ended_with(remedy: str) -> Iterator[None]:
    """Tell what a person can do then, where the system ends the program meanwhile."""
    try:
        yield
    except EndedError as ended:
        ended.sentence = f"{EndedError.sentence} {remedy}"
        raise


def _end(number: int, _: FrameType | None) -> None:
    raise EndedError(128 + number)
