"""What the server serves: people's choices, then one session after another, and who may see them.

`begin` and `end` may take seconds, so pages call them through `run.io_bound`; listeners
are called on the thread that made the change.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.auth.access import AccessError
from bunnymoose_cv.web.auth.guarded import guarded
from bunnymoose_cv.web.live.film_jobs import FilmJobs
from bunnymoose_cv.web.live.player_styles import styles_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from bunnymoose_cv.record.game_store import Games
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.session.practice.practice_mirror import Mirror
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_state import LatestReading
    from bunnymoose_cv.web.auth.access import Access, Visitor
    from bunnymoose_cv.web.live.player_styles import PlayerStyle
    from bunnymoose_cv.web.live.setup_choices import Choices


_EVENING: Final = timedelta(hours=18)
"""A game that began before is one of another evening; the history has it."""


class ReadingSource(Protocol):
    """Whatever sees the table while no game runs: the set-up's preview, the practice."""

    @property
    def latest_reading(self) -> LatestReading | None:
        """The newest look."""


class Host:
    """What pages are built from.

    Args:
        games: those that are kept.
        access: who may do what.
        choices: what the next game is begun with, until people choose otherwise.
        open_sitting: opens a game with what was chosen; None where none can be begun.
        cameras: the titles of the cameras that are offered; a request names one by its index.
        preview: looks through the chosen camera while no game runs; None where nothing can be looked through.
        practice: opens the practice mirror before the chosen camera; None where nobody can practise.
        left: what the newest game since a time, left before its end, is gone on with; None where none is looked for.
        go_on: opens that game.
        deck: of people's own box, where they play with one.
    """

    def __init__(  # noqa: PLR0913 - what a server serves
        self,
        games: Games,
        access: Access,
        choices: Choices,
        open_sitting: Callable[[Choices], AbstractContextManager[Session]] | None = None,
        cameras: Sequence[str] = (),
        *,
        preview: Callable[[Choices], AbstractContextManager[ReadingSource]] | None = None,
        practice: Callable[[Choices], AbstractContextManager[Mirror]] | None = None,
        left: Callable[[Choices, datetime], Choices | None] | None = None,
        go_on: Callable[[Choices], AbstractContextManager[Session]] | None = None,
        deck: Deck | None = None,
    ) -> None:
        self.games = games
        self.access = access
        self.choices = choices
        self.deck = deck
        self.cameras = tuple(cameras)
        self.session: Session | None = None
        """The game that is played, as pages may use it (guarded.py)."""
        self.reading_source: ReadingSource | None = None
        """What is seen while no game runs."""
        self.films = FilmJobs(lambda: self.session is not None and self.session.state.judging)
        """Makes the films that people ask for."""
        self.home: str | None = None
        """The owner's first page; usually the table, before a game the set-up."""
        self.addresses: tuple[str, ...] = ()
        """Where the screen is to be found: first on this computer, then in the local network."""
        self.stop: Callable[[], None] = lambda: None
        """Closes the screen; the server puts itself here."""
        self._open_sitting = open_sitting
        self._opened: AbstractContextManager[Session] | None = None
        self._preview = preview
        self._previewed: AbstractContextManager[ReadingSource] | None = None
        self.mirror: Mirror | None = None
        """The practice, while somebody practises; the looker then."""
        self._practice = practice
        self._left, self._go_on = left, go_on
        self._beginning = Lock()
        self._changes: Observable[[]] = Observable()
        access.narrator = lambda: self.narrator

    @property
    def texts(self) -> Texts:
        """In the language of the table."""
        return Texts(self.choices.language) if self.session is None else self.session.texts

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, or is going to."""
        return self.choices.players if self.session is None else self.session.state.game.players

    @property
    def looks(self) -> Mapping[str, PlayerStyle]:
        """How each of them looks."""
        if self.session is None:
            return self.choices.looks
        game = self.session.state.game
        return styles_of(game.players, game.colours)

    @property
    def narrator(self) -> str | None:
        """Who narrates now; nobody while no game runs."""
        game = None if self.session is None else self.session.state.game
        return None if game is None or game.phase is Phase.OVER else game.narrator

    @property
    def latest_reading(self) -> LatestReading | None:
        """The newest look at the table."""
        reading_source = self.reading_source if self.session is None else self.session
        return None if reading_source is None else reading_source.latest_reading

    @property
    def folder(self) -> Path | None:
        """Where the game that is played is kept."""
        return None if self.session is None else self.session.state.folder

    def at_table(self) -> Session:
        """The game that is played.

        Raises:
            InputError: none is.
        """
        if self.session is None:
            raise InputError(Phrase("No game runs any more."))
        return self.session

    def begin(self, choices: Choices) -> None:
        """Begin a game; one that is being played ends, and is kept.

        Raises:
            InputError: it cannot be begun so.
        """
        self._begin(self._open_sitting, choices)

    def left(self) -> Choices | None:
        """What the last game of this evening is gone on with; None where it was played to its end, or there is none."""
        return None if self._left is None else self._left(self.choices, datetime.now(tz=UTC) - _EVENING)

    def go_on(self, left: Choices) -> None:
        """Go on with a game that was left.

        Raises:
            InputError: it cannot be gone on with.
        """
        self._begin(self._go_on, left)

    def _begin(self, opens: Callable[[Choices], AbstractContextManager[Session]] | None, choices: Choices) -> None:
        if opens is None:
            raise InputError(Phrase("No game can be begun here: start “bunnymoose play”."))
        with self._beginning:
            self._close()
            self._look_away()
            opened = opens(choices)
            self.session, self._opened, self.choices = guarded(opened.__enter__()), opened, choices
        self._tell()

    def end(self) -> None:
        """End the game that is being played; it is kept."""
        with self._beginning:
            self._close()
        self._tell()

    def look(self, choices: Choices) -> ReadingSource | None:
        """Look through the chosen camera, until a game begins or people look away; not while a game runs.

        Returns:
            What looks, for everybody.

        Raises:
            InputError: the camera cannot be opened, or nobody could play so.
        """
        with self._beginning:
            self._look_away()
            if self.session is None and self._preview is not None:
                previewed = self._preview(choices)
                self.reading_source, self._previewed = previewed.__enter__(), previewed
            return self.reading_source

    def practise(self) -> None:
        """Open the practice mirror before the chosen camera, until a game begins or people stop.

        Raises:
            InputError: a game is being played, there is no camera, or it cannot be opened.
        """
        with self._beginning:
            if self.mirror is not None:
                return
            if self.session is not None:
                raise InputError(Phrase("A game is being played: practise before it or after it."))
            if self._practice is None or self.choices.camera is None:
                raise InputError(Phrase("Practice needs a camera: choose one on the page “New game”."))
            self._look_away()
            opened = self._practice(self.choices)
            self.reading_source = self.mirror = opened.__enter__()
            self._previewed = opened

    def stop_practising(self) -> None:
        """Close the practice mirror, if it is open."""
        with self._beginning:
            if self.mirror is not None:
                self._look_away()

    def look_away(self, reading_source: ReadingSource | None = None) -> None:
        """Let go of the camera that was looked through; a practice goes on.

        Args:
            reading_source: is to stop, unless another one looks by now; None stops whichever does.
        """
        with self._beginning:
            if self.mirror is None and reading_source in {None, self.reading_source}:
                self._look_away()

    def give_phone(self, visitor: Visitor, player: str) -> None:
        """A visitor's phone becomes that of a player.

        Raises:
            AccessError: nobody is called so, the phone is somebody's already, or the player has another one.
        """
        if player not in self.players:
            raise AccessError(Phrase("That player does not play: load the page once more."))
        self.access.choose(visitor, player)

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Tell somebody when a session begins or ends, on the thread that did it; returns what ends that."""
        return self._changes.listen(callback)

    def _close(self) -> None:
        opened, self._opened, self.session = self._opened, None, None
        if opened is not None:
            opened.__exit__(None, None, None)

    def _look_away(self) -> None:
        previewed, self._previewed = self._previewed, None
        self.reading_source = self.mirror = None
        if previewed is not None:
            previewed.__exit__(None, None, None)

    def _tell(self) -> None:
        self._changes.tell()
