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


def deal(game: Game, deck: Deck, random: Random) -> tuple[Event, ...]:
    """The events that lay the next card: its laying, after the shuffling of a new deck where one is due.

    All cards are shuffled when the game or its advanced half begins, the used ones when the deck has run out.

    Raises:
        InputError: the deck has fewer cards than there are piles, so that nothing is left to deal.
    """
    order = game.draw
    if game.phase is Phase.BETTING and _new_deck_is_due(game):
        order = shuffled(game.round_rules.cards(deck), random)
    elif not order:
        order = shuffled(game.used, random)
    if not order:
        raise InputError(f"The deck “{deck.title}” has too few cards for {game.rules.piles} piles: add some.")
    shuffling = () if order == game.draw else (DeckShuffled(order),)
    return (*shuffling, CardLaid(order[0], from_deck=True))


def _new_deck_is_due(game: Game) -> bool:
    if not game.draw and not game.used:
        return True
    return bool(game.rounds) and game.rounds[-1].facts.rules != game.round_rules
