"""Measured cause of a place that could not be read surely: reflection, darkness, blur, fingers, size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards import templates
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, FRAME_CORNERS, card_height, moved, rectified
from bunnymoose_cv.vision.cards.card_reading import RetakeCause
from bunnymoose_cv.vision.cards.card_settings import CAUSES

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_frame import Homography

_ALIGNED: Final = templates.SIZE[0] / CROP_SIZE[0]


def is_plain(image: Image, frame_to_image: Homography) -> bool:
    """Tell if the inside of a place is of one colour, apart from its illumination."""
    return float(templates.flattened(_inside(image, frame_to_image)).std()) < CAUSES.plain


def cause_without_card(image: Image, frame_to_image: Homography) -> RetakeCause | None:
    """The measured cause of a place on which something lies that is no known card."""
    light = cv2.cvtColor(_inside(image, frame_to_image), cv2.COLOR_BGR2LAB)[..., 0]
    if (light >= CAUSES.bright).mean() > CAUSES.reflecting:
        return RetakeCause.REFLECTION
    if light.mean() < CAUSES.dark:
        return RetakeCause.DARK
    return RetakeCause.BLURRED if _is_blurred(image, frame_to_image) else None


def cause_of_unsure(
    image: Image, frame_to_image: Homography, likeliest: npt.NDArray[np.float32], blur: float
) -> RetakeCause | None:
    """The measured cause of an unsure card: what differs from the likeliest face, else its size, light, sharpness.

    Args:
        likeliest: the likeliest face's flattened image, as blurred as the card.
        blur: of the templates that fit best.
    """
    crop = rectified(image, frame_to_image, _ALIGNED)
    light = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB)[..., 0].astype(np.float32)
    apart = cv2.GaussianBlur(np.abs(templates.flattened(crop) - likeliest).sum(2), (0, 0), 3.0) > CAUSES.apart
    washed = (light >= CAUSES.bright) & (cv2.cvtColor(crop, cv2.COLOR_BGR2HSV)[..., 1] < CAUSES.colourless)
    if (washed & apart).mean() > CAUSES.washed:
        return RetakeCause.REFLECTION
    if light.mean() < CAUSES.dark:
        return RetakeCause.DARK
    if blur >= CAUSES.blurred:
        return RetakeCause.BLURRED
    if apart.mean() > CAUSES.covered:
        return RetakeCause.FINGERS
    is_small = card_height(moved(FRAME_CORNERS, frame_to_image)) < CAUSES.small_px
    return RetakeCause.SMALL if is_small else None


def _inside(image: Image, frame_to_image: Homography) -> Image:
    """The middle of a place, small."""
    return rectified(image, frame_to_image, 0.25, -24.0)


def _is_blurred(image: Image, frame_to_image: Homography) -> bool:
    """Tell if the inside of a place has no fine structure for its coarse one."""
    flat = templates.flattened(rectified(image, frame_to_image, _ALIGNED, -16.0))
    fine = cv2.GaussianBlur(flat, (0, 0), 1.2) - cv2.GaussianBlur(flat, (0, 0), 2.4)
    return float(fine.std()) < CAUSES.fine * float(flat.std())
