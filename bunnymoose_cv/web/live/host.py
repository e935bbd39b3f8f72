"""Host of the server: people's choices, then one session after another, and who may see them.

`begin` and `end` may take seconds. Listeners are called on the thread that made the change.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import RLock
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.limits import EVENING_S
from bunnymoose_cv.web.live.camera_uses import CameraUses
from bunnymoose_cv.web.live.film_jobs import FilmJobs
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.setup_state import SetupState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.session.deck_enrolment import DeckEnrolment
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_card_reader import TableCardReader
    from bunnymoose_cv.session.table_state import LatestReading
    from bunnymoose_cv.web.auth.access import Access
    from bunnymoose_cv.web.live.player_styles import PlayerStyle
    from bunnymoose_cv.web.live.session_factory import SessionFactory
    from bunnymoose_cv.web.live.session_view import SessionView
    from bunnymoose_cv.web.live.setup_choices import Choices


_NO_GAME: Final = Phrase("No game runs any more.")


class Host:
    """Host that pages are built from.

    Args:
        choices: what the next game is begun with, until people choose otherwise.
        factory: opens games and looks through the camera; None for a host that shows stored games alone.
        cameras: the titles of the cameras that are offered; a request names one by its index.
        deck: of people's own box, where they play with one.
        card_reader: reads photographs of the cards; None where nothing can.
        enrolment: enrols the owner's own deck; None where none can be.
    """

    def __init__(  # noqa: PLR0913 - what a server serves
        self,
        games: GameStore,
        access: Access,
        choices: Choices,
        factory: SessionFactory | None = None,
        cameras: Sequence[str] = (),
        *,
        deck: Deck | None = None,
        card_reader: TableCardReader | None = None,
        enrolment: DeckEnrolment | None = None,
    ) -> None:
        self.games = games
        self.access = access
        self.choices = choices
        self.cameras = tuple(cameras)
        self.deck = deck
        self.card_reader = card_reader
        self.enrolment = enrolment
        self._factory = factory
        self._opened: AbstractContextManager[Session] | None = None
        self._opening = RLock()
        self._changes: Observable[[]] = Observable()
        self._session: Session | None = None
        self.camera = CameraUses(
            factory, self._opening, lambda: self.choices, lambda: self._session, self.notify_change
        )
        """Uses of the chosen camera, which pages open."""
        self.films = FilmJobs(lambda: self.session is not None and self.session.state.judging, self.notify_change)
        """Makes the films that people ask for."""
        self.setup = SetupState(self.camera.preview, lambda: (self.left(), self.last_table()), self.notify_change)
        """State of the set-up page besides the choices."""
        self.change_count = 0
        """Number of changes that listeners were told of."""
        self.home: str | None = None
        """The owner's first page; usually the table, before a game the set-up."""
        self.addresses: tuple[str, ...] = ()
        """Addresses of the screen: first on this computer, then in the local network."""
        access.narrator = lambda: self.narrator
        access.plays = lambda player: self.session is None or player in self.players

    @property
    def session(self) -> SessionView | None:
        """Read-only view of the running game."""
        return self._session

    @property
    def texts(self) -> Texts:
        """In the language of the table."""
        return Texts(self.choices.language) if self.session is None else self.session.texts

    @property
    def players(self) -> tuple[str, ...]:
        """Players of the current or the next game."""
        return self.choices.players if self.session is None else self.session.state.game.players

    @property
    def styles(self) -> Mapping[str, PlayerStyle]:
        """Style of each of them."""
        if self.session is None:
            return self.choices.styles
        game = self.session.state.game
        return styles_of(game.players, game.colours)

    @property
    def runs(self) -> bool:
        """True while a game is being played that is not over."""
        return self.session is not None and self.session.state.game.phase is not Phase.OVER

    @property
    def narrator(self) -> str | None:
        """Narrator of the open round; None while no game runs."""
        game = None if self.session is None else self.session.state.game
        return None if game is None or game.phase is Phase.OVER else game.narrator

    @property
    def latest_reading(self) -> LatestReading | None:
        """The newest look at the table."""
        reading_source = self.camera.reading_source if self.session is None else self.session
        return None if reading_source is None else reading_source.latest_reading

    @property
    def folder(self) -> Path | None:
        """Folder of the running game."""
        return None if self.session is None else self.session.state.folder

    def require_session(self) -> Session:
        """Return the game that is played, for commands whose permission was asked.

        Raises:
            InputError: none is.
        """
        if self._session is None:
            raise InputError(_NO_GAME)
        return self._session

    def choose(self, choices: Choices) -> None:
        """Change the choices of the next game, and tell the listeners."""
        self.choices = choices
        self.notify_change()

    def begin(self, choices: Choices) -> None:
        """Begin a game; one that is being played ends, and is kept.

        Raises:
            InputError: it cannot be begun so.
        """
        self._begin(None if self._factory is None else self._factory.session, choices)

    def left(self) -> Choices | None:
        """Choices that resume this evening's last game; None where it was played to its end, or there is none."""
        since = datetime.now(tz=UTC) - timedelta(seconds=EVENING_S)
        return None if self._factory is None else self._factory.left(self.choices, since)

    def last_table(self) -> Choices | None:
        """Choices with the last used table; None where it is chosen already, or there is none."""
        return None if self._factory is None else self._factory.last_table(self.choices)

    def go_on(self, left: Choices) -> None:
        """Go on with a game that was left.

        Raises:
            InputError: it cannot be gone on with.
        """
        self._begin(None if self._factory is None else self._factory.go_on, left)

    def _begin(self, opens: Callable[[Choices], AbstractContextManager[Session]] | None, choices: Choices) -> None:
        if opens is None:
            raise InputError(Phrase("No game can be begun here: start “bunnymoose play”."))
        with self._opening:
            opened = opens(choices)  # of the games that are left by now: the one that ends here is none of them
            self._close()
            self._session, self._opened, self.choices = opened.__enter__(), opened, choices
        self.notify_change()

    def end(self) -> None:
        """End the game that is being played; it is kept."""
        with self._opening:
            self._close()
        self.notify_change()

    def close(self) -> None:
        """Let go of the camera and end the game, which is kept."""
        self.end()

    def delete(self, game: StoredGame) -> None:
        """Take an evening away; the one that is played ends before. Pages look again once it is gone.

        Raises:
            InputError: it cannot be deleted.
        """
        try:
            if game.folder == self.folder:
                with self._opening:
                    self._close()
            self.games.delete(game)
        finally:
            self.notify_change()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Tell somebody when a session, a film begins or ends, other choices stand or an evening goes.

        Returns:
            What ends that.
        """
        return self._changes.listen(callback)

    def notify_change(self) -> None:
        """Tell the listeners that something else is to be seen."""
        self.change_count += 1
        self._changes.tell()

    def _close(self) -> None:
        self.camera.release()
        opened, self._opened, self._session = self._opened, None, None
        if opened is not None:
            opened.__exit__(None, None, None)
