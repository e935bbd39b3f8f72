"""Host of the server: set-up, game and films of an evening, with their pages' listeners and the players' phones.

`begin` and `end` may take seconds. Listeners are called on the thread that made the change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.camera_owner import CameraOwner
from bunnymoose_cv.web.auth.permissions import AccessError
from bunnymoose_cv.web.live.past_evenings import FilmJobs
from bunnymoose_cv.web.live.player_styles import same_colours, styles_of
from bunnymoose_cv.web.live.setup_state import SetupState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.record.game_folders import StoredGame
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.session.cards.deck_enrolment import DeckEnrolment
    from bunnymoose_cv.session.cards.table_card_reader import TableCardReader
    from bunnymoose_cv.session.game_setup import GameSetup
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_factory import TableFactory
    from bunnymoose_cv.session.table_state import LatestReading, TableState
    from bunnymoose_cv.web.auth.access import Access, Visitor
    from bunnymoose_cv.web.live.player_styles import PlayerStyle


class SessionView(Protocol):
    """Part of a session without commands; those are given in web/commands alone, where each declares its permission."""

    @property
    def state(self) -> TableState:
        """Current state of the table."""

    @property
    def latest_reading(self) -> LatestReading | None:
        """Newest reading of the waiting table."""

    @property
    def texts(self) -> Texts:
        """Texts in the language of the game."""

    def listen(self, callback: Callable[[TableState], None]) -> Callable[[], None]:
        """Register a listener for each state, called on the session's thread, and return its unsubscribe function."""


class Host:
    """Host of one evening, from which pages are built.

    Args:
        choices: the first set-up of the next game.
        factory: opens everything that looks through the camera; None for a host that shows stored games alone.
        cameras: titles of the offered cameras; a request names one by its index.
        card_reader: reads photographs of the cards; None if nothing can.
        enrolment: enrols the players' own deck; None without one.

    Attributes:
        change_count: the number of changes that were announced to listeners.
        home: the owner's first page; None for the table or, before a game, the set-up.
        addresses: addresses of the screen: first on this computer, then in the local network.
    """

    def __init__(  # noqa: PLR0913 - parts of a server
        self,
        games: GameStore,
        access: Access,
        choices: GameSetup,
        factory: TableFactory | None = None,
        cameras: Sequence[str] = (),
        *,
        card_reader: TableCardReader | None = None,
        enrolment: DeckEnrolment | None = None,
    ) -> None:
        self.games = games
        self.access = access
        self.card_reader = card_reader
        self.enrolment = enrolment
        self._changes: Observable[[]] = Observable()
        self.camera = CameraOwner(factory, choices, self.notify_change)
        self.films = FilmJobs(lambda: self.session is not None and self.session.state.judging, self.notify_change)
        self.setup = SetupState(self.camera, factory, cameras, self.notify_change)
        self.change_count = 0
        self.home: str | None = None
        self.addresses: tuple[str, ...] = ()
        access.narrator = lambda: self.narrator
        access.plays = lambda player: self.session is None or player in self.players
        access.asked = lambda: () if self.session is None else self.session.state.every_asked

    @property
    def choices(self) -> GameSetup:
        """Set-up of the next game."""
        return self.camera.setup

    @property
    def session(self) -> SessionView | None:
        """Read-only view of the running game."""
        return self.camera.session

    @property
    def texts(self) -> Texts:
        """Texts in the language of the table."""
        return Texts(self.choices.language) if self.session is None else self.session.texts

    @property
    def players(self) -> tuple[str, ...]:
        """Players of the current or the next game."""
        return self.choices.players if self.session is None else self.session.state.game.players

    @property
    def styles(self) -> Mapping[str, PlayerStyle]:
        """Style of each of these players."""
        played = self.choices if self.session is None else self.session.state.game
        return styles_of(played.players, played.colours)

    @property
    def runs(self) -> bool:
        """Return whether a game is being played that is not over."""
        return self.session is not None and self.session.state.game.phase is not Phase.OVER

    @property
    def narrator(self) -> str | None:
        """Narrator of the open round; None if no game runs."""
        return self.session.state.game.narrator if self.session is not None and self.runs else None

    @property
    def latest_reading(self) -> LatestReading | None:
        """Newest reading of the table; None without one."""
        return None if self.camera.user is None else self.camera.user.latest_reading

    @property
    def is_blind(self) -> bool:
        """Return whether the camera of the game, or of the preview before it, shows nothing any more."""
        preview = self.camera.preview.opened
        if self.session is not None:
            return self.session.state.camera.is_blind
        return preview is not None and preview.camera.is_blind

    @property
    def folder(self) -> Path | None:
        """Folder of the running game."""
        return None if self.session is None else self.session.state.folder

    def require_session(self) -> Session:
        """Return the running game, for commands with a permission; raise an `InputError` without one."""
        if self.camera.session is None:
            raise InputError(Phrase("No game is running any more."))
        return self.camera.session

    def choose(self, setup: GameSetup) -> None:
        """Change the set-up of the next game; phones of renamed players follow the new names."""
        before, self.camera.setup = self.choices.players, setup
        if self.session is None and len(before) == len(setup.players):
            pairs = zip(before, setup.players, strict=True)
            names = {old: new for old, new in pairs if old not in setup.players and new not in before}
            self.access.rename(names)
        self.notify_change()

    def begin(self, setup: GameSetup, *, resume: bool = False) -> None:
        """Begin or resume a game; a running one ends, and is stored, but only if the new one can be opened."""
        self.camera.begin(setup, resume=resume)
        phones = tuple(phone.player for phone in self.access.phones if phone.player is not None)
        self.access.rename(same_colours(phones, setup.players))
        self.notify_change()

    def end(self) -> None:
        """Release the camera and end the running game, which is stored."""
        self.camera.end()
        self.notify_change()

    def delete(self, game: StoredGame) -> None:
        """Delete an evening after ending it if it is being played. Pages are notified when it is gone."""
        try:
            if game.folder == self.folder:
                self.camera.end()
            self.games.delete(game)
        finally:
            self.notify_change()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Register a listener for changes of set-up, game, films and evenings, and return its unsubscribe function."""
        return self._changes.listen(callback)

    def notify_change(self) -> None:
        """Notify the listeners that pages show something else."""
        self.change_count += 1
        self._changes.notify()

    def assign_phone(self, visitor: Visitor, player: str, *, shares: bool) -> None:
        """Assign a visitor's phone to a player; raise an `AccessError` if either has another one, or does not play."""
        if player not in self.players:
            raise AccessError(Phrase("That player is not in the game: reload the page."))
        self.access.choose(visitor, player, shares=shares)

    def is_phone_unused(self, visitor: Visitor) -> bool:
        """Return whether a phone has done nothing in the game yet, so that it may be given to another player."""
        return self.session is None or all(entry.who != visitor.name for entry in self.session.state.entries)

    def give_phone_back(self, visitor: Visitor) -> None:
        """Undo the assignment of a visitor's phone; raise an `AccessError` if it has done something in the game."""
        if visitor.player is None or not self.is_phone_unused(visitor):
            raise AccessError(Phrase("This phone already belongs to a player: let the table remove it first."))
        self.access.give_back(visitor)
