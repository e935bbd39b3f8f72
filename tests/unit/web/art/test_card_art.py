"""Card faces: every card draws valid XML, different cards differ, sides follow the mirror."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import Card, mirrored, parse_card
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.art.card_art import card_face
from tests.unit.web.art.cards_of_decks import DECK_CARDS, any_card
from tests.unit.web.art.svg import drawn, shapes

TEXTS = Texts()


@pytest.mark.parametrize("card", DECK_CARDS, ids=str)
def test_every_card_of_both_decks_draws_a_image_with_its_name(card: Card) -> None:
    root = drawn(card_face(card, TEXTS))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == card_name(card, TEXTS)


def test_different_cards_have_different_faces() -> None:
    assert len({shapes(card_face(card, TEXTS)) for card in DECK_CARDS}) == len(DECK_CARDS)


@given(any_card)
def test_every_card_of_the_notation_draws_and_differs_from_its_mirror_image(card: Card) -> None:
    face = card_face(card, TEXTS)
    drawn(face)
    twin = mirrored(card)
    assert (shapes(face) == shapes(card_face(twin, TEXTS))) is (card == twin)


@given(st.lists(any_card, min_size=2, max_size=2, unique=True))
def test_two_cards_never_share_a_face(two: list[Card]) -> None:
    one, other = two
    assert shapes(card_face(one, TEXTS)) != shapes(card_face(other, TEXTS))


@pytest.mark.parametrize(("card", "left"), [("L.WU+2", True), ("R.WU+2", False)])
def test_a_card_is_read_like_a_mirror_with_the_value_on_the_asked_side(card: str, left: bool) -> None:  # noqa: FBT001 - a table
    moves = re.findall(r"translate\((\d[\d.]*) ([\d.]+)\)", card_face(parse_card(card), TEXTS))
    (badge,) = {float(across) for across, down in moves if down == "232"}
    (head,) = {float(across) for across, down in moves if down == "134"}
    assert (badge < 100) is left
    assert (head > 100) is left, "the head makes room for the hand"
