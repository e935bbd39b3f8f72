"""A game of one round, always the same, whose folder has a fixed name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.stored_game import StoredGame
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from pathlib import Path

NAME = "2026-11-21_20-05-33"


def fixed_game(folder: Path) -> StoredGame:
    """Red narrates and bets on Grün, a bush, beside Blue, a moose."""
    started = GameStarted(("Red", "Blue", "Grün"), rules_for())
    with GameStore(folder).begin(started, title="Fest", who="Red") as game:
        table = parse_table("B.WU+2 L.SS+1 R.TF+3 HUNTER RABBIT+1 HUNTER")
        game.append([BetPlaced("Grün"), TableLaid(table), Bam()], "told", "Red")
        poses = {"Blue": Pose.parse("WU WU"), "Grün": Pose.parse("-- --")}
        game.append(PosesJudged(poses), "seen", "referee")
    return StoredGame(1, game.folder.rename(folder / NAME))
