"""Output of the table: spoken lines, and the facts of a round that pages show until the next round."""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from threading import Event

    from bunnymoose_cv.record.game_corrections import Changes
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.cards.card_photo import CardPhoto
    from bunnymoose_cv.session.services import Notices, Services


class RoundDisplay:
    """Display of a round and its transient notices until the next begins. Belongs to the session's thread."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self.said: list[str] = []
        self.changes: Changes | None = None
        self.photo: CardPhoto | None = None

    def clear(self) -> None:
        """Forget everything shown of the round."""
        self.said, self.changes, self.photo = [], None, None
        self._notices.forget()

    @contextmanager
    def clear_if_round_begins(self, game: Game) -> Iterator[None]:
        """Clear the display after a successful action in the block that begins a round; `game` is the state before."""
        yield
        if game.phase is Phase.BETTING:
            self.clear()


FIRST_WORD_S: Final = 1.0
"""Longest wait until the first line is heard."""

_STEP_S: Final = 0.02


class TableVoice:
    """Output of spoken lines. Belongs to the session's thread."""

    def __init__(self, services: Services, display: RoundDisplay) -> None:
        self._services, self._display = services, display
        self._lines: Observable[str] = Observable()
        self._first_word: Event | None = None
        self._asked: frozenset[str] = frozenset()

    def listen(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Register a listener for each line; see `Observable.listen`."""
        return self._lines.listen(callback)

    def announce(self, line: str) -> None:
        """Say a line, and show it until the next round begins."""
        self._display.said.append(line)
        self.say(line)

    def ask(self, line: str, player: str) -> None:
        """Ask about a player, and show the question; it is said only while the player is asked about."""
        self._asked |= {player}
        self._display.said.append(line)
        self.say(line, lambda: player in self._asked)

    def follow(self, asked: Iterable[str]) -> None:
        """Drop or break off questions about all but these players, since they have been answered."""
        self._asked = frozenset(asked)

    def say(self, line: str, is_wanted: Callable[[], bool] = lambda: True) -> None:
        """Say a line, without showing it; `is_wanted` is called on the voice's thread."""
        self._lines.notify(line)
        heard = self._services.say(line, is_wanted)
        self._first_word = self._first_word or heard

    def say_at_once(self, line: str) -> None:
        """Break off the current line, say a line, and wait until it has been heard."""
        self.silence()
        self.say(line)
        if self._services.speaker is not None:
            self._services.speaker.wait()

    def silence(self) -> None:
        """Break off the current line."""
        if self._services.speaker is not None:
            self._services.speaker.silence()

    @contextmanager
    def first_word_awaited(self, answer: Callable[[], None]) -> Iterator[None]:
        """Wait, after the action in the block, until the first of its lines is heard; process answers until then."""
        self._first_word = None
        yield
        first_word, until_s = self._first_word, monotonic() + FIRST_WORD_S
        while first_word is not None and not first_word.wait(_STEP_S) and monotonic() < until_s:
            answer()
