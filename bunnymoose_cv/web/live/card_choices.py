"""Cards that the narrator chooses from: the deck's cards by motif, and how many of each are left."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.rules.cards import (
    ANTLER_PATTERNS,
    PATTERNS,
    Card,
    DoubleCard,
    HunterCard,
    Pattern,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    TimesTwoCard,
    TongueCard,
)
from bunnymoose_cv.rules.deck import deck_of, load_deck
from bunnymoose_cv.rules.events import CardLaid
from bunnymoose_cv.rules.pose import Animal, Side

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Deck, Rules
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.table_state import TableState


class CardGroup(Enum):
    """Group of motifs in the grid."""

    ANTLERS = "antlers"
    EARS = "ears"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Motif:
    """Motif that the first tap chooses.

    Attributes:
        sample: a card with the motif, whose side and value have no meaning.
        cards: the deck's different cards with the motif, for the second tap.
    """

    group: CardGroup
    sample: Card
    cards: tuple[Card, ...]


def motifs(deck: Table) -> tuple[Motif, ...]:
    """Return the motifs of a deck in the order of the grid; a double has the motifs of both halves."""
    faces = sorted(set(deck), key=_order)
    shown = [
        Motif(
            CardGroup.ANTLERS if pattern in ANTLER_PATTERNS else CardGroup.EARS,
            SingleCard(Side.LEFT, pattern, 1),
            tuple(card for card in faces if pattern in _patterns(card)),
        )
        for pattern in sorted(PATTERNS, key=lambda pattern: "?" in str(pattern))
    ]
    for species in (Animal.MOOSE, Animal.RABBIT):
        about = tuple(
            card for card in faces if isinstance(card, SpeciesCard | TimesTwoCard) and card.species is species
        )
        shown.append(Motif(CardGroup.OTHERS, SpeciesCard(species, 1), about))
    shown += [
        Motif(CardGroup.OTHERS, sample, tuple(card for card in faces if isinstance(card, type(sample))))
        for sample in (TongueCard(1), ReversalCard(), HunterCard())
    ]
    return tuple(motif for motif in shown if motif.cards)


def motif_of(deck: Table, sample: str) -> Motif | None:
    """Return the motif of a deck by the notation of its sample; None if there is none."""
    return next((motif for motif in motifs(deck) if str(motif.sample) == sample), None)


def enrolled_cards(rules: Rules, own: Deck | None = None) -> Table:
    """Return the different cards that can be enrolled: those of the players' own deck or, without one, the edition."""
    deck = own or load_deck(rules.edition.name)
    return tuple(dict.fromkeys((*deck.cards, *deck.advanced)))


def cards_of(game: Game, own: Deck | None = None) -> Table:
    """Return the cards of the open round, from the players' own deck or, without one, the bundled one."""
    return game.round_rules.cards(deck_of(game.rules, own))


def remaining_cards(state: TableState, own: Deck | None = None) -> Counter[Card]:
    """Return the deck's cards that were not laid in the open round."""
    return Counter(cards_of(state.game, own)) - laid_in_round(state)


def laid_in_round(state: TableState) -> Counter[Card]:
    """Return the cards that were laid in the open round, including covered ones."""
    one_by_one = [entry.event.card for entry in standing_entries(state.entries) if isinstance(entry.event, CardLaid)]
    newest = one_by_one[-state.game.laid :] if state.game.laid else []
    return Counter(newest) | Counter(state.game.table)


def _patterns(card: Card) -> tuple[Pattern, ...]:
    match card:
        case SingleCard(pattern=pattern):
            return (pattern,)
        case DoubleCard(left, right):
            return (left.pattern, right.pattern)
        case _:
            return ()


def _order(card: Card) -> tuple[int, str]:
    """Return a sort key that puts the best card first."""
    match card:
        case SingleCard(value=value) | TongueCard(value) | SpeciesCard(value=value):
            return -value, str(card)
        case DoubleCard(left, right):
            return -left.value - right.value, str(card)
        case _:
            return 0, str(card)
