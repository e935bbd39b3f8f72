"""Trail board: places of the figures, and their walk after a round."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.trail import Figure, Trail
from bunnymoose_cv.web.widgets.trail_board import height_of, place_style, spaces_of, spots_of, trail_html, walks_of
from tests.unit.web.states import PLAYERS, ROUND, state_after

FIGURES = tuple(Figure(player, animal) for player in "ABCDEF" for animal in (Animal.MOOSE, Animal.RABBIT))


@given(st.lists(st.tuples(st.sampled_from(FIGURES), st.integers(-6, 9)), max_size=30))
def test_every_figure_stands_on_a_space_that_lies_there_and_covers_no_other(moves: list[tuple[Figure, int]]) -> None:
    trail = Trail.start(18, "ABCDEF")
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
    spaces, spots = spaces_of(trail), spots_of(trail)
    assert len(spaces) == 18
    assert {figure: spot.space for figure, spot in spots.items()} == dict(trail.places)
    assert all(spot.space in spaces and spot.column < spot.columns for spot in spots.values())
    assert len(set(spots.values())) == len(FIGURES)
    assert 1 < height_of(spots.values()) < 2


@pytest.mark.parametrize(
    ("steps", "spaces"),
    [(0, range(1, 19)), (13, range(1, 19)), (14, range(2, 20)), (-5, range(18)), (-8, range(-3, 15))],
)
def test_the_trail_slides_at_either_end_only_when_it_must(steps: int, spaces: range) -> None:
    assert spaces_of(Trail.start(18, ("Red",)).moved(Figure("Red", Animal.MOOSE), steps)) == spaces


def test_on_a_phone_the_trail_winds() -> None:
    styles = [place_style(place, range(3, 21)) for place in (3, 11, 12, 20)]
    assert styles == [
        "--across:0;--turn:0;--up:0",
        "--across:8;--turn:8;--up:0",
        "--across:9;--turn:8;--up:1",
        "--across:17;--turn:0;--up:1",
    ]


def test_figures_walk_in_the_order_of_the_moves() -> None:
    game = state_after(*ROUND).game
    walks = walks_of(game)
    assert list(walks) == list(dict.fromkeys(move.figure for move in game.rounds[0].moves))
    assert list(walks.values()) == list(range(len(walks)))


def test_every_figure_keeps_its_key_and_is_told_in_words() -> None:
    before, after = (state_after(*events).game for events in ((), ROUND))
    keys = [re.findall(r'data-key="((?:moose|rabbit) \w+)"', trail_html(game, Texts())) for game in (before, after)]
    assert keys[0] == keys[1] == [f"{animal} {player}" for player in PLAYERS for animal in ("moose", "rabbit")]
    for player in PLAYERS:
        moose, rabbit = (after.trail.places[Figure(player, animal)] for animal in (Animal.MOOSE, Animal.RABBIT))
        assert f"<li>{player}: moose on space {moose}, rabbit on space {rabbit}</li>" in trail_html(after, Texts())
