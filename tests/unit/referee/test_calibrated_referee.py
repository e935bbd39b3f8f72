"""Calibrations at the table follow the name; exempt parts are neither asked about nor watched; labels."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bunnymoose_cv.calibration.adaptation.application import calibrated
from bunnymoose_cv.calibration.adaptation.player_calibration import FieldCalibration, PlayerCalibration
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.open_questions import AskPolicy
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.referee.round_reader import RoundReader
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Event, GameStarted, PoseCorrected, Undone
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.illegal_event import IllegalEventError
from bunnymoose_cv.rules.pose import Antler, Pose, Side, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.rules.round import RoundFacts
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer
from bunnymoose_cv.vision.video.tracker import Tracker
from tests.doubles import CannedFootage, CannedTracker
from tests.doubtful import BAM_S, SURE_EAR, DoubtfulTable, party_with_doubt

MOOSE = Pose.parse("WU WU")
NARROW = PlayerCalibration({Field.SPREAD: FieldCalibration((-40.0,), 1.0)})
"""Turns every wide antler into a compact one."""

CARDS = parse_table("L.WU+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")

IDLE = parse_table("L.?U+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
"""Cards before which Green's doubt does not matter."""


@pytest.fixture
def table(file: GameFile, canned_reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch) -> DoubtfulTable:
    """A table at which Green alone is asked about."""
    table = DoubtfulTable.open(file, canned_reader, party, monkeypatch)
    table.referee.lay(CARDS)
    table.bam()
    return table


def write_elsewhere(table: DoubtfulTable, *events: Event) -> None:
    """Append entries as another program does."""
    with GameFile.open(table.file.folder) as other:
        other.append(events, "put right", "Anna")
    table.file.refresh()


def test_without_a_calibration_the_reading_is_the_very_same(canned_reader: Reader, party: FrameReading) -> None:
    assert calibrated(party.players[0], PlayerCalibration(), canned_reader) is party.players[0]


def test_one_field_moves_and_the_others_stay(canned_reader: Reader, party: FrameReading) -> None:
    before = party.players[1]
    after = calibrated(before, NARROW, canned_reader)
    for side in Side:
        old, new = before.headgear[side].probabilities, after.headgear[side].probabilities
        assert isinstance(new.headgear, Antler)
        assert new.headgear.spread is Spread.COMPACT
        assert replace(new, wide=old.wide) == old
        assert after.headgear[side].measures == before.headgear[side].measures


def test_measures_stay_where_the_shown_frame_lacks_the_hand(canned_reader: Reader, party: FrameReading) -> None:
    """A freeze measures the clearest frame and shows another one."""
    before = party.players[1]
    without_hands = replace(before, player=replace(before.player, hands={}))
    after, expected = (calibrated(reading, NARROW, canned_reader) for reading in (without_hands, before))
    assert [after.headgear[side] for side in Side] == [expected.headgear[side] for side in Side]


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
    after = calibrated(out, PlayerCalibration(exempt=frozenset({exempt})), canned_reader)
    assert str(replace(after.pose, tongue=Tongue.IN)) == pose
    assert ("tongue" in after.unclear) is (exempt is not Exemption.TONGUE)
    total = sum(probability for _, probability in after.probabilities.poses())
    assert total == pytest.approx(1.0, abs=1e-6)


def test_a_calibration_follows_the_player_and_corrections_are_labels(
    file: GameFile, canned_reader: Reader, party: FrameReading
) -> None:
    hears: Any = {"say": str, "tell": str, "keeper": None}
    referee = Referee(file, Tracker(canned_reader, 2), canned_reader, **hears, calibrations={"Green": NARROW})
    footage = CannedFootage(party.image, 0.0, BAM_S, 3.0)
    referee.bam("test")
    judged = referee.judge(footage, BAM_S)
    assert [str(seat.pose) for seat in judged.seats] == ["SS TF", "CU CU"]
    assert [str(player.pose) for player in judged.agreed.players] == ["SS TF", "CU CU"]
    assert [str(player.pose) for player in judged.frozen.reading.players] == ["SS TF", "WU WU"]
    assert not any(seat.movement for seat in referee.watch(footage).seats)
    referee.correct_pose("Green", MOOSE)
    (label,) = referee.labels["Green"]
    assert label.shown == MOOSE
    assert label.left.spread > 0  # what the networks said, not the calibration


def test_a_pose_told_without_a_camera_is_no_label_of_the_round_before(table: DoubtfulTable) -> None:
    referee = table.referee
    referee.correct_pose("Green", MOOSE)
    learnt = referee.labels
    referee.lay(CARDS)
    referee.bam("test")
    referee.ask_everybody()
    referee.correct_pose("Blue", Pose.parse("CD CD"))
    assert referee.labels == learnt
    assert list(learnt) == ["Green"]
    referee.correct_pose("Blue", Pose.parse("TS TF"), 1)
    assert [str(label.shown) for label in referee.labels["Blue"]] == ["TS TF"]


