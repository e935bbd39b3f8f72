"""Advice for a better image of the cards, one sentence for each measured cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.vision.cards.card_reading import PlaceReading, PlaceState, RetakeCause

if TYPE_CHECKING:
    from collections.abc import Sequence

_WHOLE_IMAGE: Final = (RetakeCause.SMALL, RetakeCause.BLURRED, RetakeCause.DARK)
"""Causes that hold for the image, and are told once."""


def advice_for(places: Sequence[PlaceReading]) -> tuple[Phrase, ...]:
    """Advice about all places that are unsure or covered; none where every place is known."""
    open_places = [place for place in places if place.state in (PlaceState.UNSURE, PlaceState.COVERED)]
    if not places:
        return (Phrase("No cards are found: take the picture from above, with the whole row in it."),)
    whole = [cause for cause in _WHOLE_IMAGE if any(place.cause is cause for place in open_places)]
    one_by_one = [place for place in open_places if place.cause not in whole]
    return (*map(_of_image, whole), *map(_of_place, one_by_one))


def _of_image(cause: RetakeCause) -> Phrase:
    match cause:
        case RetakeCause.SMALL:
            return Phrase("The cards are small in the picture: go nearer.")
        case RetakeCause.DARK:
            return Phrase("The picture is dark: put more light on the cards.")
        case _:
            return Phrase("The picture is blurred: hold the camera still until it is sharp.")


def _of_place(reading: PlaceReading) -> Phrase:
    match reading.cause:
        case RetakeCause.REFLECTION:
            return Phrase("There is a reflection on place {place}: tilt the camera a little.", place=reading.place)
        case RetakeCause.FINGERS:
            return Phrase("Something lies over place {place}: take fingers and things away.", place=reading.place)
        case _ if reading.state is PlaceState.COVERED:
            return Phrase("Place {place} shows no card of the deck.", place=reading.place)
        case _:
            return Phrase("Place {place} could be one of several cards: choose one.", place=reading.place)
