"""Crop of a hand for the hand-shape network."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.vision.headgear.hand_shape import SIZE, WINDOW, HandFrame
from tests.unit.vision.made_heads import OPEN_HAND
from training.geometry import rotation

WHITE, GREEN = (255, 255, 255), (0, 255, 0)
THUMB_TIP, MIDDLE_TIP = 4, 12


@given(st.floats(-179, 179), st.floats(15, 60), st.tuples(st.floats(150, 250), st.floats(150, 250)))
def test_crop_shows_every_hand_upright_and_at_one_size(turn: float, palm: float, wrist: tuple[float, float]) -> None:
    points = (OPEN_HAND * [1, -1] * palm) @ rotation(np.radians(turn)).T + wrist
    image = np.zeros((400, 400, 3), np.uint8)
    cv2.circle(image, np.round(points[MIDDLE_TIP]).astype(int).tolist(), 5, WHITE, -1)
    frame = HandFrame.around(points.astype(np.float32))
    assert frame.extent == pytest.approx(np.ptp(OPEN_HAND[:, 1]) * palm, rel=0.05)
    crop = frame.cut(image, mirrored=False)
    assert crop.shape == (SIZE, SIZE, 3)
    if (points > 10).all() and (points < 390).all():
        x, y = np.argwhere(crop[..., 0] > 200)[:, ::-1].mean(0)
        assert y == pytest.approx(SIZE * (0.5 - 0.5 / WINDOW), abs=SIZE / 10)
        assert x == pytest.approx(SIZE / 2, abs=SIZE / 5)


def test_crop_is_mirrored_for_the_other_hand() -> None:
    points = (OPEN_HAND * [1, -1] * 40 + [200, 250]).astype(np.float32)
    image = np.zeros((400, 400, 3), np.uint8)
    cv2.circle(image, np.round(points[THUMB_TIP]).astype(int).tolist(), 5, GREEN, -1)
    plain, mirrored = (HandFrame.around(points).cut(image, mirrored=mirrored) for mirrored in (False, True))
    np.testing.assert_allclose(mirrored[:, ::-1].astype(int), plain, atol=40)
    assert plain[:, SIZE // 2 :, 1].max() > 100 > plain[:, : SIZE // 2, 1].max()
