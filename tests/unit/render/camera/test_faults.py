"""Faults of a camera: reproducible by seed, each with its effect, and none unless drawn."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fixtures.render.camera.faults import Faults, Smear, draw_faults, jpeg, small_jpeg, spoil

NONE = Faults(smears=(), focus_px=0.05, gains=(1, 1, 1), gamma=1, grain=0, colour_grain=0, sharpening=0, quality=None)
SIDE = 96


def scene(seed: int = 5) -> NDArray[np.uint8]:
    """Return patches of colour with edges between them."""
    coarse = np.random.default_rng(seed).integers(40, 200, (8, 8, 3))
    return np.kron(coarse, np.ones((SIDE // 8, SIDE // 8, 1))).astype(np.uint8)


def spoilt(faults: Faults, seed: int = 1) -> NDArray[np.float64]:
    return spoil(scene(), faults, np.random.default_rng(seed)).astype(float)


def edges(image: NDArray[np.float64]) -> float:
    return float(np.abs(np.diff(image, axis=1)).max())


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), face_px=st.floats(20, 300))
def test_equal_seeds_make_equal_faults_and_images(seed: int, face_px: float) -> None:
    first, second = (
        spoil(scene(), draw_faults(random, face_px, [(30.0, 40.0)]), random)
        for random in (np.random.default_rng(seed), np.random.default_rng(seed))
    )
    assert (first == second).all()
    assert first.shape == scene().shape
    assert first.dtype == np.uint8


def test_no_faults_keep_the_image_and_compression_changes_it() -> None:
    assert (spoilt(NONE) == scene()).all()
    assert (spoilt(replace(NONE, quality=30)) != scene()).any()


@pytest.mark.parametrize(
    ("faults", "weakened"),
    [
        (replace(NONE, focus_px=2.0), True),
        (replace(NONE, smears=(Smear((6.0, 0.0)),)), True),
        (replace(NONE, sharpening=1.0), False),
    ],
    ids=["out of focus", "moved across", "sharpened"],
)
def test_blur_and_motion_weaken_edges_and_sharpening_strengthens_them(faults: Faults, *, weakened: bool) -> None:
    assert (edges(spoilt(faults)) < edges(spoilt(NONE))) == weakened


def test_motion_along_an_edge_leaves_it_sharp() -> None:
    stripes = np.tile(np.repeat(np.array([40, 200], np.uint8), SIDE // 2)[None, :, None], (SIDE, 1, 3))
    along = spoil(stripes, replace(NONE, smears=(Smear((0.0, 8.0)),)), np.random.default_rng(1))
    assert (along == stripes).all()


def test_motion_of_a_hand_changes_only_its_neighbourhood() -> None:
    moved = spoilt(replace(NONE, smears=(Smear((6.0, 0.0), (20.0, 20.0), 8.0),)))
    changed = np.argwhere((moved != scene()).any(-1))
    assert changed.size
    assert np.hypot(*(changed - 20).T).max() <= 16


@pytest.mark.parametrize("channel", [0, 1, 2])
def test_white_balance_changes_one_colour(channel: int) -> None:
    gains = [1.0, 1.0, 1.0]
    gains[channel] = 1.2
    shift = (spoilt(replace(NONE, gains=(gains[0], gains[1], gains[2]))) - scene()).mean((0, 1))
    assert shift[channel] > 10
    assert np.delete(shift, channel) == pytest.approx([0, 0], abs=0.5)


def test_grain_has_the_drawn_strength_and_keeps_the_mean() -> None:
    grain = spoilt(replace(NONE, grain=6.0)) - scene()
    assert grain.std() == pytest.approx(6, rel=0.25)
    assert abs(grain.mean()) < 1


def test_small_jpeg_uses_the_first_quality_that_fits_or_the_last() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    sizes = {quality: jpeg(noise, quality).size for quality in (90, 60, 30)}
    assert small_jpeg(noise, sizes[60], (90, 60, 30)).size == sizes[60]
    assert small_jpeg(noise, 10, (90, 60, 30)).size == sizes[30]
