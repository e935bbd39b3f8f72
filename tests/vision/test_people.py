"""Whose hand is whose, and which tiles are looked at; whole pictures are read in test_reader.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.profile import load_profile
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.landmarks import Box, FoundFace
from bunnymoose_cv.vision.people import _tiles, _without_repeats, give_hands, without_doubles

if TYPE_CHECKING:
    from tests.vision.conftest import MakeHand, MakeHead

LIMITS = load_profile().people


def test_each_hand_goes_to_the_nearest_head_and_never_to_its_neighbour(
    make_head: MakeHead, make_hand: MakeHand
) -> None:
    heads = [make_head(x=300), make_head(x=600)]
    hands = [make_hand(*head.at(leftward, 0.2)) for head in heads for leftward in (-1.6, 1.6)]
    given_hands = give_hands(hands, heads, LIMITS)
    assert given_hands == [
        {Side.RIGHT: hands[0], Side.LEFT: hands[1]},
        {Side.RIGHT: hands[2], Side.LEFT: hands[3]},
    ]


def test_a_head_without_hands_does_not_borrow(make_head: MakeHead, make_hand: MakeHand) -> None:
    heads = [make_head(x=300), make_head(x=520)]
    hands = [make_hand(*heads[1].at(leftward, 0.2)) for leftward in (-1.6, 1.6)]
    assert give_hands(hands, heads, LIMITS)[0] == {}


def test_a_hand_far_from_every_head_is_nobodys(make_head: MakeHead, make_hand: MakeHand) -> None:
    head = make_head(eyes=20)
    assert give_hands([make_hand(*head.at(LIMITS.hand_reach + 3, 0), palm=20)], [head], LIMITS) == [{}]


def test_hands_that_touch_on_top_of_the_head_stay_two(make_head: MakeHead, make_hand: MakeHand) -> None:
    head = make_head()
    left = make_hand(*head.at(0.5, 1.6), palm=40, anatomical=Side.LEFT)
    right = make_hand(*head.at(-0.4, 1.6), palm=40, anatomical=Side.RIGHT)
    assert len(without_doubles([left, right])) == 2
    assert give_hands([left, right], [head], LIMITS) == [{Side.LEFT: left, Side.RIGHT: right}]


def test_of_two_finds_of_one_hand_the_surer_is_kept(make_hand: MakeHand) -> None:
    sure, unsure = make_hand(100, 100, confidence=0.95), make_hand(104, 98, confidence=0.6)
    assert without_doubles([unsure, sure]) == [sure]


def test_two_hands_on_one_side_leave_the_nearer(make_head: MakeHead, make_hand: MakeHand) -> None:
    head = make_head()
    near, far = make_hand(*head.at(1.5, 0), palm=40), make_hand(*head.at(3.5, 0), palm=40)
    assert give_hands([far, near], [head], LIMITS) == [{Side.LEFT: near}]


@given(
    width=st.integers(320, 8000),
    height=st.integers(240, 8000),
    place=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    share=st.floats(0.02, 0.095),
)
def test_every_face_stands_whole_in_some_tile_that_shows_it_large(
    width: int, height: int, place: tuple[float, float], share: float
) -> None:
    size = share * max(width, height)
    left, top = place[0] * max(0, width - size), place[1] * max(0, height - size)
    tiles = [(x, y, side) for (x, y), side in _tiles(width, height) if size >= 0.07 * side]
    assert any(
        x - side / 2 <= left + 1
        and left + size <= x + side / 2 + 1
        and y - side / 2 <= top + 1
        and top + size <= y + side / 2 + 1
        for x, y, side in tiles
    )


@pytest.mark.parametrize(("width", "height"), [(320, 240), (1920, 1080), (7680, 4320), (720, 1280)])
def test_tiles_stay_few(width: int, height: int) -> None:
    assert len(_tiles(width, height)) <= 70


def test_the_lens_of_glasses_hides_no_face() -> None:
    face, again = FoundFace(Box(100, 100, 80, 80), 0.7), FoundFace(Box(104, 98, 90, 90), 0.6)
    lens = FoundFace(Box(110, 120, 20, 20), 0.8)
    assert _without_repeats([face, again, lens]) == [lens, face]
