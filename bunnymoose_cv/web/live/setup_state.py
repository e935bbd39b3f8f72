"""State of the set-up page besides the choices: the preview, games and tables to go on with, and the voices."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.voices import VoiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bunnymoose_cv.voice.voices import Voice
    from bunnymoose_cv.web.live.open_while_watched import OpenWhileWatched, ReadingSource
    from bunnymoose_cv.web.live.setup_choices import Choices


class SetupState:
    """Work of a set-up that takes longer than a page may; pages are told of what comes of it.

    Args:
        find: returns the choices that resume the game that was left, and those with the last table.
        tell: called when pages show something else.

    Attributes:
        begins: whether a game is being opened.
        left: choices that resume the game that was left.
        last: choices with the last table.
        voices: of this computer.
    """

    def __init__(
        self,
        preview: OpenWhileWatched[ReadingSource],
        find: Callable[[], tuple[Choices | None, Choices | None]],
        tell: Callable[[], None],
    ) -> None:
        self._preview, self._find_games, self._tell = preview, find, tell
        self.begins = False
        self.left: Choices | None = None
        self.last: Choices | None = None
        self.voices: tuple[Voice, ...] = ()

    @property
    def problem(self) -> str | None:
        """Reason why the chosen camera shows nothing."""
        return self._preview.problem

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look through the chosen camera as long as somebody has the page open, and find what can be chosen."""
        self._preview.do(self._find)
        with self._preview.keep_open():
            self._preview.do(self._ask_for_voices)
            yield

    def look_again(self) -> None:
        """Look with other players, or through another camera."""
        self._preview.open_again()

    def begin(self, begin: Callable[[Choices], None], choices: Choices) -> None:
        """Begin a game, or go on with one, and show meanwhile that one is being opened.

        Raises:
            InputError: it cannot be begun so.
        """
        self.begins = True
        self._tell()
        try:
            begin(choices)
        except InputError:
            self.look_again()
            raise
        finally:
            self.begins = False
            self._preview.do(self._find)
            self._tell()

    def _find(self) -> None:
        """Find what can be gone on with: the game that runs is not left."""
        left, last = self._find_games()
        self.left, self.last = left, None if left is not None and last is not None and _alike(left, last) else last
        self._tell()

    def _ask_for_voices(self) -> None:
        """Ask for the voices, once; there are none where nothing speaks here."""
        if self.voices:
            return
        try:
            with Engine() as engine:
                self.voices = engine.voices()
        except VoiceError:
            return
        self._tell()


def _alike(one: Choices, other: Choices) -> bool:
    """Tell if both have the same players before the same camera."""
    return (one.players, one.camera) == (other.players, other.camera)
