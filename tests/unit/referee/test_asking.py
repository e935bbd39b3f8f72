"""Questions of the referee: about moves in doubt, once the cards are known, and again if other cards matter."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.output.game_json import played_round_json
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.current_round import current_facts
from bunnymoose_cv.rules.cards import Table, parse_table
from bunnymoose_cv.rules.events import Event, GameStarted, PoseCorrected, Undone
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.doubtful import SURE_ANTLER, SURE_EAR, DoubtfulTable, party_with_doubt

SetTable = Callable[..., DoubtfulTable]
Undo = Callable[..., None]


SPREAD_IDLE = parse_table("L.?U+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
SPREAD_MATTERS = parse_table("L.WU+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
GREEN = Pose.parse("WU WU")
LEFT_WIDE = "Green: is your left antler wide?"


def write_elsewhere(table: DoubtfulTable, *events: Event) -> None:
    """Append entries like another program."""
    with GameFile.open(table.file.folder) as other:
        other.append(events, "put right", "another program")
    table.file.refresh()


@pytest.fixture
def set_table(
    file: GameFile, canned_reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., DoubtfulTable]:
    """Return a function that sets a table with or without cards and says Bam."""

    def set_one(cards: Table = (), **asking: Any) -> DoubtfulTable:
        table = DoubtfulTable.open(file, canned_reader, party, monkeypatch, **asking)
        if cards:
            table.referee.record_cards(cards)
        table.bam()
        return table

    return set_one


@pytest.fixture(params=[False, True], ids=["here", "in another program"])
def undo(request: pytest.FixtureRequest) -> Undo:
    """Return a function that undoes the newest events, at the table or in another program."""

    def take_back(table: DoubtfulTable, count: int = 1) -> None:
        if not request.param:
            for _ in range(count):
                table.referee.undo()
            return
        write_elsewhere(table, *[Undone()] * count)

    return take_back


def test_a_doubt_that_changes_no_move_is_announced(set_table: SetTable) -> None:
    table = set_table(SPREAD_IDLE)
    assert table.said[:2] == ["Blue: rabbit back 3", "Green: moose ahead 3"]
    assert len(table.file.game.rounds) == 1
    assert table.referee.questions.asked == table.referee.questions.asked_again == ()


def test_a_doubt_that_changes_the_move_waits_for_a_person(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    assert table.said == [LEFT_WIDE, "Blue: rabbit back 3"]
    assert table.referee.questions.asked == ("Green",)
    table.referee.correct_pose("Green", Pose.parse("CU WU"))
    assert table.said[2] == "Green: moose ahead 1"


@pytest.mark.parametrize(
    ("cards", "asked", "reported"),
    [(SPREAD_IDLE, (), "Green: moose ahead 3"), (SPREAD_MATTERS, ("Green",), LEFT_WIDE)],
    ids=["it does not matter", "it matters"],
)
def test_cards_entered_after_bam_decide_the_questions(
    set_table: SetTable, cards: Table, asked: tuple[str, ...], reported: str
) -> None:
    table = set_table()
    assert (table.said, table.referee.questions.asked, table.referee.questions.unjudged) == ([], (), ("Green",))
    table.referee.record_cards(cards)
    assert table.referee.questions.asked == asked
    assert "Blue: rabbit back 3" in table.said
    assert reported in table.said
    assert table.said.count(LEFT_WIDE) == len(asked)


def test_undone_cards_are_waited_for_again(set_table: SetTable) -> None:
    table = set_table()
    table.referee.record_cards(SPREAD_MATTERS)
    assert "Green" in table.referee.questions.asked
    table.referee.undo()
    still_asked = table.referee.questions.asked
    assert (still_asked, table.referee.questions.unjudged) == ((), ("Green",))
    table.referee.record_cards(SPREAD_IDLE)
    assert len(table.file.game.rounds) == 1


@pytest.mark.parametrize("cards", [SPREAD_IDLE, SPREAD_MATTERS], ids=["it does not matter", "it matters"])
def test_other_cards_do_not_restore_undone_verdicts(set_table: SetTable, undo: Undo, cards: Table) -> None:
    table = set_table(SPREAD_IDLE)
    undo(table)
    table.said.clear()
    table.referee.correct_table(1, cards)
    assert (table.referee.questions.asked, table.file.game.poses, table.said) == (("Blue", "Green"), {}, [])
    table.referee.correct_pose("Green", GREEN)
    table.referee.undo()
    table.referee.correct_table(1, SPREAD_IDLE)
    assert table.referee.questions.asked == ("Blue", "Green")


def test_a_verdict_undone_before_the_cards_does_not_wait_for_them(set_table: SetTable) -> None:
    table = set_table()
    table.referee.undo()
    assert table.referee.questions.asked == ("Blue",)
    table.referee.record_cards(SPREAD_IDLE)
    assert (table.referee.questions.asked, list(table.file.game.poses)) == (("Blue",), ["Green"])


def test_verdicts_undone_with_their_cards_return_with_the_next_cards(set_table: SetTable, undo: Undo) -> None:
    table = set_table()
    table.referee.record_cards(SPREAD_IDLE)
    assert len(table.file.game.rounds) == 1
    undo(table, 2)
    assert table.referee.questions.asked == ()
    table.referee.record_cards(SPREAD_IDLE)
    assert len(table.file.game.rounds) == 1


def test_a_pose_may_be_entered_before_the_cards(set_table: SetTable) -> None:
    table = set_table()
    table.referee.correct_pose("Green", Pose.parse("CU WU"))
    table.referee.record_cards(SPREAD_MATTERS)
    assert "Green: moose ahead 1" in table.said
    assert table.referee.questions.asked == table.referee.questions.asked_again == ()


def test_a_question_closes_if_other_cards_make_it_idle(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_table(1, SPREAD_IDLE)
    assert table.referee.questions.asked == ()
    assert table.said[2] == "Green: moose ahead 3"
    assert table.file.game.phase is Phase.BETTING


@pytest.mark.parametrize("confirmed", [GREEN, Pose.parse("CU WU")], ids=str)
def test_corrected_cards_reopen_a_question_that_matters_now(set_table: SetTable, confirmed: Pose) -> None:
    table = set_table(SPREAD_IDLE)
    table.said.clear()
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert (table.referee.questions.asked_again, table.said) == (("Green",), [LEFT_WIDE])
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.said == [LEFT_WIDE]
    table.referee.correct_pose("Green", confirmed, 1)
    assert table.referee.questions.asked_again == ()
    assert table.file.game.rounds[0].facts.poses["Green"] == confirmed


def test_an_answer_in_one_round_confirms_nothing_in_the_next(set_table: SetTable) -> None:
    table = set_table(SPREAD_IDLE)
    table.referee.correct_pose("Blue", GREEN, 1)
    table.referee.record_cards(SPREAD_IDLE)
    table.bam()
    assert [seat.player for seat in table.referee.judged.seats] == ["Red", "Blue"]  # type: ignore[union-attr]
    table.referee.correct_table(2, SPREAD_MATTERS)
    assert table.referee.questions.asked_again == ("Blue",)


def test_nobody_is_asked_again_about_a_round_that_was_undone(set_table: SetTable, undo: Undo) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_pose("Blue", GREEN, 1)
    table.referee.correct_pose("Green", GREEN)
    table.referee.record_cards(SPREAD_IDLE)
    table.bam()
    assert len(table.file.game.rounds) == 2
    undo(table, 4)
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert (table.referee.questions.asked, table.referee.questions.asked_again) == (("Green",), ())


def test_every_unclear_field_is_asked_about_on_request(set_table: SetTable) -> None:
    table = set_table(SPREAD_IDLE, asks_everything=True)
    assert table.referee.questions.asked == ("Green",)
    table.referee.correct_table(1, SPREAD_IDLE)
    assert table.referee.questions.asked == ("Green",)


@pytest.mark.parametrize("cards", [SPREAD_IDLE, SPREAD_MATTERS], ids=["it does not matter", "it matters"])
def test_cards_after_bam_repeat_no_question_if_everything_is_asked(set_table: SetTable, cards: Table) -> None:
    table = set_table(asks_everything=True)
    assert (table.referee.questions.asked, table.said) == (("Green",), [LEFT_WIDE])
    table.referee.record_cards(cards)
    assert (table.referee.questions.asked, table.referee.questions.asked_again) == (("Green",), ())
    assert table.said == [LEFT_WIDE, "Blue: rabbit back 3"]


def test_cards_decide_no_question_if_everything_is_asked(set_table: SetTable) -> None:
    table = set_table(asks_everything=True)
    table.referee.undo()
    table.referee.record_cards(SPREAD_IDLE)
    assert table.referee.questions.unjudged == table.referee.questions.asked == ("Blue", "Green")


def test_a_sure_player_is_not_asked_again_if_everything_is_asked(set_table: SetTable) -> None:
    table = set_table(SPREAD_IDLE, asks_everything=True)
    table.referee.correct_pose("Green", GREEN)
    judged = table.referee.judged
    assert judged is not None
    table.referee.judged = replace(judged, threshold=1.0)  # no move is as sure as that
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.referee.questions.asked_again == ()


def test_frames_of_an_earlier_round_are_read_for_its_own_cards(
    set_table: SetTable, canned_reader: Reader, party: FrameReading
) -> None:
    table = set_table(SPREAD_IDLE, asks=False)
    table.referee.record_cards(SPREAD_MATTERS)
    table.referee.bam("test")
    _, green = party_with_doubt(party, canned_reader).players
    all_facts = [current_facts(table.referee.game, number) for number in (1, 2)]
    assert [table.referee._reader.is_sure(green, facts) for facts in all_facts] == [True, False]


@pytest.mark.parametrize(
    ("cards", "asked", "reasons"),
    [(SPREAD_IDLE, False, ["left wide or compact does not matter here"]), (SPREAD_MATTERS, True, [])],
    ids=["it does not matter", "it matters"],
)
def test_in_a_script_the_likeliest_counts_and_json_has_its_probability(
    set_table: SetTable, cards: Table, reasons: list[str], *, asked: bool
) -> None:
    table = set_table(cards, asks=False)
    (played,), judged = table.file.game.rounds, table.referee.judged
    assert judged is not None
    blue, green = json.loads(json_line(played_round_json(played, judged)))["verdicts"]
    assert (blue["unclear"], blue["move"]["asked"]) == ([], False)
    assert green["unclear"] == ["left.spread"]
    assert (green["move"]["asked"], green["move"]["reasons"]) == (asked, reasons)
    assert (green["move"]["probability"] < 0.7) is asked


def test_an_undone_correction_restores_the_first_answer(set_table: SetTable) -> None:
    referee = set_table(SPREAD_MATTERS).referee
    referee.correct_pose("Green", GREEN)
    referee.correct_pose("Green", Pose.parse("CU WU"))
    referee.undo()
    assert referee.questions.asked_again == ()


def test_an_undone_answer_reopens_its_question(set_table: SetTable, undo: Undo) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_pose("Green", GREEN)
    table.referee.correct_pose("Blue", Pose.parse("CD CD"))
    undo(table)
    asked = table.referee.questions.asked
    undo(table)
    assert (asked, table.referee.questions.asked) == ((), ("Green",))


def test_a_bam_that_another_program_undid_leaves_nothing_judged(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_pose("Green", GREEN)
    table.referee.forget_undone_bam()
    assert table.referee.judged is not None, "its Bam stands"
    happened = sum(not isinstance(entry.event, GameStarted) for entry in table.file.standing)
    write_elsewhere(table, *[Undone()] * happened)
    table.referee.forget_undone_bam()
    assert table.referee.judged is None


def test_a_player_corrected_in_another_program_is_not_asked_again(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_table(1, SPREAD_IDLE)
    write_elsewhere(table, *(PoseCorrected(1, "Green", Pose.parse(pose)) for pose in ("CU WU", "WU WU")))
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.referee.questions.asked_again == ()


def test_a_bam_undone_step_by_step_leaves_nothing_judged(set_table: SetTable) -> None:
    referee = set_table(SPREAD_MATTERS).referee
    referee.correct_pose("Green", GREEN)
    referee.correct_pose("Blue", Pose.parse("CD CD"))
    before = referee.game.round_number
    while referee.game.provenance.dismissible_bam:
        assert referee.judged is not None
        referee.undo()
    assert referee.judged is None
    referee.bam("test")
    referee.correct_pose("Green", GREEN)
    referee.correct_pose("Blue", Pose.parse("CD CD"))
    assert (referee.game.round_number, referee.questions.asked_again) == (before, ())


def test_answers_at_a_dismissed_bam_do_not_count_at_the_next(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_pose("Green", GREEN)
    assert table.referee.dismiss()
    table.bam()
    table.referee.correct_table(1, SPREAD_IDLE)
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.referee.questions.asked_again == ("Green",)


@pytest.mark.parametrize(
    ("shows", "answer", "reported"),
    [
        (SURE_ANTLER, "CU WU", ["Green: moose ahead 1", "Blue: moose ahead 3"]),
        (SURE_ANTLER, "WU WU", ["Blue and Green: moose ahead 3"]),
        (SURE_EAR, "CU WU", ["Green: moose ahead 1"]),
    ],
    ids=["turns out another", "is a look-alike", "cannot be one"],
)
def test_a_possible_look_alike_is_announced_with_the_asked_player(
    set_table: SetTable, shows: HeadgearProbabilities, answer: str, reported: list[str]
) -> None:
    table = set_table(SPREAD_MATTERS, blue_shows=(shows, shows))
    may_be_alike = shows is SURE_ANTLER
    assert table.said == ([LEFT_WIDE] if may_be_alike else [LEFT_WIDE, "Blue: rabbit back 3"])
    table.referee.correct_pose("Green", Pose.parse(answer))
    catching_up = [line for line in table.said if line.startswith("Catching up")]
    assert sorted(table.said[1 if may_be_alike else 2 : -len(catching_up)]) == sorted(reported)
    assert len(set(table.said)) == len(table.said)
    assert table.file.game.rounds[0].moves[0].figure.player == "Blue"


def test_an_announced_player_is_not_announced_again_when_other_cards_open_a_look_alike(set_table: SetTable) -> None:
    table = set_table(SPREAD_IDLE, blue_shows=(SURE_ANTLER, SURE_ANTLER))
    before = list(table.said)
    assert before[0] == "Blue and Green: moose ahead 3"
    table.referee.undo()
    table.said.clear()
    table.referee.correct_table(1, SPREAD_MATTERS)
    table.referee.correct_pose("Green", Pose.parse("CU WU"))
    table.referee.correct_pose("Blue", Pose.parse("WU WU"))
    assert len(set(table.said)) == len(table.said)
