"""Questions by the move that cards make of a doubt; which answers are offered; which doubts do not matter."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.announcements.phrases import announce
from bunnymoose_cv.referee.question import (
    LEAST_PROBABILITY,
    MOST_ANSWERS,
    ReadPose,
    idle_doubts,
    judge_move,
    open_poses,
)
from bunnymoose_cv.rules.cards import Card, parse_table
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Pose, Tongue
from bunnymoose_cv.rules.pose_fields import Field, PoseField
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import pose_probabilities

RULES = rules_for("second")
THRESHOLD = 0.93
DECK = RULES.cards(load_deck("second"))
SURE = HeadgearProbabilities(antler=1.0, ear=0.0, neither=0.0, wide=1.0, up=1.0)

FIELDS = tuple(pose_field for pose_field in PoseField if pose_field.field not in {Field.PLACE, Field.FORM})


def read(  # noqa: PLR0913 - one argument a field
    *, wide: float = 1, up: float = 1, antler: float = 1, right_wide: float = 1, out: float = 0, unclear: str = ""
) -> ReadPose:
    """Return the reading of two wide antlers up, with doubts; the left hand may be an ear on top."""
    left = HeadgearProbabilities(antler=antler, ear=1 - antler, neither=0.0, wide=wide, up=up, straight=1.0, top=1.0)
    right = HeadgearProbabilities(antler=1.0, ear=0.0, neither=0.0, wide=right_wide, up=1.0)
    return read_pose(left, right, out, tuple(map(PoseField, unclear.split())))


def read_pose(
    left: HeadgearProbabilities, right: HeadgearProbabilities, out: float, unclear: tuple[PoseField, ...]
) -> ReadPose:
    tongue = Tongue.OUT if out >= 0.5 else Tongue.IN
    return ReadPose(Pose(left.headgear, right.headgear, tongue), pose_probabilities(left, right, out, ()), unclear)


@pytest.mark.parametrize(
    ("reading", "table", "asked", "idle"),
    [
        pytest.param(read(wide=0.6, unclear="left.spread"), "L.?U+1 R.?U+2", False, "left.spread", id="direction lies"),
        pytest.param(read(wide=0.6, unclear="left.spread"), "L.?U+2 L.T?+2 R.?F-1", False, "left.spread", id="L.?U"),
        pytest.param(read(wide=0.6, unclear="left.spread"), "L.WU+1", True, "", id="spread lies"),
        pytest.param(read(wide=0.95, unclear="left.spread"), "L.WU+1", False, "", id="spread lies, sure enough"),
        pytest.param(read(wide=0.6, unclear="left.spread"), "L.WU+1 REVERSE", True, "", id="reversed"),
        pytest.param(read(wide=0.6, unclear="left.spread"), "REVERSE HUNTER", False, "left.spread", id="only reversed"),
        pytest.param(read(wide=0.6, unclear="left.spread"), "R.WU+1 MOOSE*2", False, "left.spread", id="other side"),
        pytest.param(read(wide=0.6, unclear="left.spread"), "B.WU+1/-1", True, "", id="double card"),
        pytest.param(read(wide=0.6, unclear="left.spread"), "B.?U+2", False, "left.spread", id="open double card"),
        pytest.param(read(out=0.4, unclear="tongue"), "TONGUE+3", True, "", id="tongue card"),
        pytest.param(read(wide=0.6, unclear="left.spread"), "TONGUE+3", False, "left.spread", id="only a tongue card"),
        pytest.param(read(antler=0.6, unclear="left.kind"), "HUNTER", True, "", id="a bush moves both figures back"),
        pytest.param(read(wide=0.96, up=0.96), "L.WU+1", True, "", id="sure fields that are unsure together"),
    ],
)
def test_a_doubt_is_asked_about_if_it_changes_the_move(reading: ReadPose, table: str, asked: bool, idle: str) -> None:  # noqa: FBT001 - a table
    move = judge_move(reading, parse_table(table), RULES, THRESHOLD)
    assert (move.asked, move.idle) == (asked, tuple(idle.split()))
    assert len(move.reasons) == len(move.idle)


def test_a_tongue_that_changes_nothing_is_not_asked_about() -> None:
    reading, cards = read(out=0.4, unclear="tongue"), parse_table("L.WU+1")
    assert judge_move(reading, cards, RULES, THRESHOLD).asked
    simple = judge_move(reading, cards, rules_for("second", advanced=False), THRESHOLD)
    assert (simple.asked, simple.idle) == (False, ("tongue",))
    assert simple.probability == pytest.approx(1.0)
    assert simple.reasons == ("tongue in or out does not matter here",)


def test_a_doubt_that_matters_only_with_another_is_not_called_idle() -> None:
    reading = read(wide=0.7, up=0.7, unclear="left.spread left.direction")
    assert idle_doubts(reading, parse_table("L.CD+1"), RULES) == ()
    assert idle_doubts(reading, parse_table("L.?D+1"), RULES) == ("left.spread",)


def test_there_is_one_answer_per_move_and_the_likeliest_is_first() -> None:
    reading = read(wide=0.5, up=0.6, right_wide=0.8, unclear="left.spread left.direction right.spread")
    move = judge_move(reading, parse_table("L.?U+1 R.WU+1"), RULES, THRESHOLD)
    answers = [(str(answer.pose), answer.score.total, round(answer.probability, 2)) for answer in move.answers]
    assert answers == [("WU WU", 2, 0.48), ("WD WU", 1, 0.44), ("WD CU", 0, 0.08)]


def test_a_tie_of_two_moves_is_asked_and_offers_both() -> None:
    move = judge_move(read(wide=0.5, unclear="left.spread"), parse_table("L.WU+1"), RULES, THRESHOLD)
    assert (move.asked, move.probability) == (True, 0.5)
    assert [(str(answer.pose), answer.score.total) for answer in move.answers] == [("WU WU", 1), ("CU WU", 0)]


def test_an_improbable_answer_is_not_offered() -> None:
    reading = read(wide=1 - LEAST_PROBABILITY / 2, up=0.6, unclear="left.spread left.direction")
    answers = judge_move(reading, parse_table("L.WU+1 L.W?+2 L.?U+4"), RULES, THRESHOLD).answers
    assert [answer.score.total for answer in answers] == [7, 2]


def test_no_doubt_is_idle_if_the_other_side_counts_as_the_judged_one() -> None:
    """Keep a doubt about the right side if a card for the left side alone depends on both."""
    side = HeadgearProbabilities(antler=1.0, ear=0.0, neither=0.0, wide=0.6, up=1.0)
    probabilities = pose_probabilities(side, side, 0.0, (Exemption.LEFT_HAND,))
    reading = ReadPose(Pose(side.headgear, side.headgear), probabilities, (PoseField.RIGHT_SPREAD,))
    assert idle_doubts(reading, parse_table("L.WU+1"), RULES) == ()
    assert judge_move(reading, parse_table("L.WU+1"), RULES, THRESHOLD).probability == pytest.approx(0.6)


GOLDEN = Path(__file__).parent / "questions.txt"
ROUND = {
    "Blue": read(),
    "Green": read(wide=0.6, unclear="left.spread"),
    "Yellow": read(antler=0.7, wide=0.8, unclear="left.kind left.spread"),
    "White": read(right_wide=0.3, out=0.3, unclear="right.spread tongue"),
    "Black": read(up=0.55, out=0.9, unclear="left.direction"),
}
ROUND_TABLES = (
    "L.?U+1 R.?U+2 HUNTER HUNTER HUNTER HUNTER",
    "L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2",
    "TONGUE+3 R.W?+2 HUNTER HUNTER HUNTER HUNTER",
)


def golden_round() -> str:
    """Return the questions, offered answers and idle doubts of five players at three tables."""
    lines = [
        "# Written anew by `python -m tests.unit.referee.test_question`; look at the difference before keeping it."
    ]
    for table in ROUND_TABLES:
        lines += ["", table]
        for player, reading in ROUND.items():
            move = judge_move(reading, parse_table(table), RULES, THRESHOLD)
            lines.append(f"{player}: {reading.pose}, {move.probability:.0%}, {'asks' if move.asked else 'stands'}")
            if move.asked:
                lines += [
                    f"    {answer.pose}: {announce(answer.score.species, answer.score.total)}, {answer.probability:.0%}"
                    for answer in move.answers
                ]
            lines += [f"    {reason}" for reason in move.reasons]
    return "\n".join(lines) + "\n"


def test_the_questions_of_a_round_are_the_golden_ones() -> None:
    assert golden_round() == GOLDEN.read_text("utf-8")


shares = st.floats(0.0, 1.0)
tables = st.lists(st.sampled_from(DECK), min_size=1, max_size=6).map(tuple)


@st.composite
def readings(draw: st.DrawFn) -> ReadPose:
    def side() -> HeadgearProbabilities:
        antler, ear, neither = (draw(st.floats(0.01, 1)) for _ in range(3))
        total = antler + ear + neither
        return HeadgearProbabilities(antler / total, ear / total, neither / total, *(draw(shares) for _ in range(4)))

    return read_pose(side(), side(), draw(shares), tuple(sorted(draw(st.sets(st.sampled_from(FIELDS))))))


@given(readings(), tables)
def test_answers_differ_in_the_move_and_equal_moves_are_not_asked_about(
    reading: ReadPose, table: tuple[Card, ...]
) -> None:
    move = judge_move(reading, table, RULES, THRESHOLD)
    assert len({answer.moves for answer in move.answers}) == len(move.answers) <= MOST_ANSWERS
    chances = [answer.probability for answer in move.answers]
    assert chances == sorted(chances, reverse=True)
    assert all(chance >= LEAST_PROBABILITY for chance in chances[1:])
    made = {score(pose, table, RULES).moves for pose, _ in reading.probabilities.poses()}
    assert not (len(made) == 1 and move.asked)
    assert move.probability >= reading.probability - 1e-9
    if idle_doubts(reading, table, RULES) == reading.unclear:
        assert len({score(pose, table, RULES).moves for pose in open_poses(reading)}) == 1


if __name__ == "__main__":
    GOLDEN.write_text(golden_round(), "utf-8")
