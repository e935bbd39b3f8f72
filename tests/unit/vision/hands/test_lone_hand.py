"""A lone hand is found in tight, rotated and mirrored images, and mapped back to the image."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import HandLandmarks
from bunnymoose_cv.vision.geometry import CropSpec, Points
from bunnymoose_cv.vision.hands.hand_search import SIZE, _put_back, find_lone_hand
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(1) as workers:
        yield workers


@pytest.fixture(scope="module")
def antler(party: FrameReading) -> tuple[Image, HandLandmarks]:
    """A square crop around the moose's left hand, and the hand in its pixels."""
    hand = party.players[1].player.hands[Side.LEFT]
    low, high = hand.points[:, :2].min(0), hand.points[:, :2].max(0)
    side = 1.3 * float((high - low).max())
    left, top = ((low + high) / 2 - side / 2).astype(int)
    square = party.image[top : top + round(side), left : left + round(side)]
    moved = hand.points - np.array([left, top, 0], np.float32)
    return square.copy(), type(hand)(moved, hand.world, hand.anatomical, hand.confidence)


def mean_distance(found: HandLandmarks, expected: Points, size: int) -> float:
    """Return the mean distance of the joints, as a fraction of the image's side."""
    return float(np.linalg.norm(found.points[:, :2] - expected[:, :2], axis=1).mean()) / size


@pytest.mark.parametrize("size", [60, 100, 400])
def test_hand_is_found_in_a_tight_image_of_any_size(
    workers: Workers, antler: tuple[Image, HandLandmarks], size: int
) -> None:
    square, hand = antler
    found = find_lone_hand(np.asarray(cv2.resize(square, (size, size)), np.uint8), workers)
    assert found is not None
    assert mean_distance(found, hand.points * (size / len(square)), size) < 0.06
    assert found.anatomical is hand.anatomical


@pytest.mark.parametrize("mirrored", [False, True])
def test_hand_from_a_mirrored_crop_is_mapped_back(*, mirrored: bool) -> None:
    """Use a bright spot as the joint and take its place in the mirrored crop as the detection."""
    image = np.zeros((90, 60, 3), np.uint8)
    image[20:24, 40:44] = 255
    crop = CropSpec(1.5, SIZE, mirrored=mirrored).cut(image, (30, 45), 90)
    assert bool(crop.image[:, : SIZE // 2].max() > 200) is mirrored  # the joint is right of the middle
    rows, columns = np.nonzero(crop.image[..., 0] > 200)
    joints = np.full((21, 3), (columns.mean() + 0.5, rows.mean() + 0.5, 7.0), np.float32)
    world = np.tile(np.array([[0.03, 0.01, 0.02]], np.float32), (21, 1))
    found = _put_back(HandLandmarks(joints, world, Side.LEFT, 0.9), crop, mirrored=mirrored)
    assert found.points[0, :2] == pytest.approx((42, 22), abs=0.6)
    assert found.points[0, 2] == pytest.approx(7.0 / crop.scale)
    assert found.anatomical is (Side.RIGHT if mirrored else Side.LEFT)
    assert found.world[0] == pytest.approx((-0.03 if mirrored else 0.03, 0.01, 0.02))


def test_mirrored_hand_is_the_other_hand(workers: Workers, antler: tuple[Image, HandLandmarks]) -> None:
    square, hand = antler
    found = find_lone_hand(np.ascontiguousarray(np.fliplr(square)), workers)
    assert found is not None
    assert found.anatomical is hand.anatomical.other


def test_plain_image_has_no_hand(workers: Workers) -> None:
    assert find_lone_hand(np.full((100, 140, 3), 127, np.uint8), workers) is None


def test_lone_hand_is_read(reader: Reader, antler: tuple[Image, HandLandmarks]) -> None:
    reading = reader.read_lone_hand(antler[0])
    assert reading is not None
    assert reading.probabilities.kind is Kind.ANTLER
    assert reader.read_lone_hand(np.full((50, 50, 3), 127, np.uint8)) is None
