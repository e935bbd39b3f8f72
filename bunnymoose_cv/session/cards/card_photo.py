"""Photograph of the cards of a round: for each pile the card, the question about it, and the answer."""

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
"""Four points of an image, as fractions of its width and height."""

MOST_OFFERED: Final = 2
"""Number of candidates offered for one tap; the picker offers all cards."""

HUNTER_FACE: Final = CardFaceId(str(HunterCard()))


@dataclass(frozen=True, slots=True)
class SeenPile:
    """Pile of a photograph.

    Attributes:
        corners: the corners of its card or place; empty if it was not found.
        card: the card that counts, surely seen or entered by a person; None while it is unknown.
        answers: the cards to choose between, likeliest first; empty if there is nothing to ask.
        entered: whether a person entered the card.
        cause: the measured reason why it could not be read surely; None if it is unknown.
    """

    number: int
    corners: Corners
    state: PlaceState
    card: Card | None
    answers: Table = ()
    entered: bool = False
    cause: RetakeCause | None = None

    @property
    def asked(self) -> bool:
        """Return whether a person is needed."""
        return self.card is None or bool(self.answers)


@dataclass(frozen=True, slots=True, eq=False)
class CardPhoto:
    """Photograph of the cards of one round, kept only in memory and until the next round begins.

    Attributes:
        number: the number of the photograph in this evening, from 1.
        jpeg: the upright image, re-encoded and so without metadata.
        size: the width and height, pixels.
        found: the number of cards found; if it differs from the number of piles, the piles are not identified.
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
        """Return whether each pile has its place in the image."""
        return all(pile.corners for pile in self.piles) and self.found == len(self.piles)

    @property
    def cards(self) -> Table | None:
        """Cards of all piles; None while any pile needs a person."""
        known = tuple(pile.card for pile in self.piles if pile.card is not None and not pile.asked)
        return known if self.complete and len(known) == len(self.piles) else None

    def settled(self, number: int, card: Card) -> CardPhoto:
        """Return a copy of the photograph in which a person has set the card of a pile."""
        piles = tuple(
            replace(pile, card=card, answers=(), entered=True) if pile.number == number else pile for pile in self.piles
        )
        return replace(self, piles=piles)

    def beside(self, table: Table) -> CardPhoto:
        """Compare with the known cards, from pile 1 on; differences are asked about, never overwritten."""
        known = [*table, *(None for _ in self.piles)]
        return replace(self, piles=tuple(map(_beside, self.piles, known)))


def seen_piles(reading: CardsReading, piles: int) -> tuple[tuple[SeenPile, ...], int]:
    """Return the piles of an image, and the number of cards found.

    The piles are the places of the mat or, without one, the cards from left to right.
    """
    places = _in_row(reading, piles)
    seen = [_read_pile(number, place, reading.size) for number, place in enumerate(places[:piles], 1)]
    missing = (SeenPile(number, (), PlaceState.EMPTY, None) for number in range(len(seen) + 1, piles + 1))
    return (*seen, *missing), len(places)


def hunters_apart(reading: CardsReading, piles: int) -> tuple[bool, Mapping[int, CardFaceId | None]]:
    """Return whether a hunter lies apart from the row, and the face of each pile; None if a face is not sure."""
    places = _in_row(reading, piles)
    apart = any(place.face == HUNTER_FACE for place in reading.places if place not in places)
    return apart, {number: place.face for number, place in enumerate(places[:piles], 1)}


def _in_row(reading: CardsReading, piles: int) -> list[PlaceReading]:
    """Return the places without hunters apart from the row and, without a mat, without empty places."""
    places = [place for place in reading.places if reading.mat_found or place.state is not PlaceState.EMPTY]
    return _without_hunters(places, len(places) - piles) if len(places) > piles else places


def _read_pile(number: int, place: PlaceReading, size: tuple[int, int]) -> SeenPile:
    corners = tuple((float(x) / size[0], float(y) / size[1]) for x, y in place.corners_px)
    candidates = tuple(parse_card(candidate.face) for candidate in place.candidates)
    if place.state is PlaceState.CARD:
        return SeenPile(number, corners, place.state, candidates[0])
    return SeenPile(number, corners, place.state, None, candidates[:MOST_OFFERED], cause=place.cause)


def _without_hunters(places: Sequence[PlaceReading], surplus: int) -> list[PlaceReading]:
    """Remove the hunters that ended the deal, which lie apart from the row and cover no pile."""
    middles = [place.corners_px.mean(axis=0) for place in places]
    off_row = _distances_from_row(middles)
    hunters = [index for index, place in enumerate(places) if place.face == HUNTER_FACE]
    apart = set(sorted(hunters, key=lambda index: -off_row[index])[:surplus])
    return [place for index, place in enumerate(places) if index not in apart]


def _distances_from_row(middles: Sequence[np.ndarray]) -> list[float]:
    """Return the distance of each point from the line through most of them (median of slopes and offsets)."""
    points = np.array(middles, np.float64)
    slopes = [
        (b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(points) for b in points[i + 1 :] if abs(b[0] - a[0]) > 1
    ]
    slope = float(np.median(slopes)) if slopes else 0.0
    offsets = points[:, 1] - slope * points[:, 0]
    return [abs(float(offset)) for offset in offsets - np.median(offsets)]


def _beside(pile: SeenPile, known: Card | None) -> SeenPile:
    if known is None or pile.entered:
        return pile
    if pile.state is PlaceState.CARD and pile.card not in (None, known):
        return replace(pile, card=known, answers=(known, pile.card))
    return replace(pile, card=known, answers=(), entered=True)
