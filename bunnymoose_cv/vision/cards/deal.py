"""Knowledge about the deal that helps to read it: the copies in the deck, and the cards known already."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.cards.card_reading import CardCandidate, CardFaceId, PlaceReading, PlaceState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class KnownCard:
    """Card that is known to lie on a place: entered by a user (`entered`), or seen in an earlier image."""

    face: CardFaceId
    entered: bool = False


@dataclass(frozen=True, slots=True)
class DealKnowledge:
    """Prior knowledge about the deal, before an image is read.

    Attributes:
        copies: number of copies of each face in the deck; empty if the deck is unknown.
        known: the top card of each place, by the number of the place.
        covered: the faces below the top cards, one entry per copy, which cannot lie on top again.
        next_place: the only place on which a card can have been laid since `known`; None if any may have changed.
    """

    copies: Mapping[CardFaceId, int] = field(default_factory=dict)
    known: Mapping[int, KnownCard] = field(default_factory=dict)
    covered: tuple[CardFaceId, ...] = ()
    next_place: int | None = None

    @property
    def possible(self) -> frozenset[CardFaceId] | None:
        """Faces of which a copy may still lie on top; None if the deck is unknown."""
        below = Counter(self.covered)
        return frozenset(face for face, count in self.copies.items() if count > below[face]) if self.copies else None


def agreed(places: Sequence[PlaceReading], deal: DealKnowledge) -> tuple[PlaceReading, ...]:
    """Reconcile readings with the deal: with entered cards first, then the order of dealing and the deck's copies."""
    ordered = (_in_order(place, deal) for place in places)
    entered = tuple(_with_entered(place, deal.known.get(place.place)) for place in ordered)
    return _within_copies(entered, deal)


def _with_entered(place: PlaceReading, known: KnownCard | None) -> PlaceReading:
    """Prefer the card that a user entered. If the image surely shows another card, offer both."""
    if known is None or not known.entered:
        return place
    if place.face is None or place.face == known.face:
        return replace(place, state=PlaceState.CARD, candidates=(CardCandidate(known.face, 1.0),), cause=None)
    both = (CardCandidate(known.face, 0.5), CardCandidate(place.face, 0.5))
    return replace(place, state=PlaceState.UNSURE, candidates=both)


def _in_order(place: PlaceReading, deal: DealKnowledge) -> PlaceReading:
    """Make a place unsure if it shows a new card although none can have been laid there: a card was missed."""
    known = deal.known.get(place.place)
    if known is None or known.entered or place.face in (None, known.face) or deal.next_place in (None, place.place):
        return place
    return replace(place, state=PlaceState.UNSURE, candidates=(*place.candidates, CardCandidate(known.face, 0.0)))


def _within_copies(places: tuple[PlaceReading, ...], deal: DealKnowledge) -> tuple[PlaceReading, ...]:
    """Limit faces to the copies of the deck. Surplus cards become unsure, and used-up faces are not candidates."""
    if not deal.copies:
        return places
    left = Counter(deal.copies)
    left.subtract(deal.covered)
    seen = Counter(place.face for place in places if place.face is not None)
    too_many = {face for face, count in seen.items() if count > left[face]}
    used_up = {face for face, count in seen.items() if count >= left[face]}
    return tuple(_settled(place, deal, too_many, used_up) for place in places)


def _settled(
    place: PlaceReading, deal: DealKnowledge, too_many: Iterable[CardFaceId], used_up: Iterable[CardFaceId]
) -> PlaceReading:
    known = deal.known.get(place.place)
    if known is not None and known.entered:
        return place
    if place.face is not None:
        return replace(place, state=PlaceState.UNSURE) if place.face in too_many else place
    still = tuple(candidate for candidate in place.candidates if candidate.face not in used_up)
    total = sum(candidate.probability for candidate in still)
    if total <= 0:
        return place
    scaled = tuple(replace(candidate, probability=candidate.probability / total) for candidate in still)
    return replace(place, candidates=scaled)
