"""The different faces of a deck, each with a number: that of the marker on a printed card."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.deck import Deck


def face_numbers(deck: Deck) -> Mapping[Card, int]:
    """Number the different faces of a deck from 0, in its own order, advanced cards last.

    The numbers are a contract with decks that were printed: they change only with the deck itself.
    """
    faces = dict.fromkeys((*deck.cards, *deck.advanced))
    return {card: number for number, card in enumerate(faces)}
