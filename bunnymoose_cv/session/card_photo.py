"""Photograph of the cards of a round: per pile the card, the question about it, and the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.rules.cards import Card, HunterCard, parse_card
from bunnymoose_cv.vision.cards.card_reading import CardFaceId, PlaceState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.core.phrase import Phrase
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, PlaceReading, RetakeCause

Corners = tuple[tuple[float, float], ...]
"""Four points of an image, each as shares of its width and height."""

MOST_OFFERED: Final = 2
"""Number of candidates offered for a tap; the picker offers all."""

HUNTER_FACE: Final = CardFaceId(str(HunterCard()))
"""Face of the hunter, as readings name it."""


@dataclass(frozen=True, slots=True)
class SeenPile:
    """Pile of a photograph.

    Attributes:
        corners: of its card or place; none where it was not found.
        card: that counts: surely seen, or told by a person; None while nobody knows.
        answers: cards to choose between, likeliest first; none where nothing needs to be asked.
        told: whether a person said which card it is.
        cause: why it could not be read surely, where that was measured.
    """

    number: int
    corners: Corners
    state: PlaceState
    card: Card | None
    answers: Table = ()
    told: bool = False
    cause: RetakeCause | None = None

    @property
    def asked(self) -> bool:
        """Tell if a person is needed."""
        return self.card is None or bool(self.answers)


@dataclass(frozen=True, slots=True, eq=False)
class CardPhoto:
    """Photograph of the cards of one round, kept in memory until the next round begins, and on no disk.

    Attributes:
        number: counted from 1 in one evening.
        jpeg: the upright image, encoded anew, so without any metadata.
        size: its width and height, pixels.
        found: how many cards were found; where that is not the number of piles nobody knows which pile is which.
    """

    number: int
    round_number: int
    jpeg: bytes
    size: tuple[int, int]
    piles: tuple[SeenPile, ...]
    found: int
    advice: tuple[Phrase, ...] = ()

    @property
    def complete(self) -> bool:
        """Tell if each pile has its place in the image."""
        return all(pile.corners for pile in self.piles) and self.found == len(self.piles)

    @property
    def cards(self) -> Table | None:
        """Cards of all piles; None while a person is needed for any."""
        known = tuple(pile.card for pile in self.piles if pile.card is not None and not pile.asked)
        return known if self.complete and len(known) == len(self.piles) else None

    def settled(self, number: int, card: Card) -> CardPhoto:
        """Copy of the photograph after a person said which card lies on a pile."""
        piles = tuple(
            replace(pile, card=card, answers=(), told=True) if pile.number == number else pile for pile in self.piles
        )
        return replace(self, piles=piles)

    def beside(self, table: Table) -> CardPhoto:
        """Compare with cards that stand already, from pile 1 on: differences are asked about, never overwritten."""
        standing = [*table, *(None for _ in self.piles)]
        return replace(self, piles=tuple(map(_beside, self.piles, standing)))


def seen_piles(reading: CardsReading, piles: int) -> tuple[tuple[SeenPile, ...], int]:
    """Take the places of an image for piles.

    Args:
        reading: of the image. With a mat its places are the piles; else the cards from left to right are.

    Returns:
        The piles, and how many cards were found.
    """
    places = _in_row(reading, piles)
    seen = [_read_pile(number, place, reading.size) for number, place in enumerate(places[:piles], 1)]
    missing = (SeenPile(number, (), PlaceState.EMPTY, None) for number in range(len(seen) + 1, piles + 1))
    return (*seen, *missing), len(places)


def hunters_apart(reading: CardsReading, piles: int) -> tuple[bool, Mapping[int, CardFaceId | None]]:
    """Tell if a hunter lies apart from the row, and the face of each pile of it; None where that is not sure."""
    places = _in_row(reading, piles)
    apart = any(place.face == HUNTER_FACE for place in reading.places if place not in places)
    return apart, {number: place.face for number, place in enumerate(places[:piles], 1)}


def _in_row(reading: CardsReading, piles: int) -> list[PlaceReading]:
    """Leave out empty places, where no mat numbers them, and hunters apart from the row."""
    places = [place for place in reading.places if reading.mat_found or place.state is not PlaceState.EMPTY]
    return _without_hunters(places, len(places) - piles) if len(places) > piles else places


def _read_pile(number: int, place: PlaceReading, size: tuple[int, int]) -> SeenPile:
    corners = tuple((float(x) / size[0], float(y) / size[1]) for x, y in place.corners_px)
    candidates = tuple(parse_card(each.face) for each in place.candidates)
    if place.state is PlaceState.CARD:
        return SeenPile(number, corners, place.state, candidates[0])
    return SeenPile(number, corners, place.state, None, candidates[:MOST_OFFERED], cause=place.cause)


def _without_hunters(places: Sequence[PlaceReading], surplus: int) -> list[PlaceReading]:
    """Leave out the hunters that ended the deal: they lie apart from the row, and cover no pile."""
    middles = [place.corners_px.mean(axis=0) for place in places]
    off_row = _distances_from_row(middles)
    hunters = [index for index, place in enumerate(places) if place.face == HUNTER_FACE]
    apart = set(sorted(hunters, key=lambda index: -off_row[index])[:surplus])
    return [place for index, place in enumerate(places) if index not in apart]


def _distances_from_row(middles: Sequence[np.ndarray]) -> list[float]:
    """Measure how far each point lies from the line through most of them (median of slopes and offsets)."""
    points = np.array(middles, np.float64)
    slopes = [
        (b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(points) for b in points[i + 1 :] if abs(b[0] - a[0]) > 1
    ]
    slope = float(np.median(slopes)) if slopes else 0.0
    offsets = points[:, 1] - slope * points[:, 0]
    return [abs(float(each)) for each in offsets - np.median(offsets)]


def _beside(pile: SeenPile, standing: Card | None) -> SeenPile:
    if standing is None or pile.told:
        return pile
    if pile.state is PlaceState.CARD and pile.card not in (None, standing):
        return replace(pile, card=standing, answers=(standing, pile.card))
    return replace(pile, card=standing, answers=(), told=True)
