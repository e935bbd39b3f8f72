"""View of a verdict: the same from memory and from the kept files, with its corrections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.referee.question import FEWEST_ANSWERS, MOST_ANSWERS
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.live.round_evidence import frame_jpeg, still_jpeg
from bunnymoose_cv.web.live.verdict_view import round_view, shown_round
from tests.unit.web.judging import WRONG, JudgedRound
from tests.unit.web.states import restarted, state_of, view

if TYPE_CHECKING:
    from pathlib import Path


def test_before_the_first_bam_there_are_no_verdicts(judged_round: JudgedRound) -> None:
    state = judged_round.asked
    waiting = replace(state, game=replace(state.game, phase=Phase.DEALING))
    assert shown_round(waiting.game) is None
    assert round_view(waiting, 1) is None
    assert round_view(state, 2) is None


def test_who_is_asked_stands_alone_with_the_likeliest_poses(judged_round: JudgedRound) -> None:
    asked = view(judged_round.asked)
    assert [each.player for each in asked.verdicts] == list(judged_round.truth)
    assert [each.asked for each in asked.verdicts] == [
        player in judged_round.asked.asked for player in judged_round.truth
    ]
    assert any(each.asked for each in asked.verdicts)
    for each in asked.verdicts:
        assert each.read is not None
        if each.asked:
            assert each.alike == (each.player,)
            assert str(each.likeliest[0].pose) == each.read.pose
            assert FEWEST_ANSWERS <= len(each.likeliest) <= MOST_ANSWERS
            chances = [likely.probability for likely in each.likeliest]
            assert chances == sorted(chances, reverse=True)
            assert each.score is None


def test_what_people_told_stands_with_its_score_and_its_moves(judged_round: JudgedRound) -> None:
    told = view(judged_round.told)
    assert told.played is not None
    for each in told.verdicts:
        assert each.pose == judged_round.truth[each.player]
        assert each.score == told.played.verdicts[each.seat - 1].score
        assert each.told is None or (each.told.who, each.corrections) == (f"{each.player}'s phone", ())
        assert {move.figure.player for move in each.moves} <= {each.player}
    assert sum(each.told is not None for each in told.verdicts) == len(judged_round.asked.asked)
    assert sum(len(each.moves) for each in told.verdicts) > 0


@pytest.mark.parametrize("moment", ["asked", "told", "corrected", "undone"])
def test_memory_and_evidence_tell_the_same(judged_round: JudgedRound, moment: str) -> None:
    state = getattr(judged_round, moment)
    remembered, kept = view(state), view(restarted(state))
    assert remembered.seen is not kept.seen
    assert remembered.verdicts == kept.verdicts
    assert kept.problem == ""


def test_a_correction_says_who_and_is_taken_back(judged_round: JudgedRound) -> None:
    first = next(iter(judged_round.truth))
    corrected, undone = view(judged_round.corrected), view(judged_round.undone)
    blue = corrected.of_seat(1)
    assert blue is not None
    assert (blue.player, blue.pose) == (first, WRONG)
    assert [(entry.who, entry.why) for entry in blue.corrections] == [("Anna", "put right")]
    assert (corrected.can_take_back, undone.can_take_back) == (True, False)
    assert undone.corrections == ()
    assert undone.verdicts == view(judged_round.told).verdicts


def test_look_alikes_share_a_group_and_movers_are_told(games: Path) -> None:
    with GameFile.open(GameStore(games).find("Birthday").folder) as file:
        state = state_of(file, CameraState.WATCHING)
        first, second = view(state, 1), view(state, 2)
    assert [[each.player for each in group] for group in first.groups] == [["Blue"], ["Green"]]
    assert [[each.player for each in group] for group in second.groups] == [["Red", "Blue"]]
    assert [each.moved_s for each in first.verdicts] == [None, pytest.approx(0.9)]
    assert second.seen is None
    assert all(each.read is None and not each.likeliest for each in second.verdicts)


def test_damaged_evidence_is_told_and_the_verdicts_stay(games: Path) -> None:
    folder = GameStore(games).find("Birthday").folder
    round_folder(folder, 1).json.write_text('{"format": 1, "rou')
    with GameFile.open(folder) as file:
        state = state_of(file, CameraState.WATCHING)
    damaged = view(state)
    assert "cannot be read" in damaged.problem
    assert all(each.pose is not None and each.score is not None for each in damaged.verdicts)
    assert still_jpeg(state, 1, 1) is None
    assert frame_jpeg(state, 1, 1) is None
