"""Services of a game, opened and closed together: reader, voice, keeper of the evidence."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.session.notices import Notices
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.voice.speaker import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from threading import Event

    from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.rules.exemptions import Exemption
    from bunnymoose_cv.vision.reader import Reader


@dataclass(frozen=True, slots=True)
class Spoken:
    """Output of announcements.

    Attributes:
        aloud: whether a voice says it.
        voice: the voice's name; None takes the language's own.
    """

    language: Language
    aloud: bool = True
    voice: str | None = None


@dataclass(frozen=True, slots=True)
class Services:
    """Open services of a game.

    Attributes:
        reader: the models; None where there is no camera.
        tracker: keeps an eye on its players; None likewise.
        speaker: says what is announced; None stays silent.
        notices: where each room tells what hinders it.
        exemptions: parts that are not judged of a player, by name.
    """

    file: GameFile
    reader: Reader | None
    tracker: Tracker | None
    keeper: EvidenceKeeper
    speaker: Speaker | None
    language: Language
    notices: Notices
    exemptions: Mapping[str, frozenset[Exemption]] = field(default_factory=dict)

    def say(self, line: str) -> Event | None:
        """Let the table hear a line.

        Returns:
            As of `Speaker.say`; None where there is no voice.
        """
        return None if self.speaker is None else self.speaker.say(line, self.language)

    def referee(self, say: Callable[[str], object], *, asks: bool, asks_everything: bool = False) -> Referee:
        """Make the referee of the game.

        Args:
            asks: whether a move in doubt waits for a person.
            asks_everything: whether every unclear field does.
        """
        return Referee(
            self.file,
            self.tracker,
            self.reader,
            say=say,
            keeper=self.keeper,
            tell=self.notices.tell,
            asks=asks,
            asks_everything=asks_everything,
            language=self.language,
            exemptions=self.exemptions,
        )


@contextmanager
def open_services(
    file: GameFile,
    reader: Reader | None,
    spoken: Spoken,
    tell: Callable[[str], None],
    profiles: PlayerProfiles | None = None,
) -> Iterator[Services]:
    """Open the services of a game, and close them afterwards.

    Args:
        file: the game; whoever opened it closes it.
        reader: the models; likewise. None where nothing looks at the players.
        profiles: of players, with their exemptions; None uses none.
    """
    notices = Notices(tell)
    exemptions: Mapping[str, frozenset[Exemption]] = {}
    if reader is not None and profiles is not None:
        exemptions = profiles.exemptions(file.game.players, notices.tell)
    with ExitStack() as stack:
        speaker = stack.enter_context(Speaker(spoken.voice, tell=notices.tell)) if spoken.aloud else None
        keeper = EvidenceKeeper(file.folder, notices.tell)
        stack.callback(keeper.finish)
        tracker = None if reader is None else Tracker(reader, len(file.game.players) - 1)
        yield Services(file, reader, tracker, keeper, speaker, spoken.language, notices, exemptions)
