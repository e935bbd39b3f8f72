"""Noise, turns and shapes of the hands that the hand network learns from."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from training.evaluate.hand_labels import HandLabels
from training.headgear.examples import ANTLER, COLUMNS, EAR, UNKNOWN, Hands, Shape, Truth, alone, shape_of
from training.headgear.hand_examples import moved, noisy, rows_by_weight, turned_at_random

KIND, DIRECTION = COLUMNS.index("kind"), COLUMNS.index("direction")
COUNT = 400


def hands(*, at_heads: bool = False) -> Hands:
    """Upright hands of random proportions, antlers and ears in turn."""
    draw = np.random.default_rng(1)
    points = draw.normal(0, 0.1, (COUNT, 21, 3)).astype(np.float32)
    points[:, :, 1] -= np.linspace(0, 2, 21, dtype=np.float32)
    kind = np.where(np.arange(COUNT) % 2, EAR, ANTLER)
    values = np.full((COUNT, len(COLUMNS)), UNKNOWN, np.int8)
    values[:, KIND] = kind
    truth = Truth(values, np.zeros((COUNT, len(COLUMNS)), bool), np.full(COUNT, "p"), np.full(COUNT, ""))
    features = HandFeatures(points, points[..., :2] * np.float32(2)) if at_heads else alone(points)
    return Hands(features, truth, np.where(kind == EAR, Shape.TWO, Shape.OPEN).astype(np.int8))


def test_directions_of_turned_antlers_follow_the_turn() -> None:
    turned = turned_at_random(hands(), np.random.default_rng(3))
    points, values = turned.features.points, turned.truth.values
    along = points[:, 9, :2] - points[:, 0, :2]
    up, antler = -along[:, 1] / np.linalg.norm(along, axis=1), values[:, KIND] == ANTLER
    assert (up[antler & (values[:, DIRECTION] == 1)] > 0.5).all()
    assert (up[antler & (values[:, DIRECTION] == 0)] < -0.5).all()
    assert {0, 1, UNKNOWN} == {*values[antler, DIRECTION].tolist()}
    assert (values[~antler, DIRECTION] == UNKNOWN).all()


@pytest.mark.parametrize("turned", [False, True])
def test_noise_mirrors_half_of_the_hands_and_loses_some_depths(*, turned: bool) -> None:
    before = hands()
    after = noisy(before, np.random.default_rng(3), turned=turned)
    assert 0.03 < np.isnan(after.features.points[..., 2]).all(1).mean() < 0.2
    assert np.isfinite(after.features.points[..., :2]).all()
    signs = np.sign((after.features.points[..., 0] * before.features.points[..., 0]).sum(1))
    assert 0.3 < (signs < 0).mean() < 0.7
    assert np.array_equal(after.truth.values, before.truth.values)
    assert np.isfinite(before.features.points).all()


def test_moved_hands_stay_near_their_places_and_hands_alone_stay_alone() -> None:
    before = hands(at_heads=True)
    after = moved(before, np.random.default_rng(3))
    assert 0.01 < np.abs(after.features.at_head - before.features.at_head).mean() < 0.3
    assert np.isnan(moved(hands(), np.random.default_rng(3)).features.at_head).all()


def test_rows_are_drawn_by_their_weights() -> None:
    rows = rows_by_weight(np.random.default_rng(3), np.array([0.0, 1.0, 3.0]), 4000)
    assert 0.7 < (rows == 2).mean() < 0.8
    assert not (rows == 0).any()


@pytest.mark.parametrize(
    ("fingers", "thumb", "shape"),
    [
        ("IMRP", "out", Shape.OPEN),
        ("IMRP", "tucked", Shape.FOUR),
        ("IMRP", "along", UNKNOWN),
        ("IM", "tucked", Shape.TWO),
        ("IM", "out", Shape.TWO),
        ("IP", "tucked", Shape.OTHER),
        ("0", "out", Shape.OTHER),
        ("", "", UNKNOWN),
    ],
)
def test_shapes_follow_fingers_and_thumb(fingers: str, thumb: str, shape: int) -> None:
    assert shape_of(HandLabels.of_letters(fingers, thumb)) == shape
