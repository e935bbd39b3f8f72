"""Shared fixtures of sessions: an evening of rendered clips, sessions of it, and a listener to every state."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from threading import Condition
from typing import Any

import pytest

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import Settings
from bunnymoose_cv.cues.bam import BamProfile
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.referee.script import Script, read_script
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.session.game_setup import GameSetup, load_dealer_setup
from bunnymoose_cv.session.services import open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.video_source import NoVideoSource, VideoSource
from bunnymoose_cv.session.table_state import TableState
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from tests.doubles import EVENING_PX, PLAYERS, CannedReader, CannedVideoSource, row_reading
from tests.unit.session.playing import CARDS, PHONE, done

OpenSitting = Callable[..., Session]
Watch = Callable[[Session], Any]


PATIENCE_S = 60.0
POSES = ("WU WU", "TS TS", "WU CD t")


class Watching:
    """Observer that sees every state of a session and may wait for one."""

    def __init__(self, session: Session) -> None:
        self.states: list[TableState] = []
        self.heard: list[str] = []
        self._changed = Condition()
        session.listen_to_lines(self.heard.append)
        with self._changed:  # so that no state is missed between the current one and the first that is heard of
            self.stop = session.listen(self._saw)
            self.states.append(session.state)

    def _saw(self, state: TableState) -> None:
        with self._changed:
            self.states.append(state)
            self._changed.notify_all()

    def until(self, holds: Callable[[TableState], bool]) -> TableState:
        """Return the first state from now on for which a predicate holds."""
        with self._changed:
            assert self._changed.wait_for(lambda: holds(self.states[-1]), PATIENCE_S), "it never came to that"
            return self.states[-1]


@pytest.fixture(scope="session")
def evening() -> Script:
    """Return twelve rounds of three rendered players each."""
    return read_script(Path(__file__).parents[3] / "fixtures" / "evening" / "evening.toml")


@pytest.fixture
def watch() -> Callable[[Session], Watching]:
    """Return a function that begins to watch a session."""
    return Watching


@pytest.fixture(scope="session")
def row() -> FrameReading:
    """Return a canned reading of the three players in a small image."""
    return row_reading(POSES)


@pytest.fixture
def canned_evening(evening: Script, row: FrameReading) -> CannedVideoSource:
    """Return a video source of the evening's rounds without its clips."""
    return CannedVideoSource(evening, row.image)


@pytest.fixture(scope="session")
def player(reader: Reader) -> Callable[[str], PlayerReading]:
    """Return a function that reads a rendered player."""

    @cache
    def read(name: str) -> PlayerReading:
        (found,) = reader.read(read_image(PLAYERS / f"{name}.jpg")).players
        return found

    return read


@pytest.fixture
def open_sitting(row: FrameReading, quick_settings: Settings, evening: Script, tmp_path: Path) -> Iterator[OpenSitting]:
    """Yield a function that opens a session with canned readings; the next session continues the same game."""
    with ExitStack() as stack:
        reader = stack.enter_context(CannedReader(row, quick_settings))
        yield partial(open_session, stack, reader, evening, tmp_path / "games")


@pytest.fixture
def open_clip_sitting(quick_settings: Settings, evening: Script, tmp_path: Path) -> Iterator[OpenSitting]:
    """Yield the same function with players in the evening's clips."""
    with ExitStack() as stack:
        reader = stack.enter_context(CannedReader(row_reading(POSES, EVENING_PX), quick_settings))
        yield partial(open_session, stack, reader, evening, tmp_path / "games")


@pytest.fixture
def session(open_sitting: OpenSitting) -> Session:
    """Return a session without a camera, in which all facts are entered by hand."""
    return open_sitting(NoVideoSource())


@pytest.fixture
def at_bam(session: Session) -> Session:
    """Return that session after Bam, with cards on the table."""
    done(session.submit_cards(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    return session


def open_session(  # noqa: PLR0913 - what a test may want
    stack: ExitStack,
    reader: Reader,
    evening: Script,
    games: Path,
    source: VideoSource,
    *,
    asks: bool = True,
    tempo_s: float | None = None,
    language: Language = Language.ENGLISH,
    aloud: bool = False,
    bam: BamProfile | None = None,
) -> Session:
    """Open a session that ends with the stack."""
    started = GameStarted(evening.players, evening.rules)
    file = stack.enter_context(open_game(GameStore(games), started, source="evening", resume=True))
    setup = GameSetup(started.players, started.rules, language=language, speaks=aloud, seed=5)
    services = stack.enter_context(open_services(file, reader, setup, lambda _: None))
    dealing = None if tempo_s is None else load_dealer_setup(replace(setup, tempo_s=tempo_s))
    return stack.enter_context(Session(services, source, asks=asks, dealing=dealing, bam=bam))
