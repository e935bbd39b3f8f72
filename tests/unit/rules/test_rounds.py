"""Rounds on the trail: numbered examples of the rulebook, order of moves, catching up, and ranking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.round import Cause, Round, RoundFacts, announcements, play_round
from bunnymoose_cv.rules.scoring import Move, Score, score
from bunnymoose_cv.rules.trail import Figure, Trail, ranking


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
def test_rulebook_example_scores_as_printed(  # noqa: PLR0913 - one column per fact of the example
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
def test_example_15_moves_both_figures_of_a_bush_and_its_bettor(bet: str | None) -> None:
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


def test_example_16_ranks_by_rear_then_front_figure() -> None:
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


def test_example_17_last_figures_of_each_animal_catch_up() -> None:
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


EVERYBODY = ("Red", "Blue", "Green", "Yellow")


def played(trail: Trail, poses: dict[str, str], cards: str, bet: str | None = None) -> Round:
    parsed = {player: Pose.parse(pose) for player, pose in poses.items()}
    return play_round(trail, RoundFacts(1, "Red", tuple(poses), bet, parse_table(cards), parsed, rules_for("first")))


def test_narrator_copies_right_after_the_player_bet_on() -> None:
    result = played(
        Trail.start(15, EVERYBODY), {"Blue": "WU WU", "Green": "TS TS", "Yellow": "WU WU"}, "R.WU+2 R.TS-1", "Green"
    )
    assert [(move.figure.player, move.cause, move.spaces) for move in result.moves[:4]] == [
        ("Blue", Cause.SCORE, 2),
        ("Green", Cause.SCORE, -1),
        ("Red", Cause.BET, -1),
        ("Yellow", Cause.SCORE, 2),
    ]
    assert result.moves[2].figure.animal is Animal.RABBIT


def test_narrator_without_a_bet_only_catches_up() -> None:
    result = played(Trail.start(15, EVERYBODY), {"Blue": "WU WU", "Green": "TS TS", "Yellow": "-- --"}, "R.WU+2 R.TS+3")
    causes = {move.cause for move in result.moves if move.figure.player == "Red"}
    assert causes <= {Cause.CATCH_UP}


def test_leader_in_an_earlier_seat_limits_the_rear_figure() -> None:
    """Check both orders: a figure that moves back after the leader stops at the rear end, otherwise it is pulled."""
    trail = Trail.start(15, EVERYBODY).moved(Figure("Blue", Animal.MOOSE), 12)
    poses = {"Blue": "WU WU", "Green": "TS TS", "Yellow": "-- --"}
    ahead_first = played(trail, poses, "R.WU-4 R.TS-3")
    back_first = played(trail, dict(reversed(poses.items())), "R.WU-4 R.TS-3")
    green = Figure("Green", Animal.RABBIT)
    assert next(move.place for move in ahead_first.moves if move.figure == green) == 2
    assert next(move.place for move in back_first.moves if move.figure == green) == 3


def test_all_figures_on_one_space_are_last() -> None:
    result = played(Trail.start(15, EVERYBODY), {"Blue": "WU WU", "Green": "WU WU", "Yellow": "WU WU"}, "R.WU+1 R.WU-1")
    caught_up = [move.figure for move in result.moves if move.cause is Cause.CATCH_UP]
    assert len(caught_up) == 8
    assert set(result.trail.places.values()) == {6}


def test_bush_catches_up_too() -> None:
    result = played(Trail.start(15, EVERYBODY), {"Blue": "-- --", "Green": "WU WU", "Yellow": "TS TS"}, "L.WU+1 L.TS+1")
    assert result.trail.places[Figure("Blue", Animal.MOOSE)] == 5
    assert result.trail.places[Figure("Blue", Animal.RABBIT)] == 5
    assert result.trail.places[Figure("Red", Animal.RABBIT)] == 5


def test_leading_rabbits_pull_the_last_moose_before_it_catches_up() -> None:
    trail = Trail.start(15, ("Red", "Blue", "Green"))
    for player in ("Red", "Blue", "Green"):
        trail = trail.moved(Figure(player, Animal.RABBIT), 14)
    trail = trail.moved(Figure("Red", Animal.MOOSE), 1)
    result = played(trail, {"Blue": "WU WU", "Green": "WU WU"}, "HUNTER")
    places = {figure.player: place for figure, place in result.trail.places.items() if figure.animal is Animal.MOOSE}
    assert places == {"Red": 7, "Blue": 7, "Green": 7}


def test_look_alikes_are_announced_together_in_seat_order() -> None:
    result = played(
        Trail.start(15, EVERYBODY), {"Blue": "WU CD", "Green": "-- --", "Yellow": "WU CD"}, "L.WU+1", "Blue"
    )
    said = [(announcement.players, announcement.score.total) for announcement in announcements(result.verdicts)]
    assert said == [(("Blue", "Yellow"), 1), (("Green",), None)]


def test_players_with_different_tongues_are_not_look_alikes() -> None:
    result = played(Trail.start(15, EVERYBODY), {"Blue": "WU CD", "Green": "WU CD t", "Yellow": "CD WU"}, "HUNTER")
    assert len(announcements(result.verdicts)) == 3
    assert [verdict.seat for verdict in result.verdicts] == [1, 2, 3]


PLAYERS = ("Red", "Blue", "Green")
FIGURES = [Figure(player, animal) for player in PLAYERS for animal in (Animal.MOOSE, Animal.RABBIT)]
RED, BLUE = Figure("Red", Animal.MOOSE), Figure("Blue", Animal.RABBIT)

moves = st.lists(st.tuples(st.sampled_from(FIGURES), st.integers(-25, 25)), max_size=40)


class CardsOnTheTable:
    """The rulebook's method: a row of cards from `rear` on, which are moved one by one from one end to the other."""

    def __init__(self, spaces: int) -> None:
        self.spaces = spaces
        self.rear = 1
        self.places = dict.fromkeys(FIGURES, 5)

    @property
    def front(self) -> int:
        return self.rear + self.spaces - 1

    def move(self, figure: Figure, spaces: int) -> None:
        target = self.places.pop(figure) + spaces
        while target > self.front:
            self.rear += 1
        while target < self.rear and self.front not in self.places.values():
            self.rear -= 1
        self.places[figure] = target
        self.places = {other: max(place, self.rear) for other, place in self.places.items()}


