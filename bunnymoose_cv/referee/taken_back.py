"""Verdicts of the camera that people have taken back, by the entries of a game file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.rules.events import PosesJudged, Undone

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.record.game_file import Entry


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
