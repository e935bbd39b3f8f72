"""Estimate of a camera's delay by the times at which players settle; a late change of one player is asked about."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.referee.common_delay import CommonDelay, LateRow
from bunnymoose_cv.referee.judged_round import JudgedRound
from bunnymoose_cv.referee.open_questions import AskPolicy
from bunnymoose_cv.referee.round_reader import RoundReader
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.round import RoundFacts
from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.vision.video.movement import Settling
from bunnymoose_cv.vision.video.window import Window
from bunnymoose_cv.vision.video.window_reader import WindowReadings
from tests.doubles import CannedFootage, row_reading

CUE_S = 20.0


def learn(delay: CommonDelay, *late_s: float | None) -> LateRow:
    """Learn from a row of players by the seconds after Bam at which each was seen to settle, None for never."""
    times = [None if late_by_s is None else CUE_S + late_by_s for late_by_s in late_s]
    return delay.learn([Settling(seat, time_s) for seat, time_s in enumerate(times, 1)], CUE_S)


@pytest.mark.parametrize("delay_s", [0.6, 1.0, 2.0, 3.0])
def test_players_who_settle_late_together_are_late_and_nobody_moved(delay_s: float) -> None:
    row = learn(CommonDelay(), delay_s - 0.4, delay_s, delay_s - 0.1, delay_s + 0.2)
    assert row.settled_s == pytest.approx(delay_s + 0.2)
    assert not row.in_doubt


def test_one_player_who_changes_late_and_alone_is_in_doubt() -> None:
    row = learn(CommonDelay(), None, None, 1.25, None)
    assert row == LateRow(1.25, 0.0, frozenset({3}), {})


def test_after_punctual_rounds_the_same_player_is_a_mover() -> None:
    delay = CommonDelay()
    for _ in range(5):
        learn(delay, None, None, None, None)
    assert learn(delay, None, None, 1.25, None) == LateRow(0.0, 0.0, frozenset(), {3: 1.25})


def test_after_late_rounds_a_player_who_changes_later_has_moved() -> None:
    delay = CommonDelay()
    for _ in range(3):
        learn(delay, 1.75, 2.0, 1.5, 2.0)
    assert delay.likely_s == pytest.approx(2.0, abs=0.4)
    assert learn(delay, 1.75, 2.0, 3.25, 1.5) == LateRow(2.0, 2.0, frozenset(), {3: 3.25})


def test_a_known_delay_limits_the_wait() -> None:
    delay = CommonDelay()
    assert delay.longest_s >= 3.0
    for _ in range(5):
        learn(delay, None, None, None, None)
    assert delay.longest_s < 1.0


FACTS = RoundFacts(1, "Red", ("Blue", "Green", "Grey"), None, parse_table("L.WU+1 R.T?+2"), {}, rules_for())
CHANGED, BEFORE = ("WU WU", "TS TS", "WU CD"), ("-- --", "-- --", "-- --")


class ScriptedTracker:
    """Tracker of players who each change once from one pose to another.

    Args:
        changes_s: time of each player's change on the clock of the frames.
        before: poses until then.
    """

    def __init__(self, changes_s: Sequence[float], before: Sequence[str] = BEFORE) -> None:
        self._changes_s, self._before = changes_s, before

    def _at(self, time_s: float) -> FrameReading:
        changes = zip(self._before, CHANGED, self._changes_s, strict=True)
        poses = [after if time_s >= change_s else before for before, after, change_s in changes]
        return replace(row_reading(poses), time_s=time_s)

    def read_window(self, frame_at: Callable[[float], Frame | None], window: Window, _: object) -> WindowReadings:
        return WindowReadings(tuple(self._at(frame.time_s) for frame in map(frame_at, window.read_s) if frame), ())

    def read_each(self, frames: Iterable[Frame], effort: Effort) -> list[FrameReading]:
        del effort
        return [self._at(frame.time_s) for frame in frames]


def judge(
    reader: Reader, tracker: Any, *, late: bool = True, common_delay: CommonDelay | None = None
) -> tuple[JudgedRound, list[bool]]:
    """Judge a round; also return whether each reading needs no question."""
    rounds = RoundReader(tracker, reader, {}, AskPolicy(), common_delay)
    footage = CannedFootage(row_reading(CHANGED).image, 0.0, CUE_S, CUE_S + 8)
    bam = rounds.find_bam(FACTS, footage, CUE_S) if late else None
    cue_s, earlier = (CUE_S, None) if bam is None else (bam.cue_s, bam.earlier)
    judged = rounds.watch(rounds.read(FACTS, footage, cue_s, earlier), footage, bam)
    return judged, [bool(seat.reading and rounds.is_sure(seat.reading, FACTS)) for seat in judged.seats]


@pytest.mark.parametrize("delay_s", [0.6, 1.0, 2.0, 3.0])
def test_a_late_row_is_judged_by_its_poses_at_bam(canned_reader: Reader, delay_s: float) -> None:
    tracker = ScriptedTracker([CUE_S + delay_s + late_by_s for late_by_s in (-0.3, 0.0, -0.5)])
    judged, sure = judge(canned_reader, tracker)
    assert [str(seat.pose) for seat in judged.seats] == list(CHANGED)
    assert sure == [True, True, True]
    assert not any(seat.movement for seat in judged.seats)


def test_a_late_row_treated_as_punctual_is_judged_wrongly(canned_reader: Reader) -> None:
    """Show the fault that the estimate corrects: with a delay of 2 s, frames at Bam show the poses 2 s earlier."""
    judged, _ = judge(canned_reader, ScriptedTracker([CUE_S + 2.0] * 3), late=False)
    assert [str(seat.pose) for seat in judged.seats] == list(BEFORE)


def test_a_player_who_may_have_moved_is_asked_about_but_not_announced(canned_reader: Reader) -> None:
    tracker = ScriptedTracker([0.0, CUE_S + 1.2, 0.0], before=("WU WU", "WU WU", "WU CD"))
    judged, sure = judge(canned_reader, tracker)
    assert sure == [True, False, True]
    assert not any(seat.movement for seat in judged.seats)


def test_a_mover_is_found_if_the_others_settled_long_before_bam(canned_reader: Reader) -> None:
    """With a delay of 2 s, Bam is visible at 2 s and the move at 3.25 s, but two players have been still since 1 s."""
    common_delay = CommonDelay()
    for _ in range(3):
        learn(common_delay, 1.75, 2.0, 1.5, 2.0)
    changes_s = [CUE_S + 1.0, CUE_S + 3.25, CUE_S + 1.0]
    tracker = ScriptedTracker(changes_s, before=("-- --", "WU WU", "-- --"))
    judged, _ = judge(canned_reader, tracker, common_delay=common_delay)
    assert [seat.movement is not None for seat in judged.seats] == [False, True, False]
    assert [str(seat.pose) for seat in judged.seats] == ["WU WU", "WU WU", "WU CD"]


def test_either_pose_of_a_player_in_doubt_is_among_the_answers(canned_reader: Reader) -> None:
    tracker = ScriptedTracker([0.0, CUE_S + 1.2, 0.0], before=("WU WU", "WU WU", "WU CD"))
    judged, _ = judge(canned_reader, tracker)
    move = judged.seats[1].move(FACTS.cards, FACTS.rules, judged.threshold)
    assert move is not None
    assert {"WU WU", "TS TS"} <= {str(answer.pose) for answer in move.answers}
