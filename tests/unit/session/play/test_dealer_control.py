"""Built-in dealer: the poem, the cards, the hunter, and the time of each line."""

from random import Random
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.poem import load_poem
from bunnymoose_cv.rules.cards import Card, HunterCard, parse_card
from bunnymoose_cv.rules.deck import Deck, load_deck, rules_for
from bunnymoose_cv.rules.events import CardLaid, Event, GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.open_round import deal
from bunnymoose_cv.session.game_setup import DealerSetup
from bunnymoose_cv.session.play.dealer_control import BAM, DealerControl
from bunnymoose_cv.session.play.table_output import RoundDisplay
from bunnymoose_cv.session.services import Notices

DECK = load_deck("second")
POEM = load_poem(6)


class Table:
    """A game whose cards a dealer lays, two seconds from line to line."""

    def __init__(self, seed: int) -> None:
        setup = DealerSetup(DECK, Random(seed), POEM, 2.0)
        self.dealer = DealerControl(setup, self, RoundDisplay(Notices(str)))  # type: ignore[arg-type]
        self.events: list[Event] = [GameStarted(("Red", "Blue", "Green"), rules_for())]
        self.dealer.deal(None)

    @property
    def game(self) -> Game:
        return fold(self.events)

    def deal_card(self, deck: Deck, random: Random) -> Card:
        dealt = deal(self.game, deck, random)
        self.events += dealt
        return next(event.card for event in dealt if isinstance(event, CardLaid))

    @property
    def line(self) -> int | None:
        assert self.dealer.state is not None
        return self.dealer.state.line

    def deal_on(self, now_s: float) -> str | None:
        with patch("bunnymoose_cv.session.play.dealer_control.time.monotonic", return_value=now_s):
            return self.dealer.deal_on()


@given(st.integers(0, 10_000))
def test_a_deal_ends_with_the_first_hunter_after_the_first_pass(seed: int) -> None:
    table = Table(seed)
    said = []
    for turn in range(200):
        said.append(table.deal_on(2.0 * turn))
        if table.game.phase is Phase.FROZEN:
            break
    cards = [event.card for event in table.events if isinstance(event, CardLaid)]
    assert isinstance(cards[-1], HunterCard)
    assert not any(isinstance(card, HunterCard) for card in cards[6:-1])
    assert len(table.game.table) == 6
    lines = [f"{line.draw} {line.lay}" for line in POEM]
    assert said == [lines[number % 6] for number in range(len(cards) - 1)] + [BAM]


def test_the_next_line_waits_for_its_time() -> None:
    table = Table(1)
    turns = [table.deal_on(now_s) is not None for now_s in (0.0, 0.5, 1.9, 2.0, 3.0, 4.5, 6.0, 6.5)]
    assert turns == [True, False, False, True, False, True, False, True]


def test_after_a_card_by_hand_the_line_is_that_of_the_next_pile() -> None:
    table = Table(1)
    assert table.line is None
    said = [table.deal_on(0.0)]
    table.events.append(CardLaid(parse_card("TONGUE+1")))
    said.append(table.deal_on(2.0))
    assert table.line == 2
    assert said == [f"{POEM[line].draw} {POEM[line].lay}" for line in (0, 2)]
