"""Events in the game file: a disk that refuses stops nothing."""

import sqlite3

import pytest

from bunnymoose_cv.record import game_file
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.game_recorder import EventWriter
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.events import Bam, IllegalEventError, PosesJudged, TableLaid, Undone
from bunnymoose_cv.rules.pose import Pose

FROZEN = (TableLaid(parse_table("L.WU+1 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")), Bam())
POSES = PosesJudged({"Blue": Pose.parse("WU WU"), "Green": Pose.parse("TS TS")})


@pytest.mark.parametrize("refuses", [False, True])
def test_a_closed_round_is_returned_once_even_if_the_disk_fails(
    file: GameFile, monkeypatch: pytest.MonkeyPatch, *, refuses: bool
) -> None:
    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    reported = list[str]()
    writer = EventWriter(file, reported.append)
    writer.append(FROZEN, "played", "test")
    assert writer.take_closed() is None
    with monkeypatch.context() as disk:
        if refuses:
            disk.setattr(game_file, "_insert", refuse)
        writer.append([POSES], "played", "test")
    assert [writer.take_closed(), writer.take_closed()] == [file.game.rounds[0], None]
    assert (file.unkept, len(reported)) == (int(refuses), int(refuses))
    assert all("database or disk is full" in sentence for sentence in reported)


def test_an_event_that_cannot_follow_is_refused_and_closes_nothing(file: GameFile) -> None:
    writer = EventWriter(file, pytest.fail)
    with pytest.raises(IllegalEventError):
        writer.append([POSES], "played", "test")
    assert writer.take_closed() is None


def test_undone_events_reopen_a_round_that_closes_again(file: GameFile) -> None:
    writer = EventWriter(file, pytest.fail)
    writer.append([*FROZEN, POSES], "played", "test")
    writer.take_closed()
    writer.append([Undone()], "undone", "test")
    assert (writer.take_closed(), file.game.rounds) == (None, ())
    writer.append([POSES], "played", "test")
    assert writer.take_closed() == file.game.rounds[0]
