"""View of a verdict: the same from memory and from the kept files, its possible poses, and its corrections."""

from __future__ import annotations

from dataclasses import replace
from shutil import copytree
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bunnymoose_cv.core.profile import load_profile
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence, TongueEvidence
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import Games
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.referee.question import FEWEST_ANSWERS, LEAST_PROBABILITY, MOST_ANSWERS
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose, Tongue, format_headgear, parse_headgear
from bunnymoose_cv.session.table_state import CameraState, TableState
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.headgear.headgear_reading import Field, HeadgearProbabilities
from bunnymoose_cv.vision.headgear.measures import Quantity
from bunnymoose_cv.web.live.likely_poses import likeliest_poses
from bunnymoose_cv.web.live.round_evidence import frame_jpeg, round_evidence_view, still_jpeg
from bunnymoose_cv.web.live.verdict_view import round_view, shown_round
from bunnymoose_cv.web.widgets.gauges import confidence_gauges, gauge_art, measure_gauges, tongue_gauge
from bunnymoose_cv.web.widgets.landmark_overlay import frame_picture, still_picture
from tests.unit.web.judging import WRONG, JudgedRound
from tests.unit.web.states import state_of

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.web.live.verdict_view import RoundView

TEXTS = Texts()


def view(state: TableState, number: int = 1) -> RoundView:
    found = round_view(state, number)
    assert found is not None
    return found


def decoded(jpeg: bytes | None) -> Picture:
    assert jpeg is not None
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def restarted(state: TableState) -> TableState:
    """State of a screen that was killed and started again."""
    return replace(state, judged=None)


# What stands.


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
    with GameFile.open(Games(games).find("Birthday").folder) as file:
        state = state_of(file, CameraState.WATCHING)
        first, second = view(state, 1), view(state, 2)
    assert [[each.player for each in group] for group in first.groups] == [["Blue"], ["Green"]]
    assert [[each.player for each in group] for group in second.groups] == [["Red", "Blue"]]
    assert [each.moved_s for each in first.verdicts] == [None, pytest.approx(0.9)]
    assert second.seen is None
    assert all(each.read is None and not each.likeliest for each in second.verdicts)


def test_damaged_evidence_is_told_and_the_verdicts_stay(games: Path) -> None:
    folder = Games(games).find("Birthday").folder
    round_folder(folder, 1).json.write_text('{"format": 1, "rou')
    with GameFile.open(folder) as file:
        state = state_of(file, CameraState.WATCHING)
    damaged = view(state)
    assert "cannot be read" in damaged.problem
    assert all(each.pose is not None and each.score is not None for each in damaged.verdicts)
    assert still_jpeg(state, 1, 1) is None
    assert frame_jpeg(state, 1, 1) is None


# Pictures.


@pytest.mark.parametrize("after_restart", [False, True])
def test_a_still_shows_the_player_with_both_hands(judged_round: JudgedRound, *, after_restart: bool) -> None:
    state = restarted(judged_round.told) if after_restart else judged_round.told
    seen = round_evidence_view(state, 1)
    assert seen is not None
    frame = decoded(frame_jpeg(state, 1, seen.frozen + 1))
    assert frame.shape == (720, 1280, 3)
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
def test_what_was_not_seen_has_no_picture(judged_round: JudgedRound, number: int, place: int) -> None:
    assert still_jpeg(judged_round.told, number, place) is None
    assert frame_jpeg(judged_round.told, number, place) is None


def test_landmarks_lie_on_the_hands(judged_round: JudgedRound) -> None:
    seen = round_evidence_view(judged_round.told, 1)
    assert seen is not None
    read = seen.reading_of(1)
    assert read is not None
    art = still_picture("/still/1/1.jpg", seen.still_of(1), seen.player_in(1), read, "<Blue>")
    x, y, _ = (read.left.hand or read.right.hand)[8]
    assert f'cx="{x:.1f}" cy="{y:.1f}"' in art
    assert 'aria-label="&lt;Blue&gt;"' in art
    assert "meet" in art, "a tile of any shape shows all of the player"
    whole = frame_picture("/frame/1/1.jpg", seen.size, seen.window_of(1), None, "Blue")
    assert "landmarks" not in whole


@pytest.mark.parametrize(
    ("x", "y", "keeps_to"),
    [(0, 50, "xMinYMid"), (90, 50, "xMidYMid"), (180, 50, "xMaxYMid"), (90, 0, "xMidYMin"), (90, 100, "xMidYMax")],
)
def test_at_the_edge_of_the_frame_a_tile_has_no_blank(
    judged_round: JudgedRound, x: float, y: float, keeps_to: str
) -> None:
    seen = round_evidence_view(judged_round.told, 1)
    assert seen is not None
    read = seen.reading_of(1)
    assert read is not None
    art = still_picture("/still/1/1.jpg", Box(0, 0, 400, 200), Box(x, y, 220, 100), read, "Blue")
    assert f'preserveAspectRatio="{keeps_to} meet"' in art


# What it may be.

SHARE = st.floats(0.01, 0.99)


