"""Whole games of the package compared with the calculator written from the rulebook."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import ALL_POSES, Pose
from bunnymoose_cv.rules.round import RoundFacts, play_round
from bunnymoose_cv.rules.trail import Trail, ranking
from tests.score_calculator import TRAIL_SPACES, Calculator

PLAYERS = ("Red", "Blue", "Green", "Yellow")
CARDS = [
    "L.WU+3",
    "R.CD-2",
    "L.?U+2",
    "R.W?-1",
    "L.T?+1",
    "R.?F-2",
    "B.CD+1",
    "B.SS-2/+1",
    "B.WU+1/CD-1",
    "B.TS+1/SF-3",
    "TONGUE+3",
    "RABBIT-3",
    "MOOSE+2",
    "RABBIT*2",
    "MOOSE*2",
    "REVERSE",
    "HUNTER",
]

poses = st.tuples(*[st.sampled_from(ALL_POSES)] * 3)
tables = st.lists(st.sampled_from(CARDS), min_size=6, max_size=6)
played_rounds = st.lists(st.tuples(poses, tables, st.integers(0, 2)), min_size=1, max_size=8)


@given(played_rounds)
@settings(max_examples=300)
def test_figures_match_the_rulebook_calculator_in_every_round(
    rounds: list[tuple[tuple[Pose, ...], list[str], int]],
) -> None:
    trail, calculator = Trail.start(TRAIL_SPACES, PLAYERS), Calculator(PLAYERS)
    for number, (shown, cards, bet) in enumerate(rounds):
        narrator = PLAYERS[-number % 4]
        seats = [PLAYERS[(-number + seat) % 4] for seat in (1, 2, 3)]
        facts = RoundFacts(
            number + 1,
            narrator,
            tuple(seats),
            seats[bet],
            parse_table(" ".join(cards)),
            dict(zip(seats, shown, strict=True)),
            rules_for("second"),
        )
        trail = play_round(trail, facts).trail
        calculator.score_round(
            narrator, seats[bet], {seat: str(pose) for seat, pose in zip(seats, shown, strict=True)}, " ".join(cards)
        )
        assert {(figure.player, figure.animal.value): place for figure, place in trail.places.items()} == (
            calculator.places
        )
        assert [(standing.place, standing.player, standing.rear, standing.front) for standing in ranking(trail)] == (
            calculator.ranking()
        )
