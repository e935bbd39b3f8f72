"""Events of a game, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.pose import Pose


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The first event.

    Attributes:
        players: the players round the table, from the first narrator to the narrator's left.
        colours: the numbers, from 1, of the players' figure colours, in player order; empty if none were chosen.
    """

    players: tuple[str, ...]
    rules: Rules
    colours: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A new deck to draw from: all cards before a round, or the used cards when the deck runs out in mid-deal."""

    cards: Table


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """Bet of the narrator on another player; a later bet before the deal replaces it."""

    player: str


@dataclass(frozen=True, slots=True)
class CardLaid:
    """The next card of the deal: on the next pile, or, for a hunter after the first pass, in front of the narrator.

    Attributes:
        from_deck: True if it was drawn from the shuffled deck, False if the players laid and entered it.
    """

    card: Card
    from_deck: bool = False


@dataclass(frozen=True, slots=True)
class TableLaid:
    """Cards of all piles, entered at once, before Bam or after it; they replace the cards known before."""

    cards: Table


@dataclass(frozen=True, slots=True)
class Bam:
    """The freeze. A hunter that ends the deal is itself a Bam."""


@dataclass(frozen=True, slots=True)
class PosesJudged:
    """Poses of the players at Bam. Uncertain ones may follow later; the round is scored when all are known."""

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
    """Correction of the bet to another player or, if None, to no bet, in this round or an older one."""

    round_number: int
    player: str | None


@dataclass(frozen=True, slots=True)
class Undone:
    """Undo of the newest event that has not been undone; it may be a correction."""


RoundEvent: TypeAlias = DeckShuffled | BetPlaced | CardLaid | TableLaid | Bam | PosesJudged
Correction: TypeAlias = PoseCorrected | TableCorrected | BetCorrected
Event: TypeAlias = GameStarted | RoundEvent | Correction | Undone


class IllegalEventError(InputError):
    """Event that cannot follow those before it."""
