"""Check of a deck against what the rules know about a box."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from bunnymoose_cv.rules.cards import Card, parse_table
from bunnymoose_cv.rules.deck import Deck, load_deck
from bunnymoose_cv.rules.deck_check import CARD_KINDS, check_deck

SECOND = load_deck("second")


def faults(deck: Deck) -> list[str]:
    return [finding.sentence for finding in check_deck(deck) if not finding.holds]


@pytest.mark.parametrize("name", ["first", "second"])
def test_our_decks_have_no_fault(name: str) -> None:
    assert faults(load_deck(name)) == []


def test_a_small_deck_is_told_all_that_it_lacks() -> None:
    deck = replace(SECOND, cards=parse_table("L.WU+1 L.WU+1 R.TS+2"), advanced=parse_table("HUNTER"))
    assert faults(deck) == [
        "4 cards, the box holds 111",
        "1 of them advanced, the box holds 39",
        "0 hunters among the cards always played, so that every deal ends",
        "no double, no tongue, no rabbit or moose, no ×2, no ± card",
        "left and right alike",
        "antlers and ears alike in number and values",
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("L.WU+2", "R.WU+2", ["left and right alike"]),
        ("L.WU+2 R.WU+2", "L.TS+2 R.TS+2", ["antlers and ears alike in number and values"]),
        ("L.WU+2 R.WU+2", "L.WU+3 R.WU+3", ["antlers and ears alike in number and values"]),
    ],
)
def test_exchanged_cards_are_told(old: str, new: str, told: list[str]) -> None:
    cards = list(SECOND.cards)
    for taken in parse_table(old):
        cards.remove(taken)
    assert faults(replace(SECOND, cards=(*cards, *parse_table(new)))) == told


def test_every_kind_of_card_has_a_name() -> None:
    assert set(CARD_KINDS) == set(get_args(Card))
