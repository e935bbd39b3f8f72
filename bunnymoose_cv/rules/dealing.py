"""Turning the next card over when the referee deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.events import CardLaid, DeckShuffled

if TYPE_CHECKING:
    from random import Random

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game


def shuffled(cards: Table, random: Random) -> Table:
    """The same cards in a new order."""
    order = list(cards)
    random.shuffle(order)
    return tuple(order)


def new_deck(game: Game, deck: Deck, random: Random) -> DeckShuffled:
    """All cards of the open round's rules, shuffled, but for those that people have laid on the piles already."""
    cards = list(game.round_rules.cards(deck))
    for card in game.table:
        if card in cards:
            cards.remove(card)
    return DeckShuffled(shuffled(tuple(cards), random))


def deal(game: Game, deck: Deck, random: Random) -> tuple[Event, ...]:
    """The events that lay the next card: its laying, after the shuffling of a new deck where one is due.

    All cards are shuffled before the first one is dealt and when the advanced half of the game begins, the used ones
    when the deck has run out.

    Raises:
        InputError: the deck has fewer cards than there are piles, so that nothing is left to deal.
    """
    if game.has_no_deck:
        shuffling = new_deck(game, deck, random)
    elif not game.draw:
        shuffling = DeckShuffled(shuffled(game.used, random))
    else:
        return (CardLaid(game.draw[0], from_deck=True),)
    if not shuffling.cards:
        raise InputError(
            Phrase(
                "The deck “{deck}” has too few cards for {piles} piles: add some.",
                deck=deck.title,
                piles=game.rules.piles,
            )
        )
    return (shuffling, CardLaid(shuffling.cards[0], from_deck=True))
