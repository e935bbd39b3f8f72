"""A close look finds the joints of a hand that it is pointed at, whichever way that points; only doubt asks for it."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.bundled import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.fusion import doubtful
from bunnymoose_cv.vision.headgear.hand_refiner import (
    INPUT,
    OUTPUTS,
    SIZE,
    CloseNet,
    HandFrame,
    HandRefiner,
    RefinedHands,
    cut_for_close_look,
    in_square,
    numbers_of,
)
from bunnymoose_cv.vision.headgear.side_net import SIZE as SIDE_SIZE
from bunnymoose_cv.vision.headgear.side_net import SideNet, cut_side
from bunnymoose_cv.vision.model_files import MediaPipeModel, model_path
from bunnymoose_cv.vision.settings import HEADGEAR

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.readings import FrameReading
    from tests.vision.conftest import MakeHand


@pytest.fixture(scope="module")
def eye() -> HandRefiner:
    return HandRefiner()


@pytest.fixture(scope="module", params=[(0, Side.LEFT), (0, Side.RIGHT), (1, Side.LEFT), (1, Side.RIGHT)])
def side_of_party(party: FrameReading, request: pytest.FixtureRequest) -> tuple[Picture, Points]:
    """The square of a side of the rabbit or the moose, and where our side net points in it."""
    number, side = request.param
    head = party.players[number].player.head
    (joints,) = SideNet().look([cut_side(party.picture, head, side)]).joints
    return cut_for_close_look(party.picture, head, side), in_square(joints)


def palms_apart(found: Points, expected: Points) -> float:
    """Mean distance of the joints, in lengths of the palm."""
    palm = np.linalg.norm(expected[9, :2] - expected[0, :2])
    return float(np.linalg.norm(found[:, :2] - expected[:, :2], axis=1).mean() / palm)


def test_the_net_in_another_form_says_what_mediapipes_own_says(tmp_path: Path) -> None:
    with zipfile.ZipFile(model_path(MediaPipeModel.HAND_LANDMARKER)) as bundle:
        file = bundle.extract("hand_landmarks_detector.tflite", tmp_path)
        own = cv2.dnn.readNetFromTFLite(file, cv2.dnn.ENGINE_CLASSIC)
    ours = cv2.dnn.readNetFromONNX(str(bundled("models/hand.onnx")))
    pixels = np.random.default_rng(3).random((1, 3, INPUT, INPUT), np.float32)
    for net in (own, ours):
        net.setInput(pixels)
    joints, presence, right_hand, _ = ours.forward([*OUTPUTS])
    said = own.forward(["Identity", "Identity_1", "Identity_2"])
    for own_answer, answer in zip(said, (joints, presence, right_hand), strict=True):
        assert np.allclose(own_answer, answer, rtol=1e-4, atol=1e-3)


def test_it_sees_the_hand_that_the_side_net_points_at(eye: HandRefiner, side_of_party: tuple[Picture, Points]) -> None:
    square, joints = side_of_party
    look = eye.look(square, HandFrame.around(joints))
    assert look.points.shape == (1, 21, 3)
    assert palms_apart(look.points[0], joints) < 0.35


def test_the_answer_is_the_same_with_others_beside_it(eye: HandRefiner, side_of_party: tuple[Picture, Points]) -> None:
    square, joints = side_of_party
    look, net = eye.look(square, HandFrame.around(joints)), CloseNet()
    np.testing.assert_allclose(net.answers(RefinedHands.join([look, look])), net.answers(look).repeat(2, 0), atol=1e-4)


@pytest.mark.parametrize("degrees", [-150.0, -60.0, 0.0, 35.0, 90.0, 180.0])
def test_a_turned_hand_is_looked_at_upright(make_hand: MakeHand, degrees: float) -> None:
    points = make_hand(90, 120, palm=20).points[:, :2]
    turn = np.radians(degrees)
    turned = (points - 88) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + 88
    upright, frame = HandFrame.around(points), HandFrame.around(turned)
    assert frame.side == pytest.approx(upright.side)
    assert np.cos(frame.turn - upright.turn - turn) == pytest.approx(1)
    shown, expected = (
        joints @ each.upright()[:, :2].T + each.upright()[:, 2] for joints, each in ((turned, frame), (points, upright))
    )
    np.testing.assert_allclose(shown, expected, atol=1e-6)


def test_a_bright_pixel_is_shown_where_the_frame_says(make_hand: MakeHand) -> None:
    frame = replace(HandFrame.around(make_hand(90, 120, palm=20).points[:, :2]), turn=0.7)
    picture = np.zeros((SIZE, SIZE, 3), np.uint8)
    cv2.circle(picture, (80, 100), 2, (255, 255, 255), -1)
    shown = cv2.warpAffine(picture, frame.upright(), (224, 224))[..., 0]
    down, across = (float(axis.mean()) for axis in np.nonzero(shown > 128))
    assert (across, down) == pytest.approx(frame.upright() @ (80, 100, 1), abs=1.0)


def test_the_middle_of_the_side_nets_cut_is_the_middle_of_the_square() -> None:
    assert in_square(np.full((1, 2), (SIDE_SIZE - 1) / 2, np.float32))[0] == pytest.approx((SIZE - 1) / 2)


def test_what_the_net_reads_is_finite_for_a_hand_it_is_wholly_sure_of() -> None:
    points = np.random.default_rng(3).uniform(0, SIZE, (2, 21, 3)).astype(np.float32)
    looks = RefinedHands(points, np.array([0, 1], np.float32), np.zeros(2, np.float32), np.zeros((2, 1152), np.float32))
    assert np.isfinite(numbers_of(looks)).all()


def test_only_what_is_in_doubt_is_looked_at() -> None:
    rest = (1 - HEADGEAR.certain) / 2
    sure = [rest / 2, HEADGEAR.certain + rest, rest / 2, 0.5, 0.5, 0.5, 0.5]
    doubted = [2 * rest, HEADGEAR.certain - 2 * rest, 0, 1, 1, 1, 1]
    assert doubtful(np.array([sure, doubted, sure, doubted], np.float32)).tolist() == [1, 3]
