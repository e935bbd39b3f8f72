"""Check of a deck against what the rules know about a box."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.rules.cards import (
    ANTLER_PATTERNS,
    Card,
    DoubleCard,
    HunterCard,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    TimesTwoCard,
    TongueCard,
    mirrored,
)
from bunnymoose_cv.rules.deck import load_edition

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Deck

CARD_KINDS: dict[type[Card], str] = {
    SingleCard: "single",
    DoubleCard: "double",
    TongueCard: "tongue",
    SpeciesCard: "rabbit or moose",
    TimesTwoCard: "×2",
    ReversalCard: "±",
    HunterCard: "hunter",
}
"""Every kind of card, with what people call it."""


@dataclass(frozen=True, slots=True)
class DeckFinding:
    """One thing that a deck was checked for: a sentence, and whether it holds."""

    sentence: str
    holds: bool


def check_deck(deck: Deck) -> tuple[DeckFinding, ...]:
    """Compare a deck with what the rules know about a box: numbers, kinds, hunters, balance."""
    edition = load_edition(deck.edition)
    both = deck.cards + deck.advanced
    kinds = {type(card) for card in both}
    missing = [words for kind, words in CARD_KINDS.items() if kind not in kinds]
    antlers, ears = _headgear_values(both)
    return (
        DeckFinding(
            f"{len(both)} cards, the box holds {edition.cards_in_box}",
            len(both) == edition.cards_in_box,
        ),
        DeckFinding(
            f"{len(deck.advanced)} of them advanced, the box holds {edition.advanced_cards_in_box}",
            len(deck.advanced) == edition.advanced_cards_in_box,
        ),
        DeckFinding(
            f"{deck.cards.count(HunterCard())} hunters among the cards always played, so that every deal ends",
            HunterCard() in deck.cards,
        ),
        DeckFinding(
            f"no {', no '.join(missing)} card" if missing else "every kind of card is there",
            not missing,
        ),
        DeckFinding(
            "left and right alike", all(Counter(map(mirrored, lot)) == Counter(lot) for lot in (both, deck.cards))
        ),
        DeckFinding("antlers and ears alike in number and values", antlers == ears),
    )


def _headgear_values(cards: Table) -> tuple[Counter[int], Counter[int]]:
    """Count each value on antlers, and on ears."""
    antlers: Counter[int] = Counter()
    ears: Counter[int] = Counter()
    for card in cards:
        shown: tuple[Any, ...] = ()
        if isinstance(card, SingleCard):
            shown = (card,)
        elif isinstance(card, DoubleCard):
            shown = (card.left, card.right)
        for half in shown:
            (antlers if half.pattern in ANTLER_PATTERNS else ears)[half.value] += 1
    return antlers, ears
