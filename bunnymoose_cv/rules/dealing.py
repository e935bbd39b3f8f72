"""Turning the next card over when the referee deals. Owns no state; all chance comes from the random.Random given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.errors import InputError
from bunnymoose_cv.rules.events import CardLaid, DeckShuffled
from bunnymoose_cv.rules.game import Phase

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
    """All cards of the open round's rules, shuffled: for the first round, and whenever a new narrator wishes so."""
    return DeckShuffled(shuffled(game.round_rules.cards(deck), random))


def deal(game: Game, deck: Deck, random: Random) -> tuple[Event, ...]:
    """The events that lay the next card: its laying, after the shuffling of a new deck where one is due.

    All cards are shuffled when the game or its advanced half begins, the used ones when the deck has run out.

    Raises:
        InputError: the deck has fewer cards than there are piles, so that nothing is left to deal.
    """
    if game.phase is Phase.BETTING and _new_deck_is_due(game):
        shuffling = new_deck(game, deck, random)
    elif not game.draw:
        shuffling = DeckShuffled(shuffled(game.used, random))
    else:
        return (CardLaid(game.draw[0], from_deck=True),)
    if not shuffling.cards:
        raise InputError(f"The deck “{deck.title}” has too few cards for {game.rules.piles} piles: add some.")
    return (shuffling, CardLaid(shuffling.cards[0], from_deck=True))


def _new_deck_is_due(game: Game) -> bool:
    if not game.draw and not game.used:
        return True
    return bool(game.rounds) and game.rounds[-1].facts.rules != game.round_rules
