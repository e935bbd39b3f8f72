"""Games of a store, begun or resumed, with their services: reader, voice, evidence keeper, notices."""

from __future__ import annotations

import math
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.player_names import name_key
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.voice.speaker import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from threading import Event

    from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
    from bunnymoose_cv.core.user_settings import RecordSettings
    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.game_folders import StoredGame
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.rules.events import GameStarted
    from bunnymoose_cv.rules.exemptions import Exemption
    from bunnymoose_cv.session.game_setup import GameSetup
    from bunnymoose_cv.vision.reader import Reader

BRIEF_S: Final = 12.0


class Notices:
    """Thread-safe store of the current notices; `listener` is called at once with each transient one."""

    def __init__(self, listener: Callable[[str], None]) -> None:
        self._listener = listener
        self._transient: dict[str, float] = {}
        self._lasting: dict[str, str] = {}
        self._lock = Lock()

    def notify(self, sentence: str) -> None:
        """Add a transient notice; it is shown until the round is over."""
        self._add(sentence, math.inf)

    def notify_briefly(self, sentence: str) -> None:
        """Add a notice about a fault that does not affect the game. It is shown for some seconds."""
        self._add(sentence, time.monotonic() + BRIEF_S)

    def _add(self, sentence: str, until_s: float) -> None:
        with self._lock:
            self._transient[sentence] = max(until_s, self._transient.get(sentence, until_s))
        self._listener(sentence)

    def keep(self, what: str, sentence: str) -> None:
        """Set the lasting notice of a part such as `camera`; an empty one means that the fault is over."""
        with self._lock:
            self._lasting[what] = sentence

    def forget(self) -> None:
        """Clear the transient notices, since the next round begins."""
        with self._lock:
            self._transient.clear()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Current notices, lasting ones first."""
        with self._lock:
            now_s = time.monotonic()
            transient = (sentence for sentence, until_s in self._transient.items() if now_s < until_s)
            return (*filter(None, self._lasting.values()), *transient)


@dataclass(frozen=True, slots=True)
class Services:
    """Open services of a game, with the exempt parts of each player by name.

    Without a camera, `reader` and `tracker` are None; without a voice, `speaker` is.
    """

    file: GameFile
    reader: Reader | None
    tracker: Tracker | None
    keeper: EvidenceKeeper
    speaker: Speaker | None
    setup: GameSetup
    notices: Notices
    exemptions: Mapping[str, frozenset[Exemption]] = field(default_factory=dict)

    @property
    def language(self) -> Language:
        """Language of the game."""
        return self.setup.language

    def say(self, line: str, is_wanted: Callable[[], bool] = lambda: True) -> Event | None:
        """Say a line; see `Speaker.say`. Return None without a voice."""
        return None if self.speaker is None else self.speaker.say(line, self.language, is_wanted)

    def referee(
        self,
        say: Callable[[str], object],
        ask: Callable[[str, str], object] | None = None,
        *,
        asks: bool,
    ) -> Referee:
        """Create the referee of the game."""
        return Referee(
            self.file,
            self.tracker,
            self.reader,
            say=say,
            ask=ask,
            keeper=self.keeper,
            notify=self.notices.notify,
            asks=asks,
            asks_everything=self.setup.asks_everything,
            language=self.language,
            exemptions=self.exemptions,
        )


@contextmanager
def open_services(
    file: GameFile,
    reader: Reader | None,
    setup: GameSetup,
    notify: Callable[[str], None],
    profiles: ProfileFiles | None = None,
) -> Iterator[Services]:
    """Open the services of a game, and close them afterwards; the caller closes the file and the reader."""
    notices = Notices(notify)
    exemptions: Mapping[str, frozenset[Exemption]] = {}
    if reader is not None and profiles is not None:
        exemptions = profiles.exemptions(file.game.players, notices.notify)
    with ExitStack() as stack:
        speaker = stack.enter_context(Speaker(setup.voice, notify=notices.notify_briefly)) if setup.speaks else None
        keeper = EvidenceKeeper(file.folder, notices.notify)
        stack.callback(keeper.finish)
        tracker = None if reader is None else Tracker(reader, len(file.game.players) - 1)
        yield Services(file, reader, tracker, keeper, speaker, setup, notices, exemptions)


@contextmanager
def opened_game(  # noqa: PLR0913 - parts of a game
    games: GameStore,
    file: GameFile,
    reader: Reader | None,
    setup: GameSetup,
    notify: Callable[[str], None],
    *,
    record: RecordSettings,
    report_deletion: Callable[[str], None] | None = None,
) -> Iterator[Services]:
    """Open the services of a game with the players' profiles; afterwards close the game and delete old ones.

    The file is closed with them. `report_deletion` is called with a sentence about each deleted game; None uses
    `notify`.
    """
    try:
        with file, open_services(file, reader, setup, notify, default_profile_files()) as services:
            yield services
    finally:
        games.leave(file)
    games.clear_out(record, report_deletion or notify, file.folder)


def open_game(
    games: GameStore, started: GameStarted, *, source: str, title: str = "", resume: bool = False
) -> GameFile:
    """Begin a new game, or resume the unfinished one of the same source, which is a script or camera.

    Raise an `InputError` if the unfinished game has other players or rules, or games cannot be stored here.
    """
    unfinished = games.unfinished(source) if resume else None
    if unfinished is None:
        return games.begin(started, title=title, source=source, who="people")
    return resume_game(games, unfinished, started)


def resume_game(games: GameStore, unfinished: StoredGame, started: GameStarted) -> GameFile:
    """Resume an unfinished game, whose spelling of the players' names remains.

    Raise an `InputError` if the game has other rules, other players (their names may differ in Unicode form and case),
    or is being played already.
    """
    file = games.resume(unfinished)
    same_players = list(map(name_key, file.game.players)) == list(map(name_key, started.players))
    if not same_players or file.game.rules != started.rules:
        file.close()
        raise InputError(
            f"The game {unfinished.name} was begun by other players or rules: play without --resume to begin a new one."
        )
    return file
