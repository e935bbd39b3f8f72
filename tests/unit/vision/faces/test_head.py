"""Axes of a head: sides are the player's own, lengths survive rotation, and heads are followed through frames."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.faces import face_search
from bunnymoose_cv.vision.faces.face_search import follow_heads
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.readings import FrameReading
from tests.unit.vision.made_heads import make_hand, make_head


@pytest.mark.parametrize("turn", [-35, 0, 35])
@pytest.mark.parametrize("tilt", [-35, 0, 20])
def test_eye_distance_survives_turning_and_tilting(turn: float, tilt: float) -> None:
    assert make_head(eyes=50, turn=turn, tilt=tilt).eye_distance == pytest.approx(50, rel=0.02)


@pytest.mark.parametrize("angle", [-30, -10, 0, 10, 30])
def test_turn_nod_and_tilt_are_recovered(angle: float) -> None:
    assert make_head(turn=angle).turn_degrees == pytest.approx(angle, abs=1)
    assert make_head(nod=angle).nod_degrees == pytest.approx(angle, abs=1)
    assert make_head(tilt=angle).tilt_degrees == pytest.approx(angle, abs=1)


def test_players_left_is_on_the_right_of_the_image() -> None:
    head = make_head(x=300, eyes=40)
    assert head.at(1, 0) == pytest.approx((340, 300), abs=0.5)
    assert head.at(0, 2) == pytest.approx((300, 220), abs=0.5)
    assert head.temple(Side.LEFT)[0] > 0 > head.temple(Side.RIGHT)[0]


@pytest.mark.parametrize("tilt", [-30, 0, 30])
def test_measure_is_the_inverse_of_at(tilt: float) -> None:
    head = make_head(tilt=tilt, turn=10)
    place = np.array([head.at(1.5, 2.5)], np.float32)
    assert head.measure(place)[0] == pytest.approx([1.5, 2.5], abs=0.01)


@pytest.mark.parametrize("tilt", [-30, 0, 30])
@pytest.mark.parametrize("side", Side)
def test_side_of_a_hand_depends_on_its_place_not_its_anatomy(tilt: float, side: Side) -> None:
    head = make_head(tilt=tilt)
    x, y = head.at(1.8 if side is Side.LEFT else -1.8, 0)
    assert head.side_of(make_hand(x, y, palm=30, anatomical=side.other)) is side


def test_followed_head_never_replaces_a_fixed_one(party: FrameReading, monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = (player.player.head for player in party.players)
    monkeypatch.setattr(face_search, "_follow_head", lambda *_: replace(right))
    with closing(Workers()) as workers:
        assert follow_heads(party.image, [left, right], workers, fixed=[right]) == (right,)
