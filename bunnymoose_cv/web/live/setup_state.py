"""State of the set-up page besides the choices: the preview, games and tables to go on with, and the voices."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.voices import VoiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bunnymoose_cv.voice.voices import Voice
    from bunnymoose_cv.web.live.setup_choices import Choices
    from bunnymoose_cv.web.server.host import Host, ReadingSource

LINGER_S: Final = 3.0
"""Time for which the camera stays open when nobody looks any more: a page that is loaded anew is back by then."""


class SetupState:
    """What takes longer than a page may: a worker finds it and opens the camera, and pages are told.

    Args:
        host: whose choices are set up. Its listeners are told of each change.

    Attributes:
        begins: whether a game is being opened.
        problem: the reason why the chosen camera shows nothing.
        left: choices that resume the game that was left.
        last: choices with the last table.
        voices: of this computer.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._worker = ActorThread("set-up")
        self._watching = 0
        self._came = Condition()
        self._source: ReadingSource | None = None
        self._asked = self._opened = 0
        self.begins = False
        self.problem: str | None = None
        self.left: Choices | None = None
        self.last: Choices | None = None
        self.voices: tuple[Voice, ...] = ()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look through the chosen camera as long as somebody has the page open."""
        with self._came:
            self._watching += 1
            self._came.notify_all()
        for task in (self._find, self._open_if_closed, self._ask_for_voices):
            self._do(task)
        try:
            yield
        finally:
            with self._came:
                self._watching -= 1
            self._do(self._close_if_left)

    def look_again(self) -> None:
        """Look with other players, or through another camera."""
        self._asked += 1
        self._do(self._open)

    def begin(self, begin: Callable[[Choices], None], choices: Choices) -> None:
        """Begin a game, or go on with one, and show meanwhile that one is being opened.

        Raises:
            InputError: it cannot be begun so.
        """
        self.begins = True
        self._host.tell_change()
        try:
            begin(choices)
        except InputError:
            self.look_again()
            raise
        finally:
            self.begins = False
            self._host.tell_change()

    def _do(self, task: Callable[[], None]) -> None:
        self._worker.submit(task)
        with self._came:
            if not self._worker.running:
                self._worker.start()

    def _find(self) -> None:
        if self._host.session is not None:
            return
        left, last = self._host.left(), self._host.last_table()
        self.left, self.last = left, None if left is not None and last is not None and _alike(left, last) else last
        self._host.tell_change()

    def _open_if_closed(self) -> None:
        if self._source is None or self._host.reading_source is not self._source:
            self._asked += 1
            self._open()

    def _open(self) -> None:
        """Open the chosen camera; of several requests the newest one counts."""
        if self._asked == self._opened or not self._watching:
            return
        self._opened, self.problem = self._asked, None
        self._close()
        if self._host.choices.camera is not None and self._host.session is None:
            try:
                self._source = self._host.look(self._host.choices)
            except InputError as error:
                self.problem = error.sentence
        self._host.tell_change()

    def _close_if_left(self) -> None:
        with self._came:
            if self._came.wait_for(lambda: self._watching > 0, LINGER_S):
                return
        self._close()

    def _close(self) -> None:
        """Let go of the camera, unless somebody else looks through it by now."""
        source, self._source = self._source, None
        if source is not None:
            self._host.look_away(source)

    def _ask_for_voices(self) -> None:
        """Ask for the voices, once; there are none where nothing speaks here."""
        if self.voices:
            return
        try:
            with Engine() as engine:
                self.voices = engine.voices()
        except VoiceError:
            return
        self._host.tell_change()


def _alike(one: Choices, other: Choices) -> bool:
    """Tell if both have the same players before the same camera."""
    return (one.players, one.camera) == (other.players, other.camera)
