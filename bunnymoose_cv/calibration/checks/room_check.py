"""Check the room for hands: above the heads, at the edges, and between neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, good
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.table_look import TableLook


@dataclass(frozen=True, slots=True)
class Room:
    """The least room around the heads, in eye distances of the head next to it.

    Attributes:
        above: from the eyes to the upper edge.
        beside: from the eyes to the left or right edge.
        between: from one player's eyes to the neighbour's; None where one player sits alone.
    """

    above: float
    beside: float
    between: float | None


def check_room(look: TableLook) -> Finding | None:
    """Check the tightest place; None where nobody is found."""
    room = room_of(look)
    if room is None:
        return None
    above, beside = room.above / THRESHOLDS.weak_above, room.beside / THRESHOLDS.weak_beside
    if min(above, beside) < 1:
        tight = above <= beside
        limit = THRESHOLDS.bad_above if tight else THRESHOLDS.bad_beside
        value = room.above if tight else room.beside
        state = Level.BAD if value < limit else Level.WEAK
        return Finding(CheckLine.ROOM, state, *_cropped_words(above=tight), CheckCause.CROPPED, value)
    if room.between is not None and room.between < THRESHOLDS.weak_gap:
        state = Level.BAD if room.between < THRESHOLDS.bad_gap else Level.WEAK
        sentence = Phrase("Two players sit so close that their hands overlap.")
        remedy = Phrase("Sit farther apart: an arm’s length from nose to nose.")
        return Finding(CheckLine.ROOM, state, sentence, remedy, CheckCause.CROWDED, room.between)
    return good(CheckLine.ROOM, Phrase("Everybody’s hands fit into the picture."), min(room.above, room.beside))


def _cropped_words(*, above: bool) -> tuple[Phrase, Phrase]:
    """Sentence and remedy where hands are cut at the upper edge, or at one of the sides."""
    if above:
        return (
            Phrase("There is too little room above the heads: raised hands are cut off."),
            Phrase("Tilt the camera up, or move it back."),
        )
    return (
        Phrase("Somebody sits at the edge of the picture: hands are cut off."),
        Phrase("Turn the camera towards that player, move it back, or sit closer together."),
    )


def room_of(look: TableLook) -> Room | None:
    """Measure the room; None where nobody is found."""
    heads = sorted(look.heads, key=lambda head: head.centre[0])
    if not heads:
        return None
    width = look.image.shape[1]
    above = min(head.centre[1] / head.eye_distance for head in heads)
    beside = min(min(head.centre[0], width - head.centre[0]) / head.eye_distance for head in heads)
    gaps = [
        (other.centre[0] - one.centre[0]) / ((one.eye_distance + other.eye_distance) / 2)
        for one, other in pairwise(heads)
    ]
    return Room(above, beside, min(gaps, default=None))
