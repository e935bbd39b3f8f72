"""The dealer: a line and a card at a time, hunters of the first pass ignored, Bam with the first one after it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.poem import load_poem
from bunnymoose_cv.referee.dealer import BAM, Dealer
from bunnymoose_cv.rules.cards import HunterCard, parse_card
from bunnymoose_cv.rules.dealing import deal
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.events import CardLaid, GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.events import Event

DECK = load_deck("second")
POEM = load_poem(6)


class Table:
    """A game whose cards the dealer lays."""

    def __init__(self, seed: int) -> None:
        self.events: list[Event] = [GameStarted(("Red", "Blue", "Green"), rules_for())]
        self.random = Random(seed)
        self.said: list[str] = []

    def lay(self) -> Card:
        dealt = deal(fold(self.events), DECK, self.random)
        self.events += dealt
        return next(event.card for event in dealt if isinstance(event, CardLaid))

    @property
    def pile(self) -> int:
        return fold(self.events).laid

    @property
    def over(self) -> bool:
        return fold(self.events).phase is Phase.FROZEN


@given(st.integers(0, 10_000))
def test_a_deal_ends_with_the_first_hunter_after_the_first_pass(seed: int) -> None:
    table = Table(seed)
    dealer = Dealer(POEM, lambda: table.pile, table.lay, lambda: table.over, table.said.append, tempo_s=2.0)
    cards = []
    for turn in range(200):
        card = dealer.turn(2.0 * turn)
        assert card is not None
        cards.append(card)
        if table.over:
            break
    assert isinstance(cards[-1], HunterCard)
    assert not any(isinstance(card, HunterCard) for card in cards[6:-1])
    assert len(fold(table.events).table) == 6
    lines = [f"{line.draw} {line.lay}" for line in POEM]
    assert table.said == [lines[number % 6] for number in range(len(cards) - 1)] + [BAM]


def test_the_next_line_waits_for_its_time() -> None:
    table = Table(1)
    dealer = Dealer(POEM, lambda: table.pile, table.lay, lambda: table.over, table.said.append, tempo_s=2.0)
    turns = [dealer.turn(now_s) is not None for now_s in (0.0, 0.5, 1.9, 2.0, 3.0, 4.5, 6.0, 6.5)]
    assert turns == [True, False, False, True, False, True, False, True]
    assert len(table.said) == 4


def test_the_line_is_that_of_the_pile_when_people_lay_a_card_themselves() -> None:
    table = Table(1)
    dealer = Dealer(POEM, lambda: table.pile, table.lay, lambda: table.over, table.said.append, tempo_s=2.0)
    assert dealer.line is None
    dealer.turn(0.0)
    table.events.append(CardLaid(parse_card("TONGUE+1")))
    dealer.turn(2.0)
    assert dealer.line == 2
    assert table.said == [f"{POEM[line].draw} {POEM[line].lay}" for line in (0, 2)]
