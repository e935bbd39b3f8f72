"""Worked examples of the rules, each by its number."""

import pytest

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.ranking import ranking
from bunnymoose_cv.rules.round import Cause, RoundFacts, play_round
from bunnymoose_cv.rules.scoring import Move, Score, score
from bunnymoose_cv.rules.trail import Figure, Trail


def scored(edition: str, pose: str, cards: str, *, advanced: bool = True) -> Score:
    return score(Pose.parse(pose), parse_table(cards), rules_for(edition, advanced=advanced))


@pytest.mark.parametrize(
    ("number", "edition", "advanced", "pose", "cards", "points", "species", "total"),
    [
        ("1", "first", True, "WU WU", "R.WU+1", [1], "moose", 1),
        ("1", "first", True, "CD WU", "R.WU+1", [1], "moose", 1),
        ("1", "second", True, "WD WU", "R.WU+1", [1], "moose", 1),
        ("1", "second", False, "CU WU", "R.WU+1", [1], "moose", 1),
        ("2", "first", True, "WU CD", "R.WU+1", [0], "moose", 0),
        ("2", "second", True, "WU CD", "R.WU+1", [0], "moose", 0),
        ("3", "first", True, "-- WU", "R.WU+1", [0], "bush", None),
        ("3", "second", True, "-- WU", "R.WU+1", [0], "bush", None),
        ("4a", "first", True, "WU WD", "B.CU+1 B.?U+1 B.W?+1", [0, 1, 2], "moose", 3),
        ("4", "second", False, "WD CD", "B.?U+1 B.WD-1 B.?D+1", [0, -1, 2], "moose", 1),
        ("4", "second", False, "CD WD", "B.?U+1 B.WD-1 B.?D+1", [0, -1, 2], "moose", 1),
        ("5", "second", False, "TS TF", "L.TS+2 B.TF-1 B.T?+1", [2, -1, 2], "rabbit", 3),
        ("6", "second", False, "CU WD", "L.CU-3 B.WD+1 REVERSE", [-3, 1, 0], "moose", 2),
        ("7", "second", True, "WU WU t", "L.WU+3 B.WU+1 RABBIT*2 MOOSE-3", [3, 2, 0, 0], "rabbit", 10),
        ("8", "second", False, "CU CU", "B.CU+1 R.CU-2", [2, -2], "moose", 0),
        ("9", "second", False, "SS SF", "L.SS+1 R.SF-3", [1, -3], "rabbit", -2),
        ("10", "first", True, "TS TS", "L.TS+2 R.TS-1 B.TS+1", [2, -1, 2], "rabbit", 3),
        ("11", "first", True, "WU CD t", "L.WU+1 R.CD-2 RABBIT*2", [1, -2, 0], "rabbit", -2),
        ("12", "first", True, "WU WU t", "B.WU-1 L.WU+1 MOOSE*2 MOOSE+2 REVERSE", [-2, 1, 0, 0, 0], "rabbit", 1),
        ("13", "first", True, "CD CD t", "B.CD+1 L.?D+1 R.C?-1 RABBIT*2", [2, 1, -1, 0], "rabbit", 4),
        ("13b", "first", True, "TF TF", "L.TF+1 B.TF-1 RABBIT*2", [1, -2, 0], "rabbit", -2),
        ("14: one", "second", True, "WU WU", "L.WU+3 REVERSE", [3, 0], "moose", -3),
        ("14: two cancel", "second", True, "WU WU", "L.WU+3" + 2 * " REVERSE", [3, 0, 0], "moose", 3),
        ("14: three count as one", "first", True, "WU WU", "L.WU+3" + 3 * " REVERSE", [3, 0, 0, 0], "moose", -3),
        ("14: four cancel", "first", True, "WU WU", "L.WU+3" + 4 * " REVERSE", [3, 0, 0, 0, 0], "moose", 3),
        ("15", "first", True, "WU TS t", "L.WU+3 REVERSE", [0, 0], "bush", None),
        ("15", "second", False, "-- --", "L.WU+3 REVERSE", [0, 0], "bush", None),
    ],
)
def test_an_example_of_the_rulebook_scores_as_printed(  # noqa: PLR0913 - one column per thing that the example says
    number: str, edition: str, *, advanced: bool, pose: str, cards: str, points: list[int], species: str, total: int
) -> None:
    result = scored(edition, pose, cards, advanced=advanced)
    assert [line.points for line in result.lines] == points, number
    assert result.species is Animal(species), number
    assert result.total == total, number


def facts(seats: dict[str, str], bet: str | None, cards: str) -> RoundFacts:
    poses = {player: Pose.parse(pose) for player, pose in seats.items()}
    return RoundFacts(1, "Narrator", tuple(seats), bet, parse_table(cards), poses, rules_for("second"))


@pytest.mark.parametrize("bet", ["Bush", "Moose", None])
def test_example_15_moves_both_figures_of_a_bush_and_of_who_bet_on_it(bet: str | None) -> None:
    trail = Trail.start(18, ["Narrator", "Bush", "Moose"])
    played = play_round(trail, facts({"Bush": "WU --", "Moose": "WU WU"}, bet, "L.WU-2 REVERSE"))
    assert played.verdicts[0].score.moves == (Move(Animal.MOOSE, -1), Move(Animal.RABBIT, -1))
    moves = [
        (move.figure.player, move.figure.animal.value, move.spaces)
        for move in played.moves
        if move.cause is not Cause.CATCH_UP
    ]
    bush, moose = [("Bush", "moose", -1), ("Bush", "rabbit", -1)], [("Moose", "moose", 2)]
    copies = {
        "Bush": [("Narrator", "moose", -1), ("Narrator", "rabbit", -1)],
        "Moose": [("Narrator", "moose", 2)],
        None: [],
    }[bet]
    assert moves == (bush + copies + moose if bet == "Bush" else bush + moose + copies)


def test_example_16_ranks_by_the_rear_figure_then_by_the_front_one() -> None:
    ends = {"Red": (8, 11), "Green": (4, 19), "Blue": (11, 8), "Orange": (9, 10), "Yellow": (8, 14)}
    places = {
        Figure(player, animal): place
        for player, both in ends.items()
        for animal, place in zip((Animal.MOOSE, Animal.RABBIT), both, strict=True)
    }
    assert [(standing.place, standing.player) for standing in ranking(Trail(18, places))] == [
        (1, "Orange"),
        (2, "Yellow"),
        (3, "Red"),
        (3, "Blue"),
        (5, "Green"),
    ]


def test_example_17_the_last_of_each_animal_catch_up() -> None:
    seats = {"Alder": "WU WU", "Beech": "CD WU", "Cedar": "TS TS", "Dogwood": "SS SS"}
    trail = Trail.start(18, ["Narrator", *seats])
    played = play_round(trail, facts(seats, "Alder", "R.WU+3 L.TS+4 B.SS-1"))
    moved = {(move.figure.player, move.spaces) for move in played.moves if move.cause is not Cause.CATCH_UP}
    assert moved == {("Alder", 3), ("Narrator", 3), ("Beech", 3), ("Cedar", 4), ("Dogwood", -2)}
    caught_up = {move.figure for move in played.moves if move.cause is Cause.CATCH_UP}
    assert caught_up == {
        Figure("Dogwood", Animal.RABBIT),
        Figure("Cedar", Animal.MOOSE),
        Figure("Dogwood", Animal.MOOSE),
    }
    assert played.trail.places[Figure("Dogwood", Animal.RABBIT)] == 4
    assert played.trail.places[Figure("Cedar", Animal.MOOSE)] == 6
