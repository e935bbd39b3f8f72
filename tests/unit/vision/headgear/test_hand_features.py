"""Inputs of the headgear networks, which are invariant to the head's size, place and tilt, on either side."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
from bunnymoose_cv.vision.faces import head as places
from bunnymoose_cv.vision.faces.head import Head
from bunnymoose_cv.vision.geometry import Points
from bunnymoose_cv.vision.headgear.hand_features import (
    FEATURES,
    PIXEL_LOGITS,
    HandFeatures,
    features,
    features_alone,
    features_at_head,
    with_pixels,
)
from bunnymoose_cv.vision.headgear.side_net import OUTWARD, SIZE, UPWARD, WINDOW, cut_side
from tests.unit.vision.made_heads import make_hand, make_head


@pytest.fixture
def hand_at_head() -> tuple[HandLandmarks, Head]:
    """A hand at the left of a head, with random depth to avoid accidental symmetry."""
    head = make_head(turn=8)
    hand = make_hand(*head.at(1.3, 0.2))
    deep = hand.points + np.column_stack([np.zeros((21, 2)), np.linspace(-20, 5, 21)]).astype(np.float32)
    return replace(hand, points=deep), head


def moved(
    hand: HandLandmarks, head: Head, change: Callable[[Points], Points], *, flip: bool = False
) -> tuple[HandLandmarks, Head]:
    """Transform all points of hand and head; with `flip` exchange left and right, also of the hand."""
    face = change(head.face.points.copy())
    if flip:
        face = _exchanged(face)
    anatomical = hand.anatomical.other if flip else hand.anatomical
    return replace(hand, points=change(hand.points.copy()), anatomical=anatomical), Head(FaceLandmarks(face))


def _exchanged(face: Points) -> Points:
    """Exchange left and right points, as the face mesh does for a mirror image."""
    mirrored = face.copy()
    for left, right in ((places.LEFT_EYE, places.RIGHT_EYE[::-1]), (places.LEFT_TEMPLE, places.RIGHT_TEMPLE)):
        mirrored[left], mirrored[right] = face[right], face[left]
    return mirrored


def scaled(points: Points) -> Points:
    return points * 1.7


def shifted(points: Points) -> Points:
    return points + np.array([120, -40, 0], np.float32)


def tilted(points: Points) -> Points:
    cosine, sine = np.cos(0.4), np.sin(0.4)
    turn = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]], np.float32)
    return np.asarray(points @ turn.T, np.float32)


def mirrored(points: Points) -> Points:
    return points * np.array([-1, 1, 1], np.float32)


@pytest.mark.parametrize("change", [scaled, shifted, tilted, mirrored])
def test_features_are_invariant_to_size_place_tilt_and_mirroring(
    hand_at_head: tuple[HandLandmarks, Head], change: Callable[[Points], Points]
) -> None:
    flip = change is mirrored
    before = features(features_at_head(*hand_at_head, Side.LEFT))
    after = features(features_at_head(*moved(*hand_at_head, change, flip=flip), Side.RIGHT if flip else Side.LEFT))
    np.testing.assert_allclose(after, before, atol=2e-3)


def test_features_differ_between_sides(hand_at_head: tuple[HandLandmarks, Head]) -> None:
    hand, head = hand_at_head
    left, right = (features(features_at_head(hand, head, side)) for side in (Side.LEFT, Side.RIGHT))
    assert np.abs(left - right).max() > 0.1


@pytest.mark.parametrize("change", [scaled, shifted])
def test_features_of_a_lone_hand_ignore_size_and_place(
    hand_at_head: tuple[HandLandmarks, Head], change: Callable[[Points], Points]
) -> None:
    hand, _ = hand_at_head
    after = features(features_alone(replace(hand, points=change(hand.points))))
    np.testing.assert_allclose(after, features(features_alone(hand)), atol=2e-3)


def test_unknown_depth_and_head_give_finite_numbers(hand_at_head: tuple[HandLandmarks, Head]) -> None:
    hands = features_alone(hand_at_head[0])
    flat = replace(hands, points=hands.points * np.array([1, 1, np.nan], np.float32))
    assert np.isfinite(features(HandFeatures.join([hands, flat]))).all()


def test_features_end_with_pixel_logits_and_a_known_flag(
    hand_at_head: tuple[HandLandmarks, Head],
) -> None:
    pixels = np.arange(1, 1 + PIXEL_LOGITS, dtype=np.float32)[None]
    known = features(features_at_head(*hand_at_head, Side.LEFT, pixels))
    unknown = features(features_at_head(*hand_at_head, Side.LEFT))
    assert known[0, -PIXEL_LOGITS - 1 :].tolist() == [*pixels[0], 1]
    assert unknown[0, -PIXEL_LOGITS - 1 :].tolist() == [0] * (PIXEL_LOGITS + 1)
    np.testing.assert_array_equal(known[:, : -PIXEL_LOGITS - 1], unknown[:, : -PIXEL_LOGITS - 1])
    np.testing.assert_array_equal(known, with_pixels(unknown, pixels))
    assert known.shape == (1, FEATURES)


MARKS = ((1.2, 0.0), (0.0, 2.5), (4.0, 3.5))
"""Positions of discs relative to the eyes, in eye distances outward and upward."""


def marked(head: Head, side: Side) -> Image:
    """Draw an image of 900 × 600 pixels with white discs at the marks of one side."""
    image = np.zeros((600, 900, 3), np.uint8)
    for outward, upward in MARKS:
        x, y = head.at(outward if side is Side.LEFT else -outward, upward)
        cv2.circle(image, (round(x), round(y)), round(0.35 * head.eye_distance), (255, 255, 255), -1)
    return image


def pixel_of(outward: float, upward: float) -> tuple[int, int]:
    """Return the row and column of a place in the crop."""
    scale = SIZE / WINDOW
    middle = (SIZE - 1) / 2
    return round(middle - (upward - UPWARD) * scale), round(middle + (outward - OUTWARD) * scale)


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("tilt", [-30.0, 0.0, 20.0])
@pytest.mark.parametrize("eyes", [15.0, 40.0, 80.0])
def test_place_at_the_head_maps_to_a_fixed_pixel(side: Side, tilt: float, eyes: float) -> None:
    head = make_head(450, eyes=eyes, tilt=tilt)
    cut = cut_side(marked(head, side), head, side)
    assert cut.shape == (SIZE, SIZE, 3)
    for mark in MARKS:
        x, y = head.at(mark[0] if side is Side.LEFT else -mark[0], mark[1])
        if 0 <= x < 900 and 0 <= y < 600:
            assert cut[pixel_of(*mark)].mean() > 200
    assert cut[pixel_of(2.5, 1.0)].mean() < 50


def test_both_sides_of_a_symmetrical_image_are_alike() -> None:
    head = make_head(450, eyes=40)
    left, right = (cut_side(marked(head, side), head, side).astype(int) for side in Side)
    assert np.abs(left - right).mean() < 4


def test_crop_is_grey_beyond_the_border() -> None:
    head = make_head(890, eyes=60)
    cut = cut_side(np.zeros((600, 900, 3), np.uint8), head, Side.LEFT)
    assert np.all(cut[:, -20:] == 128)
