"""Events of the table, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.pose import Pose


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The first event.

    Attributes:
        players: round the table, from the first narrator to the narrator's left.
        colours: of the figures that each of them took, by their numbers from 1; none where nobody told.
    """

    players: tuple[str, ...]
    rules: Rules
    colours: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A new deck to draw from: everything before a round, the used cards when the deck runs out in mid-deal."""

    cards: Table


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """Bet of the narrator on another player; a later bet before the deal replaces it."""

    player: str


@dataclass(frozen=True, slots=True)
class CardLaid:
    """The next card of the deal: on the next pile, or, for a hunter after the first pass, in front of the narrator.

    Attributes:
        from_deck: whether it was drawn from the shuffled deck; else people laid it and told what it was.
    """

    card: Card
    from_deck: bool = False


@dataclass(frozen=True, slots=True)
class TableLaid:
    """Cards of all piles, told at once, before Bam or after it; replaces what was known of them."""

    cards: Table


@dataclass(frozen=True, slots=True)
class Bam:
    """The freeze. A hunter that ends the deal is a Bam by itself."""


@dataclass(frozen=True, slots=True)
class PosesJudged:
    """Poses of the players at Bam; those not sure yet may follow. With the last of them the round is scored."""

    poses: Mapping[str, Pose]


@dataclass(frozen=True, slots=True)
class PoseCorrected:
    """Correction of a pose, in this round or an older one."""

    round_number: int
    player: str
    pose: Pose


@dataclass(frozen=True, slots=True)
class TableCorrected:
    """Correction of the cards on the piles, in this round or an older one."""

    round_number: int
    cards: Table


@dataclass(frozen=True, slots=True)
class BetCorrected:
    """Correction of the bet, on somebody else or on nobody, in this round or an older one."""

    round_number: int
    player: str | None


@dataclass(frozen=True, slots=True)
class Undone:
    """Undo of the newest event that still stands; of a correction too."""


RoundEvent: TypeAlias = DeckShuffled | BetPlaced | CardLaid | TableLaid | Bam | PosesJudged
Correction: TypeAlias = PoseCorrected | TableCorrected | BetCorrected
Event: TypeAlias = GameStarted | RoundEvent | Correction | Undone
