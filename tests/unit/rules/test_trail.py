"""The trail: its formula against the cards on the table, moved by hand as the rulebook tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.ranking import ranking
from bunnymoose_cv.rules.trail import Figure, Trail

PLAYERS = ("Red", "Blue", "Green")
FIGURES = [Figure(player, animal) for player in PLAYERS for animal in (Animal.MOOSE, Animal.RABBIT)]
RED, BLUE = Figure("Red", Animal.MOOSE), Figure("Blue", Animal.RABBIT)

moves = st.lists(st.tuples(st.sampled_from(FIGURES), st.integers(-25, 25)), max_size=40)


class CardsOnTheTable:
    """The rulebook's own way: a row of cards from `rear` on, taken from one end and laid at the other, one by one."""

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
        self.places = {each: max(place, self.rear) for each, place in self.places.items()}


@given(st.sampled_from([15, 18]), moves)
def test_figures_stand_where_cards_moved_by_hand_put_them(spaces: int, moves: list[tuple[Figure, int]]) -> None:
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
def test_moves_of_a_trail_of_18(moves: list[tuple[Figure, int]], red: int, blue: int, others: int) -> None:
    trail = Trail.start(18, PLAYERS)
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
    assert trail.places[RED] == red
    assert trail.places[BLUE] == blue
    assert {place for figure, place in trail.places.items() if figure not in (RED, BLUE)} == {others}


def test_the_order_of_moves_decides_who_is_stopped() -> None:
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
def test_the_ranking_orders_all_and_shares_places(moves: list[tuple[Figure, int]]) -> None:
    trail = Trail.start(18, PLAYERS)
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
    standings = ranking(trail)
    assert sorted(standing.player for standing in standings) == sorted(PLAYERS)
    for standing in standings:
        better = [other for other in standings if (other.rear, other.front) > (standing.rear, standing.front)]
        assert standing.place == 1 + len(better)
        assert standing.rear <= standing.front
