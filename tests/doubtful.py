"""A table at which one player is read with a doubt, for tests of who is asked: no frame is read, all else is real."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.session.table_state import TableState
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer
from tests.doubles import CannedFootage, CannedTracker

if TYPE_CHECKING:
    import pytest

    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading

BAM_S = 0.4
SURE_ANTLER = HeadgearProbabilities(antler=0.998, ear=0.001, neither=0.001, wide=0.998, up=0.998)
SURE_EAR = HeadgearProbabilities(antler=0.001, ear=0.998, neither=0.001, straight=0.998, top=0.998)
DOUBTFUL_SPREAD = replace(SURE_ANTLER, wide=0.6)


def party_with_doubt(party: FrameReading, reader: Reader) -> FrameReading:
    """Blue surely shows `TS TS`, Green `WU WU`, of which the left may be compact."""
    blue, green = party.players
    return replace(
        party,
        players=(
            _showing(blue, SURE_EAR, SURE_EAR, reader),
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
        cls, file: GameFile, reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch, **asking: Any
    ) -> DoubtfulTable:
        """Set the table; `asks` and `asks_everything` go to the referee."""
        reading, said = party_with_doubt(party, reader), list[str]()
        players = tuple(FrozenPlayer(player.seat, player) for player in reading.players)
        frozen = Freeze(reading, players, None)
        monkeypatch.setattr("bunnymoose_cv.referee.round_reader.freeze", lambda *_, **__: frozen)
        tracker: Any = CannedTracker(reading)
        referee = Referee(file, tracker, reader, say=said.append, keeper=None, tell=said.append, **asking)
        return cls(file, referee, said, CannedFootage(party.image, 0.0, BAM_S, 3.0))

    def bam(self) -> None:
        """Freeze, and judge."""
        self.referee.bam("test")
        self.referee.judge(self.footage, BAM_S)

    @property
    def state(self) -> TableState:
        """State that the screen is told."""
        referee, file = self.referee, self.file
        return TableState(
            version=1,
            game=file.game,
            entries=file.entries,
            folder=file.folder,
            camera=CameraState.WATCHING,
            problem="",
            paused=False,
            judging=False,
            asked=referee.asked,
            judged=referee.judged,
            deal=None,
            said=tuple(self.said),
            changes=None,
            asked_again=referee.asked_again,
            asks_everything=referee.asks_everything,
            dismissible=referee.can_dismiss,
        )
