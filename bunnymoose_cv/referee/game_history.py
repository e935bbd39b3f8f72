"""History of a game by its entries: poses that people said, verdicts that they took back, a Bam that is dismissed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.rules.events import Bam, GameStarted, PoseCorrected, PosesJudged, RoundEvent, Undone
from bunnymoose_cv.rules.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.pose import Pose


def told_poses(standing: Iterable[Entry]) -> dict[tuple[int, str], Pose]:
    """Poses that people have told, by round and player: of each the last.

    Args:
        standing: entries of a game that have not been undone.
    """
    told: dict[tuple[int, str], Pose] = {}
    seats, judged = 1, 0
    for entry in standing:
        match entry.event:
            case GameStarted(players=players):
                seats = len(players) - 1
            case PosesJudged(poses):
                number = 1 + judged // seats  # a round judges each seat once, and closes with the last
                judged += len(poses)
                if entry.who != REFEREE:
                    told.update({(number, player): pose for player, pose in poses.items()})
            case PoseCorrected(number, player, pose):
                told[number, player] = pose
    return told


def taken_back(entries: Iterable[Entry]) -> frozenset[str]:
    """Players whose verdict by the camera was taken back, and who have not been judged since.

    Where what came before a verdict (its cards, its Bam) is taken back too, the camera may judge once more.

    Args:
        entries: all that happened in a game, with what was undone.
    """
    standing: list[tuple[Entry, frozenset[str]]] = []  # each with the players after it
    players: frozenset[str] = frozenset()
    for entry in entries:
        match entry.event:
            case Undone():
                undone, _ = standing.pop()
                newest, players = standing.pop()
                if isinstance(undone.event, PosesJudged) and undone.who == REFEREE:
                    players |= undone.event.poses.keys()
                standing.append((newest, players))
                continue
            case PosesJudged(poses):
                players -= poses.keys()
        standing.append((entry, players))
    return players


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
