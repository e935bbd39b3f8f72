"""Knowledge about the deal that helps to read it: copies in the deck, cards known so far, who told them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.vision.cards.card_reading import FaceId


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A card that is known to lie on a place; `told` where a person said so, else seen in an earlier image."""

    face: FaceId
    told: bool = False


@dataclass(frozen=True, slots=True)
class DealKnowledge:
    """What is known before an image is read.

    Attributes:
        copies: how many of each face the deck holds; a face that is not named cannot lie there. Empty: unknown.
        known: the card on top of a place, by its number.
        covered: faces that lie below the top cards, one entry a copy: they cannot lie on top again.
        next_place: the only place on which a card can have been laid since `known`, where cards are watched as they
            fall; None where any number of places may have changed.
    """

    copies: Mapping[FaceId, int] = field(default_factory=dict)
    known: Mapping[int, KnownCard] = field(default_factory=dict)
    covered: tuple[FaceId, ...] = ()
    next_place: int | None = None
