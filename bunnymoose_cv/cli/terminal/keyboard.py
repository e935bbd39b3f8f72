"""Single key presses in the terminal, each with its time."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any, Final, Self

from bunnymoose_cv.core.actor import ActorThread

if TYPE_CHECKING:
    from types import TracebackType

_POLL_S: Final = 0.1


class SpecialKey(Enum):
    """Keys without a character."""

    ESCAPE = "escape"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    OTHER = "other"


_SEQUENCES: Final = {"\x1b[5~": SpecialKey.PAGE_UP, "\x1b[6~": SpecialKey.PAGE_DOWN, "\x1b": SpecialKey.ESCAPE}

_PIECES: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class KeyPress:
    """Key with the time of its press, in seconds of `time.monotonic()`."""

    key: str | SpecialKey
    time_s: float


class Keyboard:
    """Queue of the keys pressed within `with`; it remains empty without a terminal."""

    def __init__(self) -> None:
        self._pressed: Queue[KeyPress] = Queue()
        listen = self._listen_on_windows if sys.platform == "win32" else self._listen_on_unix
        self._actor = ActorThread("keyboard", listen)
        self._usual: list[Any] | None = None
        self.there = sys.stdin is not None and sys.stdin.isatty()
        """True if the standard input is a terminal."""

    def __enter__(self) -> Self:
        if self.there:
            self._take_keys_singly()
            self._actor.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.there:
            self._actor.stop()
            self._give_lines_back()
            self._actor.raise_fault()

    def next(self, timeout_s: float = 0.0) -> KeyPress | None:
        """Return the next key; None if none is pressed before the timeout."""
        with suppress(Empty):
            return self._pressed.get(timeout=timeout_s) if timeout_s > 0 else self._pressed.get_nowait()
        return None

    def _take_keys_singly(self) -> None:
        if sys.platform != "win32":
            import termios
            import tty

            self._usual = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)

    def _give_lines_back(self) -> None:
        if sys.platform != "win32" and self._usual is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._usual)

    def _listen_on_unix(self) -> float | None:
        handle = sys.stdin.fileno()
        if select.select([handle], [], [], _POLL_S)[0]:
            text = os.read(handle, 64).decode(errors="ignore")
            if not text:  # the terminal has been closed
                return None
            self._press(text)
        return 0.0

    def _listen_on_windows(self) -> float:
        if sys.platform == "win32":
            import msvcrt

            while msvcrt.kbhit():
                self._press(msvcrt.getwch())
        return _POLL_S / 5

    def _press(self, text: str) -> None:
        """Split a text into keys, some of which have several characters, and queue them."""
        now_s = time.monotonic()
        for piece in _PIECES.findall(text):
            key = _SEQUENCES.get(piece, SpecialKey.OTHER) if piece.startswith("\x1b") else piece
            self._pressed.put(KeyPress(key, now_s))
