"""Entry point of card reading: one image → the cards on its places."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bunnymoose_cv.vision.cards.card_classifier import CardClassifier
from bunnymoose_cv.vision.cards.card_frame import card_height
from bunnymoose_cv.vision.cards.card_reading import CardsReading, PlaceReading, PlaceState, RememberedPlaces
from bunnymoose_cv.vision.cards.card_settings import DECISION, IMAGE
from bunnymoose_cv.vision.cards.deal import agreed
from bunnymoose_cv.vision.cards.free_search import find_cards
from bunnymoose_cv.vision.cards.mat_search import find_mat
from bunnymoose_cv.vision.cards.retake_cause import advice_for
from bunnymoose_cv.vision.shrink import shrink
from bunnymoose_cv.vision.suppress import keep_first

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_reading import CardFaceId
    from bunnymoose_cv.vision.cards.deal import DealKnowledge
    from bunnymoose_cv.vision.cards.enrolment import Enrolment

_Place = TypeVar("_Place")


class CardReader:
    """Reader of the cards of one enrolled deck; building it prepares the features (seconds), reading is reentrant.

    Args:
        threads: that read the places of one image side by side.
    """

    def __init__(self, enrolment: Enrolment, threads: int = 2) -> None:
        self._threads = threads
        self._decision = CardClassifier(enrolment.faces)
        self._vocabulary = self._decision.keypoints.vocabulary()

    def read(
        self, image: Image, remembered: RememberedPlaces | None = None, deal: DealKnowledge | None = None
    ) -> CardsReading:
        """Read the cards in an image.

        Args:
            image: upright, blue-green-red, any size; it is scaled down to 2048 pixels.
            remembered: places of an earlier image of the same camera, used where no mat is seen.
        """
        small, scale = shrink(image, IMAGE.longest_px)
        possible = None if deal is None else deal.possible
        places, mat_found = self._places(small, remembered, possible)
        if deal is not None:
            places = agreed(places, deal)
        back = tuple(replace(place, corners_px=place.corners_px / scale) for place in places)
        size = (image.shape[1], image.shape[0])
        return CardsReading(back, size, mat_found, _remembered(back, size), advice_for(back))

    def _places(
        self, image: Image, remembered: RememberedPlaces | None, possible: Collection[CardFaceId] | None
    ) -> tuple[tuple[PlaceReading, ...], bool]:
        """Readings of the mat's places, else of the remembered ones, else of what looks like a card."""
        of_mat = find_mat(image)
        corners = of_mat if of_mat is not None else _scaled(remembered, image)
        if corners is None:
            return self._found(image, possible), False
        reading = partial(self._decision.read, image, possible=possible)
        numbered = enumerate(corners, start=1)
        return tuple(self._each(lambda place: reading(*place), numbered)), of_mat is not None

    def _found(self, image: Image, possible: Collection[CardFaceId] | None) -> tuple[PlaceReading, ...]:
        """Cards found anywhere, each once, from left to right."""
        reading = partial(self._decision.read, image, 0, possible=possible, least=DECISION.sure)
        read_cards = (read for read in self._each(reading, find_cards(image, self._vocabulary)) if read.candidates)
        found = keep_first(read_cards, _is_same)
        largest = max((card_height(read.corners_px) for read in found), default=0.0)
        found = [read for read in found if card_height(read.corners_px) > IMAGE.smallest * largest]
        found.sort(key=lambda read: float(read.corners_px[:, 0].mean()))
        return tuple(replace(read, place=number) for number, read in enumerate(found, start=1))

    def _each(self, read: Callable[[_Place], PlaceReading], places: Iterable[_Place]) -> list[PlaceReading]:
        """Read places side by side; the libraries let other threads run while they compute."""
        if self._threads == 1:
            return list(map(read, places))
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(read, places))


def _is_same(reading: PlaceReading, other: PlaceReading) -> bool:
    """Tell if two readings lie on one another."""
    apart = float(np.linalg.norm(reading.corners_px.mean(0) - other.corners_px.mean(0)))
    return apart < IMAGE.same_place * float(np.linalg.norm(other.corners_px[1] - other.corners_px[0]))


def _scaled(remembered: RememberedPlaces | None, image: Image) -> npt.NDArray[np.float32] | None:
    """The remembered places in the pixels of an image."""
    if remembered is None or not len(remembered.corners_px):
        return None
    scale = np.array([image.shape[1], image.shape[0]], np.float32) / np.array(remembered.size, np.float32)
    return np.asarray(remembered.corners_px * scale, np.float32)


def _remembered(places: Sequence[PlaceReading], size: tuple[int, int]) -> RememberedPlaces | None:
    """The places of a reading, where there are any that can be looked at again."""
    usable = [place.corners_px for place in places if place.state is not PlaceState.UNSURE or place.candidates]
    return RememberedPlaces(np.array(usable, np.float32), size) if usable else None
