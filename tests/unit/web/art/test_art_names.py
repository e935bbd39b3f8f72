"""Accessible names of cards: what is asked, on which side, for how much, and never the same for two cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import Card, mirrored, parse_card
from bunnymoose_cv.web.art.art_names import card_name
from tests.unit.web.art.cards_of_decks import DECK_CARDS, any_card

TEXTS = Texts()


@pytest.mark.parametrize(
    ("card", "name"),
    [
        ("L.WU+2", "on your left: wide antler up, 2 ahead"),
        ("R.SF-1", "on your right: floppy ear at the side, 1 back"),
        ("L.?U+1", "on your left: antler up, wide or compact, 1 ahead"),
        ("R.T?-3", "on your right: ear on top, straight or floppy, 3 back"),
        ("B.CD+1", "on either side: compact antler down, 1 ahead for each"),
        ("B.CD+1/-1", "on your left: compact antler down, 1 ahead; on your right: compact antler down, 1 back"),
        ("B.WU+1/TS-2", "on your left: wide antler up, 1 ahead; on your right: straight ear on top, 2 back"),
        ("TONGUE+3", "tongue out, 3 ahead"),
        ("RABBIT-2", "every rabbit, 2 back"),
        ("MOOSE*2", "every moose, times two"),
        ("L.WU+0", "on your left: wide antler up, no step"),
    ],
)
def test_a_name_says_headgear_side_and_value(card: str, name: str) -> None:
    assert card_name(parse_card(card), TEXTS) == name


def test_different_cards_of_both_decks_have_different_names() -> None:
    assert len({card_name(card, TEXTS) for card in DECK_CARDS}) == len(DECK_CARDS)


@given(any_card)
def test_a_card_and_its_mirror_image_have_different_names(card: Card) -> None:
    twin = mirrored(card)
    assert (card_name(card, TEXTS) == card_name(twin, TEXTS)) is (card == twin)


@given(st.lists(any_card, min_size=2, max_size=2, unique=True))
def test_two_cards_never_share_a_name(two: list[Card]) -> None:
    one, other = two
    assert card_name(one, TEXTS) != card_name(other, TEXTS)
