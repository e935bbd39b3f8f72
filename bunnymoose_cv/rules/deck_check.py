"""Check of a deck against the facts about a box."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bunnymoose_cv.rules.cards import (
    ANTLER_PATTERNS,
    Card,
    DoubleCard,
    Half,
    HunterCard,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    Table,
    TimesTwoCard,
    TongueCard,
    mirrored,
)
from bunnymoose_cv.rules.deck import Deck, load_edition

CARD_KINDS: dict[type[Card], str] = {
    SingleCard: "single",
    DoubleCard: "double",
    TongueCard: "tongue",
    SpeciesCard: "rabbit or moose",
    TimesTwoCard: "×2",
    ReversalCard: "±",
    HunterCard: "hunter",
}


@dataclass(frozen=True, slots=True)
class DeckFinding:
    """Result of one check of a deck: a sentence, and whether it holds."""

    sentence: str
    holds: bool


def check_deck(deck: Deck) -> tuple[DeckFinding, ...]:
    """Compare a deck with the facts about a box: numbers, kinds, hunters, balance."""
    edition = load_edition(deck.edition)
    both = deck.cards + deck.advanced
    kinds = {type(card) for card in both}
    missing = [words for kind, words in CARD_KINDS.items() if kind not in kinds]
    antlers, ears = _headgear_values(both)
    return (
        DeckFinding(f"{len(both)} cards, the box holds {edition.cards_in_box}", len(both) == edition.cards_in_box),
        DeckFinding(
            f"{len(deck.advanced)} of them advanced, the box holds {edition.advanced_cards_in_box}",
            len(deck.advanced) == edition.advanced_cards_in_box,
        ),
        DeckFinding(
            f"{deck.cards.count(HunterCard())} hunters among the cards always played, so that every deal ends",
            HunterCard() in deck.cards,
        ),
        DeckFinding(f"no {', no '.join(missing)} card" if missing else "every kind of card is there", not missing),
        DeckFinding(
            "left and right alike", all(Counter(map(mirrored, lot)) == Counter(lot) for lot in (both, deck.cards))
        ),
        DeckFinding("antlers and ears alike in number and values", antlers == ears),
    )


def _headgear_values(cards: Table) -> tuple[Counter[int], Counter[int]]:
    """Count each value on antlers, and on ears."""
    halves: list[SingleCard | Half] = [card for card in cards if isinstance(card, SingleCard)]
    halves += [half for card in cards if isinstance(card, DoubleCard) for half in (card.left, card.right)]
    antlers = Counter(half.value for half in halves if half.pattern in ANTLER_PATTERNS)
    return antlers, Counter(half.value for half in halves) - antlers
