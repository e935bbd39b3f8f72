"""Poses that people have told: whose, in which round, and of several the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.game_history import told_poses
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted, PoseCorrected, PosesJudged, TableLaid, Undone
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from pathlib import Path

CARDS = TableLaid(parse_table("L.WU+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER"))
MOOSE, RABBIT = Pose.parse("WU WU"), Pose.parse("TS TS")


def test_poses_are_told_of_their_rounds_and_the_last_counts(tmp_path: Path) -> None:
    with GameFile.create(tmp_path / "game", GameStarted(("Red", "Blue", "Green"), rules_for()), who="test") as file:
        file.append([CARDS, Bam(), PosesJudged({"Blue": MOOSE})], "shown", REFEREE)
        file.append([PosesJudged({"Green": MOOSE}), CARDS, Bam(), PosesJudged({"Blue": MOOSE})], "told", "Anna")
        assert file.game.round_number == 2
        told = {(1, "Green"): MOOSE, (2, "Blue"): MOOSE}
        assert told_poses(file.standing) == told
        file.append([PoseCorrected(1, "Blue", RABBIT), PoseCorrected(1, "Green", RABBIT)], "put right", "Anna")
        assert told_poses(file.standing) == {**told, (1, "Blue"): RABBIT, (1, "Green"): RABBIT}
        file.append([Undone()] * 2, "undone", "Anna")
        assert told_poses(file.standing) == told
