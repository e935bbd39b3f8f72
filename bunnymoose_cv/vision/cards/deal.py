"""Knowledge about the deal that helps to read it: copies in the deck, cards known so far, who told them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bunnymoose_cv.vision.cards.card_reading import CardCandidate, CardFaceId, PlaceReading, PlaceState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A card that is known to lie on a place; `told` where a person said so, else seen in an earlier image."""

    face: CardFaceId
    told: bool = False


@dataclass(frozen=True, slots=True)
class DealKnowledge:
    """Prior knowledge about the deal, before an image is read.

    Attributes:
        copies: how many of each face the deck holds; a face that is not named cannot lie there. Empty: unknown.
        known: the card on top of a place, by its number.
        covered: faces that lie below the top cards, one entry a copy: they cannot lie on top again.
        next_place: the only place on which a card can have been laid since `known`, where cards are watched as they
            fall; None where any number of places may have changed.
    """

    copies: Mapping[CardFaceId, int] = field(default_factory=dict)
    known: Mapping[int, KnownCard] = field(default_factory=dict)
    covered: tuple[CardFaceId, ...] = ()
    next_place: int | None = None

    @property
    def possible(self) -> frozenset[CardFaceId] | None:
        """Faces of which a copy may still lie on top; None where the deck is unknown."""
        below = Counter(self.covered)
        return frozenset(face for face, count in self.copies.items() if count > below[face]) if self.copies else None


def agreed(places: Sequence[PlaceReading], deal: DealKnowledge) -> tuple[PlaceReading, ...]:
    """Make readings agree with the deal: what people told first, then the order, then the copies of the deck."""
    ordered = (_in_order(place, deal) for place in places)
    told = tuple(_with_told(place, deal.known.get(place.place)) for place in ordered)
    return _within_copies(told, deal)


def _with_told(place: PlaceReading, known: KnownCard | None) -> PlaceReading:
    """Let a person's word stand; offer both cards where the image surely shows another one."""
    if known is None or not known.told:
        return place
    if place.face is None or place.face == known.face:
        return replace(place, state=PlaceState.CARD, candidates=(CardCandidate(known.face, 1.0),), cause=None)
    both = (CardCandidate(known.face, 0.5), CardCandidate(place.face, 0.5))
    return replace(place, state=PlaceState.UNSURE, candidates=both, contradicts=known.face)


def _in_order(place: PlaceReading, deal: DealKnowledge) -> PlaceReading:
    """Ask where a card is seen on a place on which none can have been laid: one was missed."""
    known = deal.known.get(place.place)
    if deal.next_place is None or place.face is None or place.place == deal.next_place or known is None:
        return place
    if known.told or place.face == known.face:
        return place
    both = (*place.candidates, CardCandidate(known.face, 0.0))
    return replace(place, state=PlaceState.UNSURE, candidates=both)


def _within_copies(places: tuple[PlaceReading, ...], deal: DealKnowledge) -> tuple[PlaceReading, ...]:
    """Limit faces to the copies of the deck: the surplus is unsure, used-up faces are no candidates."""
    if not deal.copies:
        return places
    left = Counter(dict(deal.copies))
    left.subtract(Counter(deal.covered))
    seen = Counter(place.face for place in places if place.face is not None)
    too_many = {face for face, count in seen.items() if count > left[face]}
    used_up = {face for face, count in seen.items() if count >= left[face]}
    return tuple(_settled(place, deal, too_many, used_up) for place in places)


def _settled(
    place: PlaceReading, deal: DealKnowledge, too_many: Iterable[CardFaceId], used_up: Iterable[CardFaceId]
) -> PlaceReading:
    known = deal.known.get(place.place)
    if known is not None and known.told:
        return place
    if place.face is not None:
        return replace(place, state=PlaceState.UNSURE) if place.face in too_many else place
    still = tuple(candidate for candidate in place.candidates if candidate.face not in used_up)
    total = sum(candidate.probability for candidate in still)
    if not still or total <= 0:
        return place
    scaled = tuple(CardCandidate(candidate.face, candidate.probability / total) for candidate in still)
    return replace(place, candidates=scaled)