@given(st.sampled_from([15, 18]), moves)
def test_trail_matches_moving_the_cards_by_hand(spaces: int, moves: list[tuple[Figure, int]]) -> None:
    trail, table = Trail.start(spaces, PLAYERS), CardsOnTheTable(spaces)
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
        table.move(figure, steps)
        assert trail.places == table.places


@given(st.sampled_from([15, 18]), moves)
def test_no_figure_is_a_whole_trail_behind_the_leader(spaces: int, moves: list[tuple[Figure, int]]) -> None:
    trail = Trail.start(spaces, PLAYERS)
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
        assert max(trail.places.values()) - min(trail.places.values()) <= spaces - 1


@pytest.mark.parametrize(
    ("moves", "red", "blue", "others"),
    [
        ([], 5, 5, 5),
        ([(RED, 3)], 8, 5, 5),
        ([(RED, -7)], -2, 5, 5),
        ([(RED, 17)], 22, 5, 5),
        ([(RED, 18)], 23, 6, 6),
        ([(RED, 30)], 35, 18, 18),
        ([(RED, 13), (BLUE, -10)], 18, 1, 5),
        ([(RED, 14), (BLUE, -10)], 19, 2, 5),
        ([(RED, 14), (RED, -20)], -1, 5, 5),
        ([(BLUE, -10), (RED, 14)], 19, 2, 5),
        ([(RED, 17), (BLUE, -1)], 22, 5, 5),
        ([(BLUE, -1), (RED, 17), (BLUE, 1)], 22, 6, 5),
    ],
)
def test_figures_move_on_a_trail_of_18_spaces(
    moves: list[tuple[Figure, int]], red: int, blue: int, others: int
) -> None:
    trail = Trail.start(18, PLAYERS)
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
    assert trail.places[RED] == red
    assert trail.places[BLUE] == blue
    assert {place for figure, place in trail.places.items() if figure not in (RED, BLUE)} == {others}


def test_order_of_moves_decides_which_figure_is_stopped() -> None:
    ahead_first = Trail.start(15, PLAYERS).moved(RED, 12).moved(BLUE, -4).moved(RED, -5)
    back_first = Trail.start(15, PLAYERS).moved(BLUE, -4).moved(RED, 12).moved(RED, -5)
    between = Trail.start(15, PLAYERS).moved(RED, 12).moved(RED, -5).moved(BLUE, -4)
    assert [trail.places[BLUE] for trail in (ahead_first, back_first, between)] == [3, 3, 1]


def test_all_rearmost_figures_of_an_animal_are_last() -> None:
    trail = Trail.start(18, PLAYERS)
    assert len(trail.last(Animal.RABBIT)) == 3
    assert trail.moved(BLUE, -1).last(Animal.RABBIT) == (BLUE,)
    assert len(trail.moved(BLUE, 1).last(Animal.RABBIT)) == 2


@given(moves)
def test_ranking_orders_all_players_and_shares_places(moves: list[tuple[Figure, int]]) -> None:
    trail = Trail.start(18, PLAYERS)
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
    standings = ranking(trail)
    assert sorted(standing.player for standing in standings) == sorted(PLAYERS)
    for standing in standings:
        better = [other for other in standings if (other.rear, other.front) > (standing.rear, standing.front)]
        assert standing.place == 1 + len(better)
        assert standing.rear <= standing.front
