"""Events in the game file: a disk that refuses stops nothing, and poses that people have told are found again."""

import sqlite3

import pytest

from bunnymoose_cv.record import game_file
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.event_writer import EventWriter
from bunnymoose_cv.referee.game_history import told_poses
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.events import Bam, PoseCorrected, PosesJudged, TableLaid, Undone
from bunnymoose_cv.rules.illegal_event import IllegalEventError
from bunnymoose_cv.rules.pose import Pose

FROZEN = (TableLaid(parse_table("L.WU+1 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")), Bam())
POSES = PosesJudged({"Blue": Pose.parse("WU WU"), "Green": Pose.parse("TS TS")})


@pytest.mark.parametrize("refuses", [False, True])
def test_a_closed_round_is_handed_out_once_whatever_the_disk_does(
    file: GameFile, monkeypatch: pytest.MonkeyPatch, *, refuses: bool
) -> None:
    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    told = list[str]()
    writer = EventWriter(file, told.append)
    writer.append(FROZEN, "played", "test")
    assert writer.take_closed() is None
    with monkeypatch.context() as disk:
        if refuses:
            disk.setattr(game_file, "_insert", refuse)
        writer.append([POSES], "played", "test")
    assert [writer.take_closed(), writer.take_closed()] == [file.game.rounds[0], None]
    assert (file.unkept, len(told)) == (int(refuses), int(refuses))
    assert all("database or disk is full" in sentence for sentence in told)


def test_an_event_that_cannot_follow_is_refused_and_closes_nothing(file: GameFile) -> None:
    writer = EventWriter(file, pytest.fail)
    with pytest.raises(IllegalEventError):
        writer.append([POSES], "played", "test")
    assert writer.take_closed() is None


def test_events_that_are_taken_back_reopen_a_round_that_is_closed_anew(file: GameFile) -> None:
    writer = EventWriter(file, pytest.fail)
    writer.append([*FROZEN, POSES], "played", "test")
    writer.take_closed()
    writer.take_back(1, (), "undone", "test")
    assert (writer.take_closed(), file.game.rounds) == (None, ())
    writer.append([POSES], "played", "test")
    assert writer.take_closed() == file.game.rounds[0]


def test_poses_are_told_of_their_rounds_and_the_last_counts(file: GameFile) -> None:
    moose, rabbit = Pose.parse("WU WU"), Pose.parse("TS TS")
    file.append([*FROZEN, PosesJudged({"Blue": moose})], "shown", REFEREE)
    file.append([PosesJudged({"Green": moose}), *FROZEN, PosesJudged({"Blue": moose})], "told", "Anna")
    assert file.game.round_number == 2
    told = {(1, "Green"): moose, (2, "Blue"): moose}
    assert told_poses(file.standing) == told
    file.append([PoseCorrected(1, "Blue", rabbit), PoseCorrected(1, "Green", rabbit)], "put right", "Anna")
    assert told_poses(file.standing) == {**told, (1, "Blue"): rabbit, (1, "Green"): rabbit}
    file.append([Undone()] * 2, "undone", "Anna")
    assert told_poses(file.standing) == told
