"""View of a verdict and images of its round: the same from memory and from the kept files."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence, TongueEvidence
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.referee.question import LEAST_PROBABILITY, MOST_ANSWERS
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose, Tongue, format_headgear, parse_headgear
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.web.live.round_evidence import frame_jpeg, round_evidence_view, still_jpeg
from bunnymoose_cv.web.live.verdict_view import likeliest_poses, round_view, shown_round
from tests.unit.web.judging import WRONG, JudgedRound
from tests.unit.web.states import restarted, state_of, view


def test_no_verdicts_before_the_first_bam(judged_round: JudgedRound) -> None:
    state = judged_round.asked
    waiting = replace(state, game=replace(state.game, phase=Phase.DEALING))
    assert shown_round(waiting.game) is None
    assert round_view(waiting, 1) is None
    assert round_view(state, 2) is None


def test_an_asked_player_is_alone_with_the_likeliest_poses(judged_round: JudgedRound) -> None:
    asked = view(judged_round.asked)
    assert [verdict.player for verdict in asked.verdicts] == list(judged_round.truth)
    assert [verdict.asked for verdict in asked.verdicts] == [
        player in judged_round.asked.asked for player in judged_round.truth
    ]
    assert any(verdict.asked for verdict in asked.verdicts)
    for verdict in asked.verdicts:
        assert verdict.read is not None
        if verdict.asked:
            assert (verdict,) in asked.groups
            assert str(verdict.likeliest[0].pose) == verdict.read.pose
            assert 1 <= len(verdict.likeliest) <= MOST_ANSWERS
            chances = [likely.probability for likely in verdict.likeliest]
            assert chances == sorted(chances, reverse=True)
            assert verdict.score is None


def test_an_entered_pose_has_its_score_and_moves(judged_round: JudgedRound) -> None:
    decided = view(judged_round.entered)
    assert decided.played is not None
    for verdict in decided.verdicts:
        assert verdict.pose == judged_round.truth[verdict.player]
        assert verdict.score == decided.played.verdicts[verdict.seat - 1].score
        assert verdict.decision is None or (verdict.decision.who, verdict.corrections) == (
            f"{verdict.player}'s phone",
            (),
        )
        assert {move.figure.player for move in verdict.moves} <= {verdict.player}
    assert sum(verdict.decision is not None for verdict in decided.verdicts) == len(judged_round.asked.asked)
    assert sum(len(verdict.moves) for verdict in decided.verdicts) > 0


@pytest.mark.parametrize("moment", ["asked", "entered", "corrected", "undone"])
def test_memory_and_stored_evidence_give_the_same_view(judged_round: JudgedRound, moment: str) -> None:
    state = getattr(judged_round, moment)
    remembered, kept = view(state), view(restarted(state))
    assert remembered.seen is not kept.seen
    assert remembered.verdicts == kept.verdicts
    assert kept.problem == ""


def test_a_correction_names_its_author_and_can_be_undone(judged_round: JudgedRound) -> None:
    first = next(iter(judged_round.truth))
    corrected, undone = view(judged_round.corrected), view(judged_round.undone)
    blue = corrected.of_seat(1)
    assert blue is not None
    assert (blue.player, blue.pose) == (first, WRONG)
    assert [(entry.who, entry.why) for entry in blue.corrections] == [("Anna", "put right")]
    assert (corrected.can_take_back, undone.can_take_back) == (True, False)
    assert undone.corrections == ()
    assert undone.verdicts == view(judged_round.entered).verdicts


def test_look_alikes_share_a_group_and_movers_are_marked(games: Path) -> None:
    with GameFile.open(GameStore(games).find("Birthday").folder) as file:
        state = state_of(file, CameraState.WATCHING)
        first, second = view(state, 1), view(state, 2)
    assert [[verdict.player for verdict in group] for group in first.groups] == [["Blue"], ["Green"]]
    assert [[verdict.player for verdict in group] for group in second.groups] == [["Red", "Blue"]]
    assert [verdict.moved_s for verdict in first.verdicts] == [None, pytest.approx(0.9)]
    assert second.seen is None
    assert all(verdict.read is None and not verdict.likeliest for verdict in second.verdicts)


def test_damaged_evidence_is_reported_and_keeps_the_verdicts(games: Path) -> None:
    folder = GameStore(games).find("Birthday").folder
    round_folder(folder, 1).json.write_text('{"format": 1, "rou')
    with GameFile.open(folder) as file:
        state = state_of(file, CameraState.WATCHING)
    damaged = view(state)
    assert "cannot be read" in damaged.problem
    assert all(verdict.pose is not None and verdict.score is not None for verdict in damaged.verdicts)
    assert still_jpeg(state, 1, 1) is None
    assert frame_jpeg(state, 1, 1) is None


def decoded(jpeg: bytes | None) -> Image:
    assert jpeg is not None
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("after_restart", [False, True])
def test_a_still_shows_the_player_with_both_hands(judged_round: JudgedRound, *, after_restart: bool) -> None:
    state = restarted(judged_round.entered) if after_restart else judged_round.entered
    seen = round_evidence_view(state, 1)
    assert seen is not None
    frame = decoded(frame_jpeg(state, 1, seen.frozen + 1))
    assert frame.shape == (320, 960, 3)
    for seat in (1, 2, 3):
        player, box, read = seen.player_in(seat), seen.still_of(seat), seen.reading_of(seat)
        assert read is not None
        still = decoded(still_jpeg(state, 1, seat))
        part = frame[round(box.y) :, round(box.x) :][: still.shape[0], : still.shape[1]]
        assert float(np.abs(still.astype(int) - part).mean()) < 3
        for inner, outer in ((player, seen.window_of(seat)), (player, box)):
            assert outer.x <= inner.x + 1e-6
            assert outer.y <= inner.y + 1e-6
            assert inner.x + inner.width <= outer.x + outer.width + 1e-6
            assert inner.y + inner.height <= outer.y + outer.height + 1e-6
        for x, y, _ in (*read.left.hand, *read.right.hand):
            assert player.x <= x <= player.x + player.width
            assert player.y <= y <= player.y + player.height


@pytest.mark.parametrize(("number", "place"), [(1, 0), (1, 99), (2, 1), (99, 1)])
def test_an_unseen_player_has_no_image(judged_round: JudgedRound, number: int, place: int) -> None:
    assert still_jpeg(judged_round.entered, number, place) is None
    assert frame_jpeg(judged_round.entered, number, place) is None


SHARE = st.floats(0.01, 0.99)


@st.composite
def sides(draw: st.DrawFn) -> HeadgearEvidence:
    """Draw a side as a network may read it, with any fields unclear."""
    kinds = np.array([draw(SHARE) for _ in range(3)])
    antler, ear, neither = (kinds / kinds.sum()).tolist()
    likely = HeadgearProbabilities(antler, ear, neither, draw(SHARE), draw(SHARE), draw(SHARE), draw(SHARE))
    return evidence_of(likely, *(field.value for field in draw(st.sets(st.sampled_from(HEADGEAR_FIELDS)))))


def evidence_of(likely: HeadgearProbabilities, *unclear: str) -> HeadgearEvidence:
    return HeadgearEvidence(
        headgear=format_headgear(likely.headgear),
        confidence=likely.confidence,
        probabilities={name: getattr(likely, name) for name in HeadgearProbabilities.__slots__},
        unclear=unclear,
        reasons=(),
        hand=(),
    )


@st.composite
def players(draw: st.DrawFn) -> PlayerEvidence:
    left, right, out = draw(sides()), draw(sides()), draw(st.booleans())
    tongue = TongueEvidence(out=out, confidence=draw(st.floats(0.5, 1.0)), unclear=draw(st.booleans()))
    pose = Pose(parse_headgear(left.headgear), parse_headgear(right.headgear), Tongue.OUT if out else Tongue.IN)
    return PlayerEvidence(seat=1, face_px=(0, 0, 9, 9), face=(), pose=str(pose), left=left, right=right, tongue=tongue)


@settings(max_examples=60)
@given(players())
def test_likely_poses_keep_certain_fields_and_are_sorted(read: PlayerEvidence) -> None:
    offered = likeliest_poses(read)
    chances = [answer.probability for answer in offered]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 1 + 1e-9
    assert all(chance >= LEAST_PROBABILITY for chance in chances[1:])
    shown = Pose.parse(read.pose)
    for answer in offered:
        assert read.tongue.unclear or answer.pose.tongue is shown.tongue
        for side, was, now in (
            (read.left, shown.left, answer.pose.left),
            (read.right, shown.right, answer.pose.right),
        ):
            if "kind" not in side.unclear:
                assert type(now) is type(was)
            if type(now) is type(was):
                kept = [name for name in ("spread", "direction", "form", "place") if name not in side.unclear]
                assert all(getattr(now, name, None) is getattr(was, name, None) for name in kept)


def test_a_certain_reading_has_one_pose() -> None:
    side = evidence_of(HeadgearProbabilities(0.9, 0.05, 0.05, wide=0.9, up=0.9, straight=0.5, top=0.5))
    tongue = TongueEvidence(out=False, confidence=0.9, unclear=False)
    read = PlayerEvidence(seat=1, face_px=(0, 0, 9, 9), face=(), pose="WU WU", left=side, right=side, tongue=tongue)
    (only,) = likeliest_poses(read)
    assert (str(only.pose), round(only.probability, 9)) == ("WU WU", 1.0)
