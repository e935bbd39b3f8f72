"""Voice of the table: announcements and lines of the poem, heard, shown and told to listeners."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.observable import Observable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Event

    from bunnymoose_cv.session.round_display import RoundDisplay
    from bunnymoose_cv.session.services import Services

FIRST_WORD_S: Final = 1.0
"""Longest wait until the first line is heard."""


class TableVoice:
    """Output of spoken lines. Belongs to the session's thread."""

    def __init__(self, services: Services, display: RoundDisplay) -> None:
        self._services, self._display = services, display
        self._lines: Observable[str] = Observable()
        self._first_word: Event | None = None

    def listen(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Register a listener for each line; see `Observable.listen`."""
        return self._lines.listen(callback)

    def announce(self, line: str) -> None:
        """Say a line, and show it until the next round begins."""
        self._display.said.append(line)
        self.say(line)

    def say(self, line: str) -> None:
        """Say a line, without showing it."""
        self._lines.tell(line)
        begun = self._services.say(line)
        self._first_word = self._first_word or begun

    def say_at_once(self, line: str) -> None:
        """Break off what is being said, say a line, and wait until it was heard."""
        self.silence()
        self.say(line)
        if self._services.speaker is not None:
            self._services.speaker.wait()

    def silence(self) -> None:
        """Break off what is being said."""
        if self._services.speaker is not None:
            self._services.speaker.silence()

    @contextmanager
    def first_word_awaited(self) -> Iterator[None]:
        """Wait, after the action within, until the first of its lines is heard."""
        self._first_word = None
        yield
        if self._first_word is not None:
            self._first_word.wait(FIRST_WORD_S)
