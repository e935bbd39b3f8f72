"""Reading of a round: what a player declared as not to be judged is no movement."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.calibration.adaptation.player_calibration import PlayerCalibration
from bunnymoose_cv.referee.open_questions import AskPolicy
from bunnymoose_cv.referee.round_reader import RoundReader
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.rules.round import RoundFacts
from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer
from tests.doubles import CannedFootage, CannedTracker
from tests.doubtful import BAM_S, SURE_EAR, party_with_doubt

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading

FACTS = RoundFacts(1, "Red", ("Blue", "Green"), None, (), {}, rules_for())


def changed(player: PlayerReading, part: str, reader: Reader) -> PlayerReading:
    if part == "tongue":
        return replace(player, tongue=reader.tongue_reading(player.player.head, 0.999))
    side = Side[part.upper()]
    return replace(
        player, headgear={**player.headgear, side: replace(player.headgear[side], probabilities=SURE_EAR, unclear=())}
    )


@pytest.mark.parametrize(
    ("part", "exempt", "moved"),
    [
        ("tongue", (), True),
        ("tongue", (Exemption.TONGUE,), False),
        ("tongue", (Exemption.RIGHT_HAND,), True),
        ("right", (), True),
        ("right", (Exemption.RIGHT_HAND,), False),
        ("right", (Exemption.TONGUE, Exemption.LEFT_HAND), True),
    ],
)
def test_a_part_that_is_not_judged_does_not_move(  # noqa: PLR0913, PLR0917 - fixtures and a row of the table
    canned_reader: Reader,
    party: FrameReading,
    monkeypatch: pytest.MonkeyPatch,
    part: str,
    exempt: tuple[Exemption, ...],
    moved: bool,  # noqa: FBT001 - a column of the table
) -> None:
    reading = party_with_doubt(party, canned_reader)
    blue, green = reading.players
    players = tuple(FrozenPlayer(each.seat, each, dict.fromkeys(Side, BAM_S), BAM_S) for each in (blue, green))
    monkeypatch.setattr("bunnymoose_cv.referee.round_reader.freeze", lambda *_, **__: Freeze(reading, players, None))
    tracker: Any = CannedTracker(reading, replace(reading, players=(blue, changed(green, part, canned_reader))))
    calibrations = {"Green": PlayerCalibration(exempt=frozenset(exempt))}
    reads = RoundReader(tracker, canned_reader, calibrations, AskPolicy())
    footage = CannedFootage(party.image, 0.0, BAM_S, 6.0)
    judged = reads.watch(reads.read(FACTS, footage, BAM_S), footage)
    assert [seat.movement is not None for seat in judged.seats] == [False, moved]
