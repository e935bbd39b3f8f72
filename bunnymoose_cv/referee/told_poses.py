"""Poses that people have told, by what stands in the game file: their own entries and those of other programs alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.rules.events import GameStarted, PoseCorrected, PosesJudged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.record.game_file import Entry
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
