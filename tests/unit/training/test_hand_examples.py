"""Hands by themselves are laid over rendered ones with the rendered one's place and direction, also in between."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER, UNKNOWN, Hands, Truth
from training.headgear.hand_examples import drawn_evenly, placed, shaken, turned_at_random
from training.headgear.kinematic_hands import SHAPES, kinematic_hands

KIND, SPREAD, DIRECTION, FORM, PLACE = range(len(COLUMNS))
COUNT = 400


def at_heads(*, between: bool, value: int = 1) -> Hands:
    """Hands at heads whose directions and places are all this one, and all in between or none."""
    hands = kinematic_hands(COUNT, np.random.default_rng(1))
    values, flags = hands.truth.values.copy(), np.zeros((COUNT, len(COLUMNS)), bool)
    antler, ear = (values[:, KIND] == kind for kind in (ANTLER, EAR))
    values[antler, DIRECTION], values[ear, PLACE] = value, value
    flags[antler, DIRECTION], flags[ear, PLACE] = between, between
    known = np.ones((COUNT, 2), np.float32)
    points = hands.features.points
    features = HandFeatures(points, points[..., :2] * np.array([1, -1], np.float32), known, known, known[:, 0])
    return Hands(features, Truth(values, flags, hands.truth.person, hands.truth.place))


@pytest.fixture(params=[False, True], ids=["plain", "in between"])
def beds_between(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_a_place_or_direction_in_between_stays_so_on_the_hand_laid_there(*, beds_between: bool) -> None:
    hands = kinematic_hands(COUNT, np.random.default_rng(2))
    truth = placed(hands, at_heads(between=beds_between), np.random.default_rng(3)).truth
    kind = truth.values[:, KIND]
    assert {ANTLER, EAR, NEITHER} == {*kind.tolist()}
    assert (truth.between[kind == ANTLER, DIRECTION] == beds_between).all()
    assert (truth.between[kind == EAR, PLACE] == beds_between).all()
    assert not truth.between[kind == NEITHER, DIRECTION].any()
    assert not truth.between[kind != ANTLER, DIRECTION].any()
    assert not truth.between[kind != EAR, PLACE].any()


def test_shapes_in_between_stay_the_hands_own() -> None:
    hands = kinematic_hands(COUNT, np.random.default_rng(2))
    truth = placed(hands, at_heads(between=True), np.random.default_rng(3)).truth
    stays = truth.values[:, KIND] == hands.truth.values[:, KIND]
    own = [KIND, SPREAD, FORM]
    assert hands.truth.between[stays][:, own].any()
    assert np.array_equal(truth.between[stays][:, own], hands.truth.between[stays][:, own])


@pytest.mark.parametrize("value", [0, 1])
def test_place_and_direction_are_the_rendered_hands(value: int) -> None:
    hands = kinematic_hands(COUNT, np.random.default_rng(2))
    values = placed(hands, at_heads(between=False, value=value), np.random.default_rng(3)).truth.values
    assert (values[values[:, KIND] == ANTLER, DIRECTION] == value).all()
    assert (values[values[:, KIND] == EAR, PLACE] == value).all()


def test_a_quarter_of_the_headgears_is_off_the_head_and_plainly_neither() -> None:
    hands = kinematic_hands(COUNT, np.random.default_rng(2))
    truth = placed(hands, at_heads(between=True), np.random.default_rng(3)).truth
    headgear = hands.truth.values[:, KIND] != NEITHER
    off = headgear & (truth.values[:, KIND] == NEITHER)
    assert 0.15 < off.sum() / headgear.sum() < 0.35
    assert (truth.values[off, 1:] == UNKNOWN).all()
    assert not truth.between[off].any()


def test_an_ear_lies_root_on_root_but_for_how_people_hold_it() -> None:
    hands, heads = kinematic_hands(COUNT, np.random.default_rng(2)), at_heads(between=False)
    same = Hands(heads.features.take(np.zeros(COUNT, np.intp)), heads.truth.take(np.full(COUNT, 0)))
    same.truth.values[:, KIND] = EAR
    laid = placed(hands.take(np.flatnonzero(hands.truth.values[:, KIND] == EAR)), same, np.random.default_rng(3))
    stays = laid.truth.values[:, KIND] == EAR
    away = laid.features.at_head[stays, 5] - same.features.at_head[0, 5]
    assert (np.abs(away) < 1.0).all()
    assert (laid.features.at_head[stays, 0, 1] < laid.features.at_head[stays, 9, 1]).mean() > 0.9


def test_directions_of_turned_antlers_follow_the_turn() -> None:
    turned = turned_at_random(kinematic_hands(COUNT, np.random.default_rng(2)), np.random.default_rng(3))
    points, values = turned.features.points, turned.truth.values
    way = points[:, 9, :2] - points[:, 0, :2]
    up, antler = -way[:, 1] / np.linalg.norm(way, axis=1), values[:, KIND] == ANTLER
    assert (up[antler & (values[:, DIRECTION] == 1)] > 0.5).all()
    assert (up[antler & (values[:, DIRECTION] == 0)] < -0.5).all()
    assert {0, 1, UNKNOWN} == {*values[antler, DIRECTION].tolist()}
    assert (values[~antler, DIRECTION] == UNKNOWN).all()


def test_shaking_loses_depth_and_head_now_and_then_and_invents_neither() -> None:
    features = at_heads(between=False).features
    shown = shaken(features, np.random.default_rng(3))
    assert 0.03 < np.isnan(shown.points[..., 2]).all(1).mean() < 0.2
    assert 0.03 < np.isnan(shown.at_head).all((1, 2)).mean() < 0.2
    assert np.array_equal(np.isnan(shown.at_head).all((1, 2)), np.isnan(shown.temple).all(1))
    assert np.isfinite(shown.points[..., :2]).all()


def test_sorts_are_drawn_evenly_as_far_as_there_are_any() -> None:
    hands = kinematic_hands(COUNT, np.random.default_rng(2))
    kind = hands.truth.values[drawn_evenly(hands, np.random.default_rng(3), 3000), KIND]
    assert all(0.28 < (kind == one).mean() < 0.39 for one in (ANTLER, EAR, NEITHER))
    ears = hands.take(np.flatnonzero(hands.truth.values[:, KIND] != ANTLER))
    assert {EAR, NEITHER} == {*ears.truth.values[drawn_evenly(ears, np.random.default_rng(3), 100), KIND].tolist()}


def test_hands_made_of_joints_have_the_truth_of_their_shape() -> None:
    hands = kinematic_hands(2000, np.random.default_rng(0))
    assert {shape.truth for shape in SHAPES} == {(*map(int, values),) for values in hands.truth.values}
    assert hands.features.points.shape == (2000, 21, 3)
    assert np.allclose(hands.features.points[:, 0], 0)
    spread = np.linalg.norm(hands.features.points[:, 8] - hands.features.points[:, 20], axis=1)
    plain = ~hands.truth.between.any(1) & (hands.truth.values[:, KIND] == ANTLER)
    wide, compact = (spread[plain & (hands.truth.values[:, SPREAD] == value)].mean() for value in (1, 0))
    assert wide > 1.3 * compact
