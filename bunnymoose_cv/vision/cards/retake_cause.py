"""Measured causes of places that could not be read surely, such as reflection or blur, and advice for each cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.vision.cards import templates
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, FRAME_CORNERS, card_height, moved, rectified
from bunnymoose_cv.vision.cards.card_reading import PlaceReading, PlaceState, RetakeCause
from bunnymoose_cv.vision.cards.card_settings import CAUSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_frame import Homography

_ALIGNED: Final = templates.SIZE[0] / CROP_SIZE[0]


def is_plain(image: Image, frame_to_image: Homography) -> bool:
    """Return whether the inside of a place has a single colour, apart from its illumination."""
    return float(templates.flattened(_inside(image, frame_to_image)).std()) < CAUSES.plain


def cause_without_card(image: Image, frame_to_image: Homography) -> RetakeCause | None:
    """Return the measured cause of a place on which something lies that is not a known card."""
    light = cv2.cvtColor(_inside(image, frame_to_image), cv2.COLOR_BGR2LAB)[..., 0]
    if (light >= CAUSES.bright).mean() > CAUSES.reflecting:
        return RetakeCause.REFLECTION
    if light.mean() < CAUSES.dark:
        return RetakeCause.DARK
    flat = templates.flattened(rectified(image, frame_to_image, _ALIGNED, -16.0))
    fine = cv2.GaussianBlur(flat, (0, 0), 1.2) - cv2.GaussianBlur(flat, (0, 0), 2.4)
    return RetakeCause.BLURRED if float(fine.std()) < CAUSES.fine * float(flat.std()) else None


def cause_of_unsure(
    image: Image, frame_to_image: Homography, likeliest: npt.NDArray[np.float32], blur: float
) -> RetakeCause | None:
    """Return the measured cause of an unsure card.

    Args:
        likeliest: flattened image of the likeliest face, as blurred as the card.
        blur: blur of the templates that fit best, in pixels of an aligned crop.
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
    """Cut out the middle of a place at a quarter of its size."""
    return rectified(image, frame_to_image, 0.25, -24.0)


_WHOLE_IMAGE: Final = {
    RetakeCause.SMALL: Phrase("The cards are small in the picture: go closer."),
    RetakeCause.BLURRED: Phrase("The picture is blurred: hold the camera still until it is sharp."),
    RetakeCause.DARK: Phrase("The picture is dark: put more light on the cards."),
}
"""Advice for causes that apply to the whole image, and are reported once."""


def advice_for(places: Sequence[PlaceReading]) -> tuple[Phrase, ...]:
    """Return advice about all places that are unsure or covered. It is empty if every place is known."""
    if not places:
        return (Phrase("No cards are found: take the picture from above, with the whole row in it."),)
    open_places = [place for place in places if place.state in (PlaceState.UNSURE, PlaceState.COVERED)]
    causes = {place.cause for place in open_places}
    whole = [advice for cause, advice in _WHOLE_IMAGE.items() if cause in causes]
    return (*whole, *(_of_place(place) for place in open_places if place.cause not in _WHOLE_IMAGE))


def _of_place(reading: PlaceReading) -> Phrase:
    match reading.cause:
        case RetakeCause.REFLECTION:
            return Phrase("There is a reflection on place {place}: tilt the camera a little.", place=reading.place)
        case RetakeCause.FINGERS:
            return Phrase("Something covers place {place}: take fingers and things away.", place=reading.place)
        case _ if reading.state is PlaceState.COVERED:
            return Phrase("Place {place} shows no card of the deck.", place=reading.place)
        case _:
            return Phrase("Place {place} could be one of several cards: choose one.", place=reading.place)
