"""Likely poses of a verdict: sure fields stay, the likeliest come first."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence, TongueEvidence
from bunnymoose_cv.referee.question import FEWEST_ANSWERS, LEAST_PROBABILITY
from bunnymoose_cv.rules.pose import Pose, Tongue, format_headgear, parse_headgear
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.web.live.likely_poses import likeliest_poses

SHARE = st.floats(0.01, 0.99)


@st.composite
def sides(draw: st.DrawFn) -> HeadgearEvidence:
    """A side as a net may see it, with any fields unclear."""
    kinds = np.array([draw(SHARE) for _ in range(3)])
    antler, ear, neither = (kinds / kinds.sum()).tolist()
    likely = HeadgearProbabilities(antler, ear, neither, draw(SHARE), draw(SHARE), draw(SHARE), draw(SHARE))
    unclear = draw(st.sets(st.sampled_from(HEADGEAR_FIELDS)))
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
