"""A table with one doubtful player, for tests of questions. Readings are canned; everything else is real."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.session.table_state import TableState, idle_phase
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer
from tests.doubles import CannedFootage, CannedTracker

if TYPE_CHECKING:
    from typing import TypeAlias

    import pytest

    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading

    BothSides: TypeAlias = tuple[HeadgearProbabilities, HeadgearProbabilities]

BAM_S = 0.4
SURE_ANTLER = HeadgearProbabilities(antler=0.998, ear=0.001, neither=0.001, wide=0.998, up=0.998)
SURE_EAR = HeadgearProbabilities(antler=0.001, ear=0.998, neither=0.001, straight=0.998, top=0.998)
SURE_EARS = (SURE_EAR, SURE_EAR)
DOUBTFUL_SPREAD = replace(SURE_ANTLER, wide=0.6)


def party_with_doubt(party: FrameReading, reader: Reader, blue_shows: BothSides = SURE_EARS) -> FrameReading:
    """Return a reading in which Blue shows `TS TS` by default, and Green `WU WU` with a doubtful left spread."""
    blue, green = party.players
    return replace(
        party,
        players=(
            _showing(blue, *blue_shows, reader),
            _showing(green, DOUBTFUL_SPREAD, SURE_ANTLER, reader),
        ),
    )


def _showing(
    player: PlayerReading, left: HeadgearProbabilities, right: HeadgearProbabilities, reader: Reader
) -> PlayerReading:
    limits = reader.settings.headgear
    headgear = {
        side: replace(player.headgear[side], probabilities=likely, unclear=likely.unclear(limits))
        for side, likely in ((Side.LEFT, left), (Side.RIGHT, right))
    }
    tongue = replace(player.tongue, probability_out=0.001, unclear=False, confidence=0.999)
    return replace(player, headgear=headgear, tongue=tongue)


@dataclass
class DoubtfulTable:
    """A referee and a game of Red, Blue and Green at Bam."""

    file: GameFile
    referee: Referee
    said: list[str]
    footage: CannedFootage

    @classmethod
    def open(
        cls,
        file: GameFile,
        reader: Reader,
        party: FrameReading,
        monkeypatch: pytest.MonkeyPatch,
        *,
        blue_shows: BothSides = SURE_EARS,
        **asking: Any,
    ) -> DoubtfulTable:
        """Set the table; `asks` and `asks_everything` are passed to the referee."""
        reading, said = party_with_doubt(party, reader, blue_shows), list[str]()
        players = tuple(FrozenPlayer(player.seat, player) for player in reading.players)
        frozen = Freeze(reading, players, None)
        monkeypatch.setattr("bunnymoose_cv.referee.round_reader.freeze", lambda *_, **__: frozen)
        tracker: Any = CannedTracker(reading)
        referee = Referee(file, tracker, reader, say=said.append, keeper=None, notify=said.append, **asking)
        return cls(file, referee, said, CannedFootage(party.image, 0.0, BAM_S, 3.0))

    def bam(self) -> None:
        """Freeze, and judge."""
        self.referee.bam("test")
        self.referee.judge(self.footage, BAM_S)

    @property
    def state(self) -> TableState:
        """Return the state that the screen receives."""
        referee, file = self.referee, self.file
        return TableState(
            version=1,
            game=file.game,
            entries=file.entries,
            folder=file.folder,
            camera=CameraState.WATCHING,
            problem="",
            phase=idle_phase(file.game),
            asked=referee.questions.asked,
            judged=referee.judged,
            deal=None,
            said=tuple(self.said),
            changes=None,
            asked_again=referee.questions.asked_again,
            asks_everything=referee.questions.asking.everything,
        )
