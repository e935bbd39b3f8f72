"""Piles of the table: the next one is marked, a new card is seen to be laid."""

from __future__ import annotations

from bunnymoose_cv.rules.events import CardLaid, TableLaid
from bunnymoose_cv.web.widgets.piles import piles_of
from tests.unit.web.states import CARDS, ROUND, state_after


def test_the_next_pile_is_marked_and_a_card_on_the_same_one_is_seen_to_be_laid() -> None:
    piles = piles_of(state_after(*map(CardLaid, CARDS[:2])).game)
    assert [pile.card for pile in piles] == [*CARDS[:2], None, None, None, None]
    assert [pile.number for pile in piles if pile.is_next] == [3]
    round_again = piles_of(state_after(TableLaid(CARDS), CardLaid(CARDS[0])).game)
    assert round_again[0].card == CARDS[0]
    assert round_again[0].laid > piles[0].laid
    assert [pile.number for pile in round_again if pile.is_next] == [2]
    assert not any(pile.is_next for pile in piles_of(state_after(*ROUND[:3]).game))