@st.composite
def sides(draw: st.DrawFn) -> HeadgearEvidence:
    """A side as a net may see it, with any fields unclear."""
    kinds = np.array([draw(SHARE) for _ in range(3)])
    antler, ear, neither = (kinds / kinds.sum()).tolist()
    likely = HeadgearProbabilities(antler, ear, neither, draw(SHARE), draw(SHARE), draw(SHARE), draw(SHARE))
    unclear = draw(st.sets(st.sampled_from(Field)))
    return HeadgearEvidence(
        headgear=format_headgear(likely.headgear),
        confidence=likely.confidence,
        probabilities={name: getattr(likely, name) for name in HeadgearProbabilities.__slots__},
        unclear=tuple(field.value for field in unclear),
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
def test_what_is_sure_stays_and_the_likeliest_come_first(read: PlayerEvidence) -> None:
    offered = likeliest_poses(read)
    chances = [each.probability for each in offered]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 1 + 1e-9
    assert all(chance >= LEAST_PROBABILITY for chance in chances[FEWEST_ANSWERS:])
    shown = Pose.parse(read.pose)
    for each in offered:
        assert read.tongue.unclear or each.pose.tongue is shown.tongue
        for side, was, now in (
            (read.left, shown.left, each.pose.left),
            (read.right, shown.right, each.pose.right),
        ):
            if "kind" not in side.unclear:
                assert type(now) is type(was)
            if type(now) is type(was):
                kept = [name for name in ("spread", "direction", "form", "place") if name not in side.unclear]
                assert all(getattr(now, name, None) is getattr(was, name, None) for name in kept)


def test_where_all_is_sure_there_is_one_pose() -> None:
    sure: dict[str, Any] = {
        "antler": 0.9,
        "ear": 0.05,
        "neither": 0.05,
        "wide": 0.9,
        "up": 0.9,
        "straight": 0.5,
        "top": 0.5,
    }
    side = HeadgearEvidence(headgear="WU", confidence=0.7, probabilities=sure, unclear=(), reasons=(), hand=())
    tongue = TongueEvidence(out=False, confidence=0.9, unclear=False)
    read = PlayerEvidence(seat=1, face_px=(0, 0, 9, 9), face=(), pose="WU WU", left=side, right=side, tongue=tongue)
    (only,) = likeliest_poses(read)
    assert (str(only.pose), round(only.probability, 9)) == ("WU WU", 1.0)


# Numbers against their limits.


def test_gauges_and_reasons_tell_the_same_numbers(judged_round: JudgedRound) -> None:
    told = 0
    for verdict in view(judged_round.told).verdicts:
        assert verdict.read is not None
        for side in (verdict.read.left, verdict.read.right):
            if side.measures is None:
                continue
            gauges = {gauge.words: gauge for gauge in measure_gauges(side, TEXTS)}
            assert len(gauges) == sum(side.measures.value(quantity) is not None for quantity in Quantity)
            apart = side.measures.parting
            for reason in side.reasons:
                if apart is not None and "° apart" in reason:
                    assert f"fingers {apart:.0f}° apart" in reason
                    assert gauges[f"fingers {apart:.1f}° apart"].value == apart
                    assert gauges[f"fingers {apart:.1f}° apart"].sure is ("neither" not in reason)
                    told += 1
    assert told >= 2


def test_a_gauge_asks_exactly_where_the_reading_does(judged_round: JudgedRound) -> None:
    limits = load_profile(judged_round.games.parent / "profile.toml")
    for verdict in view(judged_round.told).verdicts:
        assert verdict.read is not None
        for side in (verdict.read.left, verdict.read.right):
            gauges = tuple(confidence_gauges(side, limits.headgear, TEXTS))
            unsure = sum(not gauge.sure for gauge in gauges)
            # What is kept has four digits: a field just below its limit may be rounded up to it.
            assert 0 <= len(side.unclear) - unsure <= sum(gauge.value == 1 for gauge in gauges)
        assert tongue_gauge(verdict.read.tongue, limits.tongue, TEXTS).sure is not verdict.read.tongue.unclear


def test_a_gauge_draws_its_value_between_its_ends(judged_round: JudgedRound) -> None:
    read = view(judged_round.told).verdicts[0].read
    assert read is not None
    for gauge in measure_gauges(read.left, TEXTS):
        far = replace(gauge, value=1e9, words="<b>")
        assert 'cx="240.0"' in gauge_art(far)
        assert "&lt;b&gt;" in gauge_art(far)


def test_an_older_rounds_evidence_has_no_measures_and_no_gauges(judged_round: JudgedRound, tmp_path: Path) -> None:
    copy = copytree(judged_round.told.folder, tmp_path / "game")
    json_path = round_folder(copy, 1).json
    shape = round_folder(copy, 1).read()
    assert shape is not None
    json_path.write_text(shape.model_dump_json(exclude={"agreed": {"players": {"__all__": {"left": {"measures"}}}}}))
    read = view(replace(restarted(judged_round.told), folder=copy)).verdicts[0].read
    assert read is not None
    assert read.left.measures is None
    assert tuple(measure_gauges(read.left, TEXTS)) == ()
