"""Words for the events of a game, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    DeckShuffled,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
)

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Correction, RoundEvent


def event_words(event: RoundEvent | Correction) -> str:  # noqa: PLR0911 - one case per kind
    """Describe an event: `poses judged, Blue WU CD t, Green -- --`, `pose corrected, round 1, Dana, SF SF`."""
    match event:
        case DeckShuffled(cards):
            return f"deck shuffled, {len(cards)} cards"
        case BetPlaced(player):
            return f"bet placed, {player}"
        case CardLaid(card):
            return f"card laid, {card}"
        case TableLaid(cards):
            return f"cards told, {format_table(cards)}"
        case Bam():
            return "Bam"
        case PosesJudged(poses):
            return f"poses judged, {', '.join(f'{player} {pose}' for player, pose in poses.items())}"
        case PoseCorrected(number):
            return f"pose corrected, round {number}, {correction_words(event)}"
        case TableCorrected(number):
            return f"cards corrected, round {number}, {correction_words(event)}"
        case BetCorrected(number):
            return f"bet corrected, round {number}, {correction_words(event)}"


def correction_words(event: Correction) -> str:
    """Describe the corrected value: `Dana, SF SF`, `L.WU+1 HUNTER`, `Dana`, `no bet`."""
    match event:
        case PoseCorrected(_, player, pose):
            return f"{player}, {pose}"
        case TableCorrected(_, cards):
            return format_table(cards)
        case BetCorrected(_, player):
            return player or "no bet"