def test_a_correction_that_is_refused_is_no_label(table: DoubtfulTable) -> None:
    with pytest.raises(IllegalEventError, match="has not been judged"):
        table.referee.correct_pose("Green", Pose.parse("WU WU"), 1)
    assert table.referee.labels == {}


def test_what_people_said_first_counts_again_when_its_correction_is_taken_back(table: DoubtfulTable) -> None:
    referee = table.referee
    referee.correct_pose("Green", MOOSE)
    referee.correct_pose("Green", Pose.parse("CU WU"))
    referee.undo()
    assert [str(label.shown) for label in referee.labels["Green"]] == ["WU WU"]
    assert referee.asked_again == ()


@pytest.mark.parametrize("in_another_program", [False, True])
def test_what_people_said_and_took_back_is_no_label(table: DoubtfulTable, *, in_another_program: bool) -> None:
    referee = table.referee
    take_back = partial(write_elsewhere, table, Undone()) if in_another_program else referee.undo
    referee.correct_pose("Green", MOOSE)
    referee.correct_pose("Blue", Pose.parse("CD CD"))
    assert sorted(referee.labels) == ["Blue", "Green"]
    take_back()
    assert sorted(referee.labels) == ["Green"]
    take_back()
    assert (referee.labels, referee.asked) == ({}, ("Green",))


def test_a_bam_that_another_program_undid_leaves_no_label(table: DoubtfulTable) -> None:
    referee, file = table.referee, table.file
    referee.correct_pose("Green", MOOSE)
    referee.forget_undone_bam()
    assert sorted(referee.labels) == ["Green"], "its Bam stands"
    write_elsewhere(table, *[Undone()] * sum(not isinstance(entry.event, GameStarted) for entry in file.standing))
    referee.forget_undone_bam()
    assert (referee.labels, referee.judged) == ({}, None)


@pytest.mark.parametrize("told", ["while the round is open", "when the round is over"])
def test_what_another_program_puts_right_is_a_label_until_it_is_undone_there(table: DoubtfulTable, told: str) -> None:
    referee = table.referee
    if told == "when the round is over":
        referee.correct_pose("Green", MOOSE)
        assert len(referee.game.rounds) == 1
    before = referee.labels
    write_elsewhere(table, PoseCorrected(1, "Blue", Pose.parse("CD CD")))
    assert [str(label.shown) for label in referee.labels["Blue"]] == ["CD CD"]
    write_elsewhere(table, Undone())
    assert referee.labels == before


def test_who_was_put_right_in_another_program_is_not_asked_again(table: DoubtfulTable) -> None:
    referee = table.referee
    referee.correct_table(1, IDLE)
    write_elsewhere(table, *(PoseCorrected(1, "Green", Pose.parse(pose)) for pose in ("CU WU", "WU WU")))
    referee.correct_table(1, CARDS)
    assert referee.asked_again == ()


def test_a_correction_of_an_older_round_is_a_label_of_its_reading(table: DoubtfulTable) -> None:
    referee = table.referee
    referee.correct_pose("Green", MOOSE)
    referee.lay(CARDS)
    table.bam()
    referee.correct_pose("Green", Pose.parse("CU WU"), 1)
    assert [str(label.shown) for label in referee.labels["Green"]] == ["CU WU"]
    referee.undo()
    assert [str(label.shown) for label in referee.labels["Green"]] == ["WU WU"]


def test_a_bam_that_is_taken_back_step_by_step_leaves_no_reading_to_label(table: DoubtfulTable) -> None:
    referee = table.referee
    referee.correct_pose("Green", MOOSE)
    referee.correct_pose("Blue", Pose.parse("CD CD"))
    before = referee.game.round_number
    while referee.can_dismiss:
        assert referee.judged is not None
        referee.undo()
    assert referee.judged is None
    referee.bam("test")
    referee.correct_pose("Green", MOOSE)
    referee.correct_pose("Blue", Pose.parse("CD CD"))
    assert referee.game.round_number == before
    assert (referee.labels, referee.asked_again) == ({}, ())


def test_what_people_said_at_a_bam_that_was_none_is_no_label_of_the_next(table: DoubtfulTable) -> None:
    referee = table.referee
    referee.correct_pose("Green", MOOSE)
    assert referee.dismiss()
    assert referee.labels == {}
    table.bam()
    assert referee.labels == {}
    referee.correct_table(1, IDLE)
    referee.correct_table(1, CARDS)
    assert referee.asked_again == ("Green",)


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
def test_a_part_that_is_not_judged_does_not_move(  # noqa: PLR0913 - fixtures and a row of the table
    canned_reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch, *, part: str, exempt: Any, moved: bool
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
