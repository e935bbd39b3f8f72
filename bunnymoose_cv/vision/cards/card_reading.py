"""Readings of the cards on a table: places, candidates with probabilities, advice for a better image."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bunnymoose_cv.core.phrase import Phrase

CardFaceId = NewType("CardFaceId", str)
"""A face of the deck: the card's notation, compared and never parsed here."""


class PlaceState(Enum):
    """Kinds of answers about a place; the values are those of `--json`."""

    CARD = "card"
    UNSURE = "unsure"
    EMPTY = "empty"
    COVERED = "covered"


class RetakeCause(Enum):
    """Measured causes of a place that could not be read surely; the values are those of `--json`."""

    SMALL = "small"
    BLURRED = "blurred"
    DARK = "dark"
    REFLECTION = "reflection"
    FINGERS = "fingers"


@dataclass(frozen=True, slots=True)
class CardCandidate:
    """A face that a place may show, with its probability, 0 to 1."""

    face: CardFaceId
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class PlaceReading:
    """One place of the table.

    Attributes:
        place: its number from 1: that of the mat or of the remembered row, else from left to right in the image.
        corners_px: shape (4, 2), pixels of the image that was read. Of a card: clockwise from the top left corner of
            its face, so that an upside-down card begins at its lower right in the image. Else of the place.
        candidates: likeliest first: one where the card is known, one to four where unsure, else none.
        cause: the measured cause of an unsure or covered place, where there is one.
        contradicts: the face that a person told, where the image surely shows another one; the state is UNSURE then
            and both are candidates.
    """

    place: int
    corners_px: npt.NDArray[np.float32]
    state: PlaceState
    candidates: tuple[CardCandidate, ...] = ()
    cause: RetakeCause | None = None
    contradicts: CardFaceId | None = None

    @property
    def face(self) -> CardFaceId | None:
        """The card, where it is known."""
        return self.candidates[0].face if self.state is PlaceState.CARD else None


@dataclass(frozen=True, slots=True, eq=False)
class RememberedPlaces:
    """Places of an earlier image of the same camera, which has not moved since.

    Attributes:
        corners_px: card-sized, shape (places, 4, 2), clockwise, from place 1 on.
        size: width and height of that image; an image of another size is taken as the same view, scaled.
    """

    corners_px: npt.NDArray[np.float32]
    size: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class CardsReading:
    """All places of one image.

    Attributes:
        places: in the order of their numbers; only those with a card where no mat and no memory tells the others.
        size: width and height of the image, pixels.
        mat_found: whether the mat's markers gave the places.
        remembered: the places for the next image of a camera that does not move; None where too few were found.
        advice: sentences about a better image, each with its measured cause; none where every place is sure.
    """

    places: tuple[PlaceReading, ...]
    size: tuple[int, int]
    mat_found: bool
    remembered: RememberedPlaces | None = None
    advice: tuple[Phrase, ...] = ()

    @property
    def faces(self) -> tuple[CardFaceId, ...] | None:
        """The cards of all places that are not empty, by place; None while any is unsure or covered."""
        laid = [place for place in self.places if place.state is not PlaceState.EMPTY]
        known = tuple(place.face for place in laid if place.face is not None)
        return known if laid and len(known) == len(laid) else None
