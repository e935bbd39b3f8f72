"""Readings of the cards on a table: places, candidates with probabilities, and advice for a better image."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bunnymoose_cv.core.phrase import Phrase

CardFaceId = NewType("CardFaceId", str)
"""Face of the deck, identified by the card's notation, which is compared but never parsed here."""


class PlaceState(Enum):
    """State of a place. The values are those of `--json`."""

    CARD = "card"
    UNSURE = "unsure"
    EMPTY = "empty"
    COVERED = "covered"


class RetakeCause(Enum):
    """Measured cause of an unsure or covered place. The values are those of `--json`."""

    SMALL = "small"
    BLURRED = "blurred"
    DARK = "dark"
    REFLECTION = "reflection"
    FINGERS = "fingers"


@dataclass(frozen=True, slots=True)
class CardCandidate:
    """Face that a place may show, with its probability, 0 to 1."""

    face: CardFaceId
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class PlaceReading:
    """Reading of one place of the table.

    Attributes:
        place: number of the place, from 1, on the mat or in the remembered row; without either, from left to right.
        corners_px: corners of the card or of the place, shape (4, 2). Those of a card go clockwise from the top left of
            its face, so an upside-down card begins at its lower right in the image.
        candidates: the likeliest faces first: one if the card is known, one to four if it is unsure, otherwise none.
        cause: None if no cause was found.
    """

    place: int
    corners_px: npt.NDArray[np.float32]
    state: PlaceState
    candidates: tuple[CardCandidate, ...] = ()
    cause: RetakeCause | None = None

    @property
    def face(self) -> CardFaceId | None:
        """Face of the card; None unless it is known."""
        return self.candidates[0].face if self.state is PlaceState.CARD else None


@dataclass(frozen=True, slots=True, eq=False)
class RememberedPlaces:
    """Places in an earlier image of the same camera, which has not moved since.

    Attributes:
        corners_px: corners of the card-sized places, shape (places, 4, 2), clockwise, beginning with place 1.
        size: width and height of that image; one of another size is treated as the same view, scaled.
    """

    corners_px: npt.NDArray[np.float32]
    size: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class CardsReading:
    """Reading of all places of one image.

    Attributes:
        places: only those with a card if neither a mat nor remembered places give the others.
        size: width and height of the image.
        remembered: the places for the next image of a camera that does not move; None if none were found.
        advice: one sentence for each measured cause on how to take a better image; empty if every place is sure.
    """

    places: tuple[PlaceReading, ...]
    size: tuple[int, int]
    mat_found: bool
    remembered: RememberedPlaces | None = None
    advice: tuple[Phrase, ...] = ()

    @property
    def faces(self) -> tuple[CardFaceId, ...] | None:
        """Cards of all places that are not empty, by place; None while any is unsure or covered."""
        laid = [place for place in self.places if place.state is not PlaceState.EMPTY]
        known = tuple(place.face for place in laid if place.face is not None)
        return known if laid and len(known) == len(laid) else None
