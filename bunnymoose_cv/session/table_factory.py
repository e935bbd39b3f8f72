"""Factory of games, previews, practices, warm-ups and checks for a set-up, with models that stay open."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.live import lasting_name, shown_name
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.rules.deck import deck_of
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.session.cards.table_camera import TableCamera
from bunnymoose_cv.session.game_setup import load_dealer_setup
from bunnymoose_cv.session.practice.practice import PracticeSession
from bunnymoose_cv.session.practice.takes import Takes, default_takes_folder
from bunnymoose_cv.session.services import open_game, opened_game, resume_game
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.source_actor import Preview
from bunnymoose_cv.session.source_choice import NO_CAMERA
from bunnymoose_cv.session.sources.table_checker import SessionVideoSource, TableChecker
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.voice.speaker import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.record.game_folders import StoredGame
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.cards.table_card_reader import TableCardReader
    from bunnymoose_cv.session.game_setup import GameSetup, GameSetupFile
    from bunnymoose_cv.session.source_choice import OfferedSources
    from bunnymoose_cv.session.sources.video_source import VideoSource


@dataclass(frozen=True, slots=True)
class CardCamera:
    """Second camera, which watches the cards."""

    where: str
    reader: TableCardReader


class TableFactory:
    """Factory of everything that looks through the camera of a table, from `with` to its end.

    The models, which take a second to open, are opened at first use and kept. Each method raises an `InputError` if
    something cannot be opened.

    Args:
        file: the file that stores the set-up of each game that begins.
        notify: called with each sentence for the terminal.
        card_camera: the camera that watches the cards; None without one.
    """

    def __init__(  # noqa: PLR0913 - parts of a table
        self,
        games: GameStore,
        sources: OfferedSources,
        file: GameSetupFile,
        notify: Callable[[str], None],
        *,
        bam: BamProfile | None = None,
        card_camera: CardCamera | None = None,
    ) -> None:
        self.sources = sources
        self._games, self._file, self._notify = games, file, notify
        self._bam, self._card_camera = bam, card_camera
        self._settings = load_settings()
        self._cleared: list[str] = []
        self._stack = ExitStack()
        self._reader: Reader | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def reader(self) -> Reader:
        """Return the reader of images, opened at first use; raise an `InputError` if the models are missing."""
        if self._reader is None:
            self._reader = self._stack.enter_context(Reader(self._settings))
        return self._reader

    # Games.

    def unfinished(
        self, setup: GameSetup, since: datetime | None = None, cameras: Sequence[int | None] | None = None
    ) -> GameSetup | None:
        """Return the set-up that resumes the newest unfinished game; None if all are finished.

        Args:
            setup: values that a game does not store.
            since: the earliest start of the game; None for any.
            cameras: the allowed cameras of the game; None for every offered one, and for none.
        """
        offered = cameras or (*range(len(self.sources.titles)), None)
        by_place = {self.sources.choice(camera).place: camera for camera in offered}
        game = self._games.unfinished(*by_place, since=since)
        if game is None:
            return None
        with GameFile.open(game.folder) as file:
            stored, camera = file.game, by_place[file.source]
        return replace(setup, players=stored.players, rules=stored.rules, colours=stored.colours, camera=camera)

    def last_table(self, setup: GameSetup) -> GameSetup | None:
        """Return the set-up with the last table; None if it is chosen already, or its camera is missing."""
        table, titles = default_profile_files().last_table(), self.sources.titles
        camera = "" if table is None else shown_name(table.camera)
        if table is None or camera not in titles:
            return None
        again = replace(setup, players=table.players or setup.players, camera=titles.index(camera))
        if again.players != setup.players:
            again = replace(again, colours=())
        return None if again == setup else again

    def game(self, setup: GameSetup) -> AbstractContextManager[Session]:
        """Make a new game, to be opened with `with`, and store its set-up."""
        return self._open(setup)

    def resume(self, setup: GameSetup, folder: Path | None = None) -> AbstractContextManager[Session]:
        """Make a session that resumes a game, to be opened with `with`; raise an `InputError` if that is impossible.

        Without a folder it is the unfinished game of the set-up's camera. The folder of a game that has just been
        closed begins again if it was deleted because nothing had happened in it.
        """
        if folder is not None:
            return self._open(setup, next((game for game in self._games if game.folder == folder), None))
        unfinished = self._games.unfinished(self.sources.choice(setup.camera).place)
        if unfinished is None:
            raise InputError(Phrase("There is no game to go on with: begin a new one."))
        return self._open(setup, unfinished)

    def rehearse(self, setup: GameSetup, playing: GameSetup) -> None:
        """Raise an `InputError` if a game cannot be opened while another one, whose camera is open, is being played."""
        load_dealer_setup(setup)
        source = self.sources.choice(setup.camera)
        if source is NO_CAMERA:
            return
        self.reader()
        if source.place != self.sources.choice(playing.camera).place:
            with source.make():
                pass

    @contextmanager
    def _open(self, setup: GameSetup, unfinished: StoredGame | None = None) -> Iterator[Session]:
        source = self.sources.choice(setup.camera)
        # An unfinished game is resumed under the names it was begun with, even if they would be refused now.
        as_stored = GameStarted(setup.players, setup.rules, setup.colours)
        started = setup.started() if unfinished is None else as_stored
        dealing = load_dealer_setup(setup)
        reader = None if source is NO_CAMERA else self.reader()
        self._file.write(setup, self.sources.titles)
        camera = lasting_name(source.where)
        if unfinished is None:
            file = open_game(self._games, started, source=source.place)
        else:
            file = resume_game(self._games, unfinished, started)
        with (
            opened_game(
                self._games,
                file,
                reader,
                setup,
                self._notify,
                record=self._settings.record,
                report_deletion=self._report_clearing,
            ) as services,
            Session(services, source.make(), dealing=dealing, bam=self._bam) as session,
            self._watch_cards(session, setup, services.notices.notify),
        ):
            if camera is not None:  # the camera has given an image by now
                default_profile_files().remember_table(camera, started.players, self._notify)
            for sentence in self._cleared:
                services.notices.notify(sentence)
            self._cleared.clear()
            yield session

    @contextmanager
    def _watch_cards(self, session: Session, setup: GameSetup, notify: Callable[[str], None]) -> Iterator[None]:
        """Watch the cards with the second camera, if there is one; raise an `InputError` if it cannot be opened."""
        if self._card_camera is None:
            yield
            return
        settings = self._settings.camera
        watcher = Watcher(self._card_camera.where, View.of(settings), settings)  # delay_s is of the players' camera

        def cards_of(game: Game) -> Table:
            return game.round_rules.cards(deck_of(game.rules, setup.deck))

        with TableCamera(watcher, self._card_camera.reader, session, cards_of, notify):
            yield

    def _report_clearing(self, sentence: str) -> None:
        """Report a deleted evening in the terminal now, and on the screen when the next game opens."""
        self._notify(sentence)
        self._cleared.append(sentence)

    # Uses of the camera before or beside a game.

    def preview(self, setup: GameSetup) -> Preview:
        """Make a preview of the chosen camera, to be opened with `with`."""
        return Preview(self.sources.choice(setup.camera).make(), self.reader(), setup.started())

    def practice(self, setup: GameSetup) -> PracticeSession:
        """Make a practice in front of the chosen camera, to be opened with `with`."""
        return PracticeSession(
            self._source_for(setup), self.reader(), Random(setup.seed), Takes(default_takes_folder())
        )

    def check(self, setup: GameSetup, session: Session | None) -> TableChecker:
        """Make a check of the table, to be opened with `with`, with the camera of the running game if there is one."""
        if session is not None:
            return TableChecker(SessionVideoSource(session), self.reader(), alone=False)
        return TableChecker(self._source_for(setup), self.reader())

    @contextmanager
    def warm_up(self, setup: GameSetup) -> Iterator[WarmUpGuide]:
        """Warm up in front of the chosen camera; the first narrator sits down at the right end of the row."""
        source, texts = self._source_for(setup), Texts(setup.language)
        players = setup.started().players
        with ExitStack() as stack:
            speaker = stack.enter_context(Speaker(setup.voice, notify=self._notify)) if setup.speaks else None

            def say(line: Phrase) -> None:
                if speaker is not None:
                    speaker.silence()
                    speaker.say(texts(line), setup.language)

            row = (*players[1:], players[0])
            yield stack.enter_context(WarmUpGuide(source, self.reader(), row, default_profile_files(), say))
            if speaker is not None:
                speaker.silence()

    def _source_for(self, setup: GameSetup) -> VideoSource:
        """Return the chosen source, which shows the seats of the first round if it is a script."""
        source = self.sources.choice(setup.camera).make()
        source.follow(fold([setup.started()]))
        return source
