"""Entry point of card reading: from one image to the cards on its places."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bunnymoose_cv.vision.cards.card_classifier import CardClassifier
from bunnymoose_cv.vision.cards.card_frame import card_height
from bunnymoose_cv.vision.cards.card_markers import find_mat
from bunnymoose_cv.vision.cards.card_reading import CardsReading, PlaceReading, PlaceState, RememberedPlaces
from bunnymoose_cv.vision.cards.card_settings import DECISION, IMAGE
from bunnymoose_cv.vision.cards.deal import DealKnowledge, agreed
from bunnymoose_cv.vision.cards.free_search import find_cards
from bunnymoose_cv.vision.cards.retake_cause import advice_for
from bunnymoose_cv.vision.detections import keep_first
from bunnymoose_cv.vision.geometry import shrink

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_reading import CardFaceId
    from bunnymoose_cv.vision.cards.enrolment import Enrolment

_Place = TypeVar("_Place")


class CardReader:
    """Reader of the cards of one enrolled deck. Construction prepares the features (seconds), reading is reentrant.

    The places of one image are read in parallel by `threads` threads.
    """

    def __init__(self, enrolment: Enrolment, threads: int = 2) -> None:
        self._threads = threads
        self._decision = CardClassifier(enrolment.faces)
        self._vocabulary = self._decision.keypoints.vocabulary()

    def read(
        self, image: Image, remembered: RememberedPlaces | None = None, deal: DealKnowledge | None = None
    ) -> CardsReading:
        """Read the cards in an upright image, blue-green-red, of any size.

        Args:
            remembered: the places of an earlier image of the same camera, used if no mat is seen; None to search.
        """
        small, scale = shrink(image, IMAGE.longest_px)
        deal = deal or DealKnowledge()
        places, mat_found = self._places(small, remembered, deal.possible)
        back = tuple(replace(place, corners_px=place.corners_px / scale) for place in agreed(places, deal))
        size = (image.shape[1], image.shape[0])
        return CardsReading(back, size, mat_found, _remembered(back, size), advice_for(back))

    def _places(
        self, image: Image, remembered: RememberedPlaces | None, possible: Collection[CardFaceId] | None
    ) -> tuple[tuple[PlaceReading, ...], bool]:
        """Read the places of the mat, the remembered places, or everything that looks like a card.

        Returns:
            the readings, and whether a mat was found.
        """
        of_mat = find_mat(image)
        corners = of_mat if of_mat is not None else _scaled(remembered, image)
        if corners is None:
            return self._found(image, possible), False
        reading = partial(self._decision.read, image, possible=possible)
        return tuple(self._each(lambda place: reading(*place), enumerate(corners, start=1))), of_mat is not None

    def _found(self, image: Image, possible: Collection[CardFaceId] | None) -> tuple[PlaceReading, ...]:
        """Find and read cards anywhere in the image, each once, from left to right."""
        reading = partial(self._decision.read, image, 0, possible=possible, least=DECISION.sure)
        read_cards = (read for read in self._each(reading, find_cards(image, self._vocabulary)) if read.candidates)
        found = keep_first(read_cards, _is_same)
        largest = max((card_height(read.corners_px) for read in found), default=0.0)
        found = [read for read in found if card_height(read.corners_px) > IMAGE.smallest * largest]
        found.sort(key=lambda read: float(read.corners_px[:, 0].mean()))
        return tuple(replace(read, place=number) for number, read in enumerate(found, start=1))

    def _each(self, read: Callable[[_Place], PlaceReading], places: Iterable[_Place]) -> list[PlaceReading]:
        """Read places in parallel. The libraries release the interpreter lock while they compute."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(read, places))


def _is_same(reading: PlaceReading, other: PlaceReading) -> bool:
    """Return whether two readings are at the same place."""
    apart = float(np.linalg.norm(reading.corners_px.mean(0) - other.corners_px.mean(0)))
    return apart < IMAGE.same_place * float(np.linalg.norm(other.corners_px[1] - other.corners_px[0]))


def _scaled(remembered: RememberedPlaces | None, image: Image) -> npt.NDArray[np.float32] | None:
    """Return the remembered places in pixels of an image, or None without such places."""
    if remembered is None or not len(remembered.corners_px):
        return None
    scale = np.array([image.shape[1], image.shape[0]], np.float32) / np.array(remembered.size, np.float32)
    return np.asarray(remembered.corners_px * scale, np.float32)


def _remembered(places: Sequence[PlaceReading], size: tuple[int, int]) -> RememberedPlaces | None:
    """Return the places that are worth reading again in the next image, if any."""
    usable = [place.corners_px for place in places if place.state is not PlaceState.UNSURE or place.candidates]
    return RememberedPlaces(np.array(usable, np.float32), size) if usable else None
