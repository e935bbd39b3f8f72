"""Exempt parts at the table follow the name, and are neither judged nor asked about nor watched."""

from dataclasses import replace
from typing import Any

import pytest

from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.open_questions import AskPolicy
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.referee.round_reader import RoundReader, without_exempt_parts
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.rules.round import RoundFacts
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer
from bunnymoose_cv.vision.video.tracker import Tracker
from tests.doubles import CannedFootage, CannedTracker, row_reading
from tests.doubtful import BAM_S, SURE_EAR, party_with_doubt


@pytest.mark.parametrize(
    ("exempt", "pose"),
    [
        (Exemption.LEFT_HAND, "TF TF"),
        (Exemption.RIGHT_HAND, "SS SS"),
        (Exemption.TONGUE, "SS TF"),
        (Exemption.DOWN, "SS TF"),
    ],
)
def test_exempt_parts_are_neither_judged_nor_asked_about(
    canned_reader: Reader, party: FrameReading, exempt: Exemption, pose: str
) -> None:
    out = replace(party.players[0], tongue=canned_reader.tongue_reading(party.players[0].player.head, 0.5))
    after = without_exempt_parts(out, frozenset({exempt}), canned_reader.settings)
    assert str(replace(after.pose, tongue=Tongue.IN)) == pose
    assert ("tongue" in after.unclear) is (exempt is not Exemption.TONGUE)
    total = sum(probability for _, probability in after.probabilities.poses())
    assert total == pytest.approx(1.0, abs=1e-6)


def test_an_exempt_direction_counts_as_up(canned_reader: Reader) -> None:
    (before,) = row_reading(["WD CD"]).players
    after = without_exempt_parts(before, frozenset({Exemption.DOWN}), canned_reader.settings)
    assert str(after.pose) == "WU CU"
    for side in Side:
        old, new = before.headgear[side], after.headgear[side]
        assert replace(new.probabilities, up=old.probabilities.up) == old.probabilities
        assert new.measures == old.measures


def test_measures_remain_if_the_shown_frame_lacks_the_hand(canned_reader: Reader) -> None:
    """A freeze measures the clearest frame and shows another one."""
    (before,) = row_reading(["WD CD"]).players
    without_hands = replace(before, player=replace(before.player, hands={}))
    after, expected = (
        without_exempt_parts(reading, frozenset({Exemption.DOWN}), canned_reader.settings)
        for reading in (without_hands, before)
    )
    assert [after.headgear[side] for side in Side] == [expected.headgear[side] for side in Side]


def test_exemptions_follow_the_player(file: GameFile, canned_reader: Reader, party: FrameReading) -> None:
    hears: Any = {"say": str, "notify": str, "keeper": None}
    exemptions = {"Blue": frozenset({Exemption.LEFT_HAND})}
    referee = Referee(file, Tracker(canned_reader, 2), canned_reader, **hears, exemptions=exemptions)
    footage = CannedFootage(party.image, 0.0, BAM_S, 3.0)
    referee.bam("test")
    judged = referee.judge(footage, BAM_S)
    assert [str(seat.pose) for seat in judged.seats] == ["TF TF", "WU WU"]
    assert [str(player.pose) for player in judged.agreed.players] == ["TF TF", "WU WU"]
    assert [str(player.pose) for player in judged.frozen.reading.players] == ["SS TF", "WU WU"]
    assert judged.seats[1].reading is not None
    assert not judged.seats[1].reading.exempt
    assert not any(seat.movement for seat in referee.watch(footage).seats)


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
def test_an_exempt_part_does_not_move(  # noqa: PLR0913 - fixtures and a row of the table
    canned_reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch, *, part: str, exempt: Any, moved: bool
) -> None:
    reading = party_with_doubt(party, canned_reader)
    blue, green = reading.players
    players = tuple(FrozenPlayer(player.seat, player, dict.fromkeys(Side, BAM_S), BAM_S) for player in (blue, green))
    monkeypatch.setattr("bunnymoose_cv.referee.round_reader.freeze", lambda *_, **__: Freeze(reading, players, None))
    tracker: Any = CannedTracker(reading, replace(reading, players=(blue, changed(green, part, canned_reader))))
    reads = RoundReader(tracker, canned_reader, {"Green": frozenset(exempt)}, AskPolicy())
    footage = CannedFootage(party.image, 0.0, BAM_S, 6.0)
    judged = reads.watch(reads.read(FACTS, footage, BAM_S), footage)
    assert [seat.movement is not None for seat in judged.seats] == [False, moved]
