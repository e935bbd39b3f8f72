"""However the camera stands and mirrors, the player's own right comes out on the left of the image."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.orientation import View
from bunnymoose_cv.core.user_settings import load_settings

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image

TABLE = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
"""Image before the camera: no two pixels are alike."""

MOUNTED = {0: None, 90: cv2.ROTATE_90_COUNTERCLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_CLOCKWISE}


def as_sent(rotation_degrees: int, *, mirrored: bool) -> Image:
    """Image sent by a camera mounted like that: turned by its mounting, then mirrored by its software."""
    turn = MOUNTED[rotation_degrees]
    sent = TABLE if turn is None else cv2.rotate(TABLE, turn)
    return (cv2.flip(sent, 1) if mirrored else sent).astype(np.uint8)


@pytest.mark.parametrize("rotation_degrees", MOUNTED)
@pytest.mark.parametrize("mirrored", [False, True])
def test_every_mounting_is_undone(rotation_degrees: int, *, mirrored: bool) -> None:
    view = View(rotation_degrees, mirrored)
    sent = as_sent(rotation_degrees, mirrored=mirrored)
    np.testing.assert_array_equal(view.upright(sent), TABLE)
    assert view.size_of(sent.shape[1], sent.shape[0]) == (6, 4)


@pytest.mark.parametrize("rotation_degrees", [0, 90, 180, 270])
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_flipped_view_shows_the_mirror_image(rotation_degrees: int, *, mirrored: bool) -> None:
    view = View(rotation_degrees, mirrored)
    sent = as_sent(90, mirrored=True)
    assert np.array_equal(view.flipped.upright(sent), cv2.flip(view.upright(sent), 1))


def test_the_usual_camera_stands_upright_and_unmirrored() -> None:
    assert View.of(load_settings().camera) == View(0, mirrored=False)
