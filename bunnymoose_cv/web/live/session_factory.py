"""Factory of games and previews as people chose them; the models, a second to open, are held over all of them."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.calibration.profiles.player_profiles import default_player_profiles
from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles
from bunnymoose_cv.capture.live import lasting_name, shown_name
from bunnymoose_cv.capture.orientation import View
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.session.camera_preview import Preview
from bunnymoose_cv.session.dealer_setup import load_dealer_setup
from bunnymoose_cv.session.opened_game import open_game, opened_game, resume_game
from bunnymoose_cv.session.practice.practice_session import PracticeSession
from bunnymoose_cv.session.practice.takes import Takes, default_takes_folder
from bunnymoose_cv.session.services import Spoken
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.session_video_source import SessionVideoSource
from bunnymoose_cv.session.source_choice import NO_CAMERA
from bunnymoose_cv.session.table_camera import TableCamera
from bunnymoose_cv.session.table_checker import TableChecker
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.voice.speaker import Speaker
from bunnymoose_cv.web.live.card_choices import cards_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.session.source_choice import SourceChoice
    from bunnymoose_cv.session.table_card_reader import TableCardReader
    from bunnymoose_cv.web.live.setup_choices import Choices, ChoicesFile


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """A camera before the cards."""

    where: str
    reader: TableCardReader


class SessionFactory:
    """Factory of a host's games, from `with` to its end.

    Args:
        sources: the cameras that are offered, by their index.
        seed: all chance of the dealer follows from it; None takes one by chance.
        deck: of people's own box, where they play with one.
        watched: the camera that watches the cards fall; None where none does.
    """

    def __init__(  # noqa: PLR0913 - what a game is opened with
        self,
        games: GameStore,
        sources: Sequence[SourceChoice],
        file: ChoicesFile,
        tell: Callable[[str], None],
        *,
        bam: BamProfile | None = None,
        seed: int | None = None,
        deck: Deck | None = None,
        watched: WatchedTable | None = None,
    ) -> None:
        self._games = games
        self._sources = tuple(sources)
        self._file = file
        self._tell = tell
        self._bam = bam
        self._seed = seed
        self._deck = deck
        self._watched = watched
        self._settings = load_settings()
        self._cleared: list[str] = []
        self._stack = ExitStack()
        self._reader: Reader | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def cameras(self) -> tuple[str, ...]:
        """Titles of the offered sources."""
        return tuple(source.title for source in self._sources)

    def session(self, choices: Choices) -> AbstractContextManager[Session]:
        """Make a new game, to be opened with `with`, and keep the choices.

        Raises:
            InputError: it cannot be begun so.
        """
        return self._open(choices)

    def left(
        self, choices: Choices, since: datetime | None = None, cameras: Sequence[int | None] | None = None
    ) -> Choices | None:
        """Choices that resume the newest unfinished game; None where there is none.

        Args:
            choices: for all that a game does not keep.
            since: it began then or later.
            cameras: what it looked at; None for any that is offered, and for none.
        """
        offered = cameras or (*range(len(self._sources)), None)
        by_place = {self._source(camera).place: camera for camera in offered}
        game = self._games.unfinished(*by_place, since=since)
        if game is None:
            return None
        with GameFile.open(game.folder) as file:
            kept, camera = file.game, by_place[file.source]
        return replace(choices, players=kept.players, rules=kept.rules, colours=kept.colours, camera=camera)

    def last_table(self, choices: Choices) -> Choices | None:
        """Choices of the table that was used last; None where it is chosen already, or its camera is missing."""
        table = default_table_profiles().last()
        camera = "" if table is None else shown_name(table.camera)
        if table is None or camera not in self.cameras:
            return None
        again = replace(choices, players=table.players or choices.players, camera=self.cameras.index(camera))
        if again.players != choices.players:
            again = replace(again, colours=())
        return None if again == choices else again

    def go_on(self, choices: Choices) -> AbstractContextManager[Session]:
        """Resume the game that was left with these choices, to be opened with `with`.

        Raises:
            InputError: it cannot be gone on with.
        """
        left = self._games.unfinished(self._source(choices.camera).place)
        if left is None:
            raise InputError(Phrase("No game waits to be gone on with: begin a new one."))
        return self._open(choices, left)

    @contextmanager
    def _open(self, choices: Choices, left: StoredGame | None = None) -> Iterator[Session]:
        source = self._source(choices.camera)
        # A game that was left goes on by the names that it was begun with, whatever they are.
        as_begun = GameStarted(choices.players, choices.rules, choices.colours)
        started = choices.started() if left is None else as_begun
        seed = SystemRandom().randrange(1_000_000) if self._seed is None else self._seed
        dealing = load_dealer_setup(choices.rules, choices.language, seed, choices.tempo_s, self._deck)
        spoken = Spoken(choices.language, choices.speaks, choices.voice)
        reader = None if source is NO_CAMERA else self.reader()
        self._file.write(choices, self.cameras)
        camera = lasting_name(source.where)
        if left is None:
            file = open_game(self._games, started, source=source.place)
        else:
            file = resume_game(self._games, left, started)
        with (
            opened_game(
                self._games,
                file,
                reader,
                spoken,
                self._tell,
                record=self._settings.record,
                tell_of_clearing=self._tell_of_clearing,
            ) as services,
            Session(
                services,
                source.make(),
                asks_everything=choices.asks_everything,
                dealing=dealing,
                bam=self._bam,
            ) as session,
            self._table_camera(session, services.notices.tell),
        ):
            if camera is not None:  # by now it has given an image
                default_table_profiles().remember(camera, started.players, self._tell)
            for sentence in self._cleared:
                services.notices.tell(sentence)
            self._cleared.clear()
            yield session

    @contextmanager
    def _table_camera(self, session: Session, tell: Callable[[str], None]) -> Iterator[None]:
        """Watch the cards fall, where a camera does.

        Raises:
            InputError: it cannot be opened.
        """
        if self._watched is None:
            yield
            return
        settings = self._settings.camera
        watcher = Watcher(self._watched.where, View.of(settings), settings)  # delay_s is that of the players' camera
        with TableCamera(watcher, self._watched.reader, session, lambda game: cards_of(game, self._deck), tell):
            yield

    def _tell_of_clearing(self, sentence: str) -> None:
        """Tell of a cleared game now in the terminal, and on the screen when the next game opens."""
        self._tell(sentence)
        self._cleared.append(sentence)

    def preview(self, choices: Choices) -> Preview:
        """Preview of the chosen camera, to be opened with `with`.

        Raises:
            InputError: the players cannot play so.
        """
        return Preview(self._source(choices.camera).make(), self.reader(), choices.started())

    @contextmanager
    def practice(self, choices: Choices) -> Iterator[PracticeSession]:
        """Practice before the chosen camera.

        Raises:
            InputError: it cannot be opened.
        """
        source = self._source(choices.camera).make()
        source.follow(fold([choices.started()]))  # so that a script shows something, too
        with PracticeSession(source, self.reader(), Random(self._seed), Takes(default_takes_folder())) as session:
            yield session

    def check(self, choices: Choices, session: Session | None) -> TableChecker:
        """Make a check of the table, to be opened with `with`; with the camera of a running game.

        Raises:
            InputError: the models are not there.
        """
        if session is not None:
            return TableChecker(SessionVideoSource(session), self.reader(), alone=False)
        source = self._source(choices.camera).make()
        source.follow(fold([choices.started()]))  # so that a script shows something, too
        return TableChecker(source, self.reader())

    @contextmanager
    def warm_up(self, choices: Choices) -> Iterator[WarmUpGuide]:
        """Warm-up before the chosen camera; the first narrator sits down at the right end of the row.

        Raises:
            InputError: it cannot be opened, or nobody could play so.
        """
        started, source, texts = choices.started(), self._source(choices.camera).make(), Texts(choices.language)
        source.follow(fold([started]))  # so that a script shows something, too
        players = (*started.players[1:], started.players[0])
        with ExitStack() as stack:
            speaker = stack.enter_context(Speaker(choices.voice, tell=self._tell)) if choices.speaks else None

            def say(line: Phrase) -> None:
                if speaker is not None:
                    speaker.silence()
                    speaker.say(texts(line), choices.language)

            guide = WarmUpGuide(source, self.reader(), players, default_player_profiles(), say)
            yield stack.enter_context(guide)
            if speaker is not None:
                speaker.silence()

    def reader(self) -> Reader:
        """Reader of images, opened at first use.

        Raises:
            InputError: they are not there.
        """
        if self._reader is None:
            self._reader = self._stack.enter_context(Reader(self._settings))
        return self._reader

    def _source(self, camera: int | None) -> SourceChoice:
        return NO_CAMERA if camera is None else self._sources[camera]
