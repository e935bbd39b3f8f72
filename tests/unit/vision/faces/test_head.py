"""A head's axes: sides are the player's own, lengths survive turning, and heads are followed from frame to frame."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.faces import head_tracking
from bunnymoose_cv.vision.faces.head_tracking import follow_heads
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.readings import FrameReading
from tests.unit.vision.made_heads import make_hand, make_head


@pytest.mark.parametrize("turn", [-35, 0, 35])
@pytest.mark.parametrize("tilt", [-35, 0, 20])
def test_eye_distance_survives_turning_and_tilting(turn: float, tilt: float) -> None:
    assert make_head(eyes=50, turn=turn, tilt=tilt).eye_distance == pytest.approx(50, rel=0.02)


@pytest.mark.parametrize("angle", [-30, -10, 0, 10, 30])
def test_turn_nod_and_tilt_are_read_back(angle: float) -> None:
    assert make_head(turn=angle).turn_degrees == pytest.approx(angle, abs=1)
    assert make_head(nod=angle).nod_degrees == pytest.approx(angle, abs=1)
    assert make_head(tilt=angle).tilt_degrees == pytest.approx(angle, abs=1)


def test_the_players_left_is_at_the_images_right() -> None:
    head = make_head(x=300, eyes=40)
    assert head.at(1, 0) == pytest.approx((340, 300), abs=0.5)
    assert head.at(0, 2) == pytest.approx((300, 220), abs=0.5)
    assert head.temple(Side.LEFT)[0] > 0 > head.temple(Side.RIGHT)[0]


@pytest.mark.parametrize("tilt", [-30, 0, 30])
def test_measuring_undoes_placing(tilt: float) -> None:
    head = make_head(tilt=tilt, turn=10)
    place = np.array([head.at(1.5, 2.5)], np.float32)
    assert head.measure(place)[0] == pytest.approx([1.5, 2.5], abs=0.01)


@pytest.mark.parametrize("tilt", [-30, 0, 30])
@pytest.mark.parametrize("side", Side)
def test_a_hand_is_on_the_side_where_it_stands_not_the_one_it_belongs_to(tilt: float, side: Side) -> None:
    head = make_head(tilt=tilt)
    x, y = head.at(1.8 if side is Side.LEFT else -1.8, 0)
    assert head.side_of(make_hand(x, y, palm=30, anatomical=side.other)) is side


def test_a_followed_head_never_takes_the_place_of_one_that_stays(
    party: FrameReading, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = (player.player.head for player in party.players)
    monkeypatch.setattr(head_tracking, "_follow_head", lambda *_: replace(right))
    with closing(Workers()) as workers:
        assert follow_heads(party.image, [left, right], workers, fixed=[right]) == (right,)
