"""Questions of the referee: where a move is in doubt, once cards tell, and again when other cards make it matter."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.json_output import played_round_json
from bunnymoose_cv.rules.cards import Table, parse_table
from bunnymoose_cv.rules.events import Event, GameStarted, PoseCorrected, Undone
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.doubtful import DoubtfulTable, party_with_doubt

SetTable = Callable[..., DoubtfulTable]
Undo = Callable[..., None]


SPREAD_IDLE = parse_table("L.?U+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
SPREAD_MATTERS = parse_table("L.WU+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
GREEN = Pose.parse("WU WU")


def write_elsewhere(table: DoubtfulTable, *events: Event) -> None:
    """Append entries as another program does."""
    with GameFile.open(table.file.folder) as other:
        other.append(events, "put right", "another program")
    table.file.refresh()


@pytest.fixture
def set_table(
    file: GameFile, canned_reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., DoubtfulTable]:
    """Sets a table with cards, or with none yet, and says Bam."""

    def set_one(cards: Table = (), **asking: bool) -> DoubtfulTable:
        table = DoubtfulTable.open(file, canned_reader, party, monkeypatch, **asking)
        if cards:
            table.referee.lay(cards)
        table.bam()
        return table

    return set_one


@pytest.fixture(params=[False, True], ids=["here", "in another program"])
def undo(request: pytest.FixtureRequest) -> Undo:
    """Undoes the newest events, at the table or elsewhere."""

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
    assert table.referee.asked == table.referee.asked_again == ()


def test_a_doubt_that_changes_the_move_waits_for_a_person(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    assert table.said == ["Blue: rabbit back 3", "Green, please check"]
    assert table.referee.asked == ("Green",)
    table.referee.correct_pose("Green", Pose.parse("CU WU"))
    assert table.said[2] == "Green: moose ahead 1"


@pytest.mark.parametrize(
    ("cards", "asked", "told"),
    [(SPREAD_IDLE, (), "Green: moose ahead 3"), (SPREAD_MATTERS, ("Green",), "Green, please check")],
    ids=["it does not matter", "it matters"],
)
def test_cards_told_after_bam_tell_who_is_asked(
    set_table: SetTable, cards: Table, asked: tuple[str, ...], told: str
) -> None:
    table = set_table()
    assert (table.said, table.referee.asked, table.referee.unjudged) == ([], (), ("Green",))
    table.referee.lay(cards)
    assert table.referee.asked == asked
    assert table.said[0] == "Blue: rabbit back 3"
    assert told in table.said
    assert table.said.count("Green, please check") == len(asked)


def test_cards_that_are_taken_back_are_waited_for_again(set_table: SetTable) -> None:
    table = set_table()
    table.referee.lay(SPREAD_MATTERS)
    assert "Green" in table.referee.asked
    table.referee.undo()
    still_asked = table.referee.asked
    assert (still_asked, table.referee.unjudged) == ((), ("Green",))
    table.referee.lay(SPREAD_IDLE)
    assert len(table.file.game.rounds) == 1


@pytest.mark.parametrize("cards", [SPREAD_IDLE, SPREAD_MATTERS], ids=["it does not matter", "it matters"])
def test_other_cards_do_not_tell_again_what_people_have_taken_back(
    set_table: SetTable, undo: Undo, cards: Table
) -> None:
    table = set_table(SPREAD_IDLE)
    undo(table)
    table.said.clear()
    table.referee.correct_table(1, cards)
    assert (table.referee.asked, table.file.game.poses, table.said) == (("Blue", "Green"), {}, [])
    table.referee.correct_pose("Green", GREEN)
    table.referee.undo()
    table.referee.correct_table(1, SPREAD_IDLE)
    assert table.referee.asked == ("Blue", "Green")


def test_who_was_taken_back_before_the_cards_does_not_wait_for_them(set_table: SetTable) -> None:
    table = set_table()
    table.referee.undo()
    assert table.referee.asked == ("Blue",)
    table.referee.lay(SPREAD_IDLE)
    assert (table.referee.asked, list(table.file.game.poses)) == (("Blue",), ["Green"])


def test_verdicts_that_were_taken_back_with_their_cards_are_told_by_the_next(set_table: SetTable, undo: Undo) -> None:
    table = set_table()
    table.referee.lay(SPREAD_IDLE)
    assert len(table.file.game.rounds) == 1
    undo(table, 2)
    assert table.referee.asked == ()
    table.referee.lay(SPREAD_IDLE)
    assert len(table.file.game.rounds) == 1


def test_who_waits_for_cards_may_be_told_before_them(set_table: SetTable) -> None:
    table = set_table()
    table.referee.correct_pose("Green", Pose.parse("CU WU"))
    table.referee.lay(SPREAD_MATTERS)
    assert "Green: moose ahead 1" in table.said
    assert table.referee.asked == table.referee.asked_again == ()


def test_a_question_closes_when_other_cards_make_it_idle(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_table(1, SPREAD_IDLE)
    assert table.referee.asked == ()
    assert table.said[2] == "Green: moose ahead 3"
    assert table.file.game.phase is Phase.BETTING


@pytest.mark.parametrize("confirmed", [GREEN, Pose.parse("CU WU")], ids=str)
def test_corrected_cards_open_a_question_again_where_it_matters_now(set_table: SetTable, confirmed: Pose) -> None:
    table = set_table(SPREAD_IDLE)
    table.said.clear()
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert (table.referee.asked_again, table.said) == (("Green",), ["Green, please check"])
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.said == ["Green, please check"]
    table.referee.correct_pose("Green", confirmed, 1)
    assert table.referee.asked_again == ()
    assert table.file.game.rounds[0].facts.poses["Green"] == confirmed


def test_what_people_said_in_one_round_confirms_nothing_in_the_next(set_table: SetTable) -> None:
    table = set_table(SPREAD_IDLE)
    table.referee.correct_pose("Blue", GREEN, 1)
    table.referee.lay(SPREAD_IDLE)
    table.bam()
    assert [seat.player for seat in table.referee.judged.seats] == ["Red", "Blue"]  # type: ignore[union-attr]
    table.referee.correct_table(2, SPREAD_MATTERS)
    assert table.referee.asked_again == ("Blue",)


def test_nobody_is_asked_again_about_a_round_that_was_undone(set_table: SetTable, undo: Undo) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_pose("Blue", GREEN, 1)
    table.referee.correct_pose("Green", GREEN)
    table.referee.lay(SPREAD_IDLE)
    table.bam()
    assert len(table.file.game.rounds) == 2
    undo(table, 4)
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert (table.referee.asked, table.referee.asked_again) == (("Green",), ())


def test_everything_is_asked_where_people_want_it(set_table: SetTable) -> None:
    table = set_table(SPREAD_IDLE, asks_everything=True)
    assert table.referee.asked == ("Green",)
    table.referee.correct_table(1, SPREAD_IDLE)
    assert table.referee.asked == ("Green",)


@pytest.mark.parametrize("cards", [SPREAD_IDLE, SPREAD_MATTERS], ids=["it does not matter", "it matters"])
def test_cards_told_after_bam_ask_nobody_once_more_where_everything_is_asked(set_table: SetTable, cards: Table) -> None:
    table = set_table(asks_everything=True)
    assert (table.referee.asked, table.said) == (("Green",), ["Green, please check"])
    table.referee.lay(cards)
    assert (table.referee.asked, table.referee.asked_again) == (("Green",), ())
    assert table.said == ["Green, please check", "Blue: rabbit back 3"]


def test_cards_decide_nothing_where_everything_is_asked(set_table: SetTable) -> None:
    table = set_table(asks_everything=True)
    table.referee.undo()
    table.referee.lay(SPREAD_IDLE)
    assert table.referee.unjudged == table.referee.asked == ("Blue", "Green")


def test_who_is_sure_in_every_field_is_not_asked_again_where_everything_is_asked(set_table: SetTable) -> None:
    table = set_table(SPREAD_IDLE, asks_everything=True)
    table.referee.correct_pose("Green", GREEN)
    judged = table.referee.judged
    assert judged is not None
    table.referee.judged = replace(judged, threshold=1.0)  # no move is as sure as that
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.referee.asked_again == ()


def test_frames_of_an_earlier_round_are_read_for_its_own_cards(
    set_table: SetTable, canned_reader: Reader, party: FrameReading
) -> None:
    table = set_table(SPREAD_IDLE, asks=False)
    table.referee.lay(SPREAD_MATTERS)
    table.referee.bam("test")
    _, green = party_with_doubt(party, canned_reader).players
    assert [table.referee.needs_no_frame(number, green) for number in (1, 2)] == [True, False]


@pytest.mark.parametrize(
    ("cards", "asked", "reasons"),
    [(SPREAD_IDLE, False, ["left wide or compact does not matter here"]), (SPREAD_MATTERS, True, [])],
    ids=["it does not matter", "it matters"],
)
def test_in_a_script_the_likeliest_stands_and_the_json_tells_how_sure_its_move_is(
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


def test_what_people_said_first_counts_again_when_its_correction_is_taken_back(set_table: SetTable) -> None:
    referee = set_table(SPREAD_MATTERS).referee
    referee.correct_pose("Green", GREEN)
    referee.correct_pose("Green", Pose.parse("CU WU"))
    referee.undo()
    assert referee.asked_again == ()


def test_a_question_whose_answer_is_taken_back_is_open_again(set_table: SetTable, undo: Undo) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_pose("Green", GREEN)
    table.referee.correct_pose("Blue", Pose.parse("CD CD"))
    undo(table)
    asked = table.referee.asked
    undo(table)
    assert (asked, table.referee.asked) == ((), ("Green",))


def test_a_bam_that_another_program_undid_leaves_nothing_judged(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_pose("Green", GREEN)
    table.referee.forget_undone_bam()
    assert table.referee.judged is not None, "its Bam stands"
    happened = sum(not isinstance(entry.event, GameStarted) for entry in table.file.standing)
    write_elsewhere(table, *[Undone()] * happened)
    table.referee.forget_undone_bam()
    assert table.referee.judged is None


def test_who_was_put_right_in_another_program_is_not_asked_again(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_table(1, SPREAD_IDLE)
    write_elsewhere(table, *(PoseCorrected(1, "Green", Pose.parse(pose)) for pose in ("CU WU", "WU WU")))
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.referee.asked_again == ()


def test_a_bam_that_is_taken_back_step_by_step_leaves_nothing_judged(set_table: SetTable) -> None:
    referee = set_table(SPREAD_MATTERS).referee
    referee.correct_pose("Green", GREEN)
    referee.correct_pose("Blue", Pose.parse("CD CD"))
    before = referee.game.round_number
    while referee.can_dismiss:
        assert referee.judged is not None
        referee.undo()
    assert referee.judged is None
    referee.bam("test")
    referee.correct_pose("Green", GREEN)
    referee.correct_pose("Blue", Pose.parse("CD CD"))
    assert (referee.game.round_number, referee.asked_again) == (before, ())


def test_what_people_said_at_a_bam_that_was_none_answers_nothing_at_the_next(set_table: SetTable) -> None:
    table = set_table(SPREAD_MATTERS)
    table.referee.correct_pose("Green", GREEN)
    assert table.referee.dismiss()
    table.bam()
    table.referee.correct_table(1, SPREAD_IDLE)
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.referee.asked_again == ("Green",)
