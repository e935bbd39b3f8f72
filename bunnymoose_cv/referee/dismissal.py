"""Dismissal of a Bam that was none: which events are taken back, and which of them are still true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.events import Bam, PoseCorrected, PosesJudged, RoundEvent
from bunnymoose_cv.rules.fold import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.rules.events import Event


@dataclass(frozen=True, slots=True)
class Dismissal:
    """Dismissal of the newest Bam.

    Attributes:
        round_number: of the round that goes on as before it.
        taken_back: number of the newest standing events that are taken back, from Bam on.
        still_true: those of them that say nothing of what somebody showed at that Bam.
    """

    round_number: int
    taken_back: int
    still_true: tuple[Entry, ...]


def dismissal(standing: Sequence[Entry]) -> Dismissal | None:
    """Find the Bam that can be dismissed among the standing entries.

    Returns:
        None where a hunter ended the deal, a later round has begun, or no Bam stands.
    """
    events = [entry.event for entry in standing]
    bam = max((place for place, event in enumerate(events) if isinstance(event, Bam)), default=None)
    if bam is None:
        return None
    number = fold(events[:bam]).round_number
    of_rounds = (place for place, event in enumerate(events) if place > bam and isinstance(event, RoundEvent))
    if any(len(fold(events[:place]).rounds) >= number for place in of_rounds):
        return None
    still_true = tuple(entry for entry in standing[bam + 1 :] if not _is_of_bam(entry.event, number))
    return Dismissal(number, len(standing) - bam, still_true)


def _is_of_bam(event: Event, number: int) -> bool:
    """Tell if an event says what somebody showed at the Bam of a round."""
    return isinstance(event, PosesJudged) or (isinstance(event, PoseCorrected) and event.round_number == number)
