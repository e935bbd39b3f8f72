"""Choices of the narrator: the cards of the deck by what they are about, and how many of each are left."""

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
        group: where it stands.
        sample: a card about it; its side and value mean nothing.
        cards: the different ones of the deck that are about it, of which the second tap chooses.
    """

    group: CardGroup
    sample: Card
    cards: tuple[Card, ...]


def motifs(deck: Table) -> tuple[Motif, ...]:
    """List the motifs of a deck in the order of the grid; a double shows the shape of either half."""
    faces = sorted(set(deck), key=_order)
    shown = [
        Motif(
            CardGroup.ANTLERS if pattern in ANTLER_PATTERNS else CardGroup.EARS,
            SingleCard(Side.LEFT, pattern, 1),
            tuple(card for card in faces if pattern in _patterns(card)),
        )
        for pattern in sorted(PATTERNS, key=lambda each: "?" in str(each))
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
    """Motif of a deck by its sample in the notation; None for no such one."""
    return next((motif for motif in motifs(deck) if str(motif.sample) == sample), None)


def enrolled_cards(rules: Rules, own: Deck | None = None) -> Table:
    """The different cards that can be enrolled: of people's own box, where there is one, else of the edition."""
    deck = own or load_deck(rules.edition.name)
    return tuple(dict.fromkeys((*deck.cards, *deck.advanced)))


def cards_of(game: Game, own: Deck | None = None) -> Table:
    """The cards that the open round is played with: of people's own box, where there is one, else of our deck."""
    return game.round_rules.cards(deck_of(game.rules, own))


def remaining_cards(state: TableState, own: Deck | None = None) -> Counter[Card]:
    """Count the cards that can still come: those of the deck but for those laid in the open round."""
    return Counter(cards_of(state.game, own)) - laid_in_round(state)


def laid_in_round(state: TableState) -> Counter[Card]:
    """The cards that were laid in the open round, covered ones too."""
    one_by_one = [each.event.card for each in standing_entries(state.entries) if isinstance(each.event, CardLaid)]
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
    """Best first."""
    match card:
        case SingleCard(value=value) | TongueCard(value) | SpeciesCard(value=value):
            return -value, str(card)
        case DoubleCard(left, right):
            return -left.value - right.value, str(card)
        case _:
            return 0, str(card)
