"""Figures of card reading: places found, cards right, asked, sure and yet wrong, other things taken for a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.evaluation.metrics import Share
from bunnymoose_cv.vision.cards.card_reading import PlaceState

if TYPE_CHECKING:
    from collections.abc import Sequence

EMPTY: Final = "--"
"""Truth of a place without a card."""

OTHER: Final = "?"
"""Truth of a place on which something else lies, or a hand."""


@dataclass(frozen=True, slots=True)
class CardOutcome:
    """One place: its truth and what was read.

    Attributes:
        shows: notation of its card, `EMPTY` or `OTHER`.
        state: None where the place was not found.
        offered: faces, likeliest first.
    """

    shows: str
    state: PlaceState | None
    offered: tuple[str, ...] = ()

    @property
    def is_card(self) -> bool:
        """Tell if a card lies there."""
        return self.shows not in (EMPTY, OTHER)

    @property
    def is_found(self) -> bool:
        """Tell if a card was found there, known or not."""
        return bool(self.offered)

    @property
    def is_right(self) -> bool:
        """Tell if the likeliest face is the right one."""
        return self.offered[:1] == (self.shows,)

    @property
    def is_sure(self) -> bool:
        """Tell if the card counts without a question."""
        return self.state is PlaceState.CARD


@dataclass(frozen=True, slots=True)
class PictureOutcome:
    """All places of one picture, and what else was taken for a card.

    Attributes:
        things: how many other rectangles lay beside the row.
        things_taken: how many of them were taken for a card.
        seconds: from the picture to the answer.
    """

    name: str
    group: str
    places: tuple[CardOutcome, ...]
    things: int = 0
    things_taken: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CardFigures:
    """Figures of a group of pictures; None where nothing of the sort was looked at.

    Attributes:
        found: cards whose place was found.
        right: cards whose likeliest face is right.
        all_right: pictures with cards in which it is for every card.
        asked: cards found that are not known surely.
        offered: asked ones with the right face among the two likeliest.
        sure_wrong: cards surely read as another one.
        taken: other things, and empty places, taken for a card, surely or not.
        median_seconds: of one picture.
    """

    pictures: int
    found: Share | None
    right: Share | None
    all_right: Share | None
    asked: Share | None
    offered: Share | None
    sure_wrong: Share | None
    taken: Share | None
    median_seconds: float


def card_figures(pictures: Sequence[PictureOutcome]) -> CardFigures:
    """Count the outcomes of one or more pictures."""
    places = [place for picture in pictures for place in picture.places]
    cards = [place for place in places if place.is_card]
    found = [card for card in cards if card.is_found]
    asked = [card for card in found if not card.is_sure]
    others = [place.is_found for place in places if not place.is_card]
    for picture in pictures:
        others += [True] * picture.things_taken + [False] * (picture.things - picture.things_taken)
    laid = [[place for place in picture.places if place.is_card] for picture in pictures]
    seconds = sorted(picture.seconds for picture in pictures)
    return CardFigures(
        len(pictures),
        Share.of(card.is_found for card in cards),
        Share.of(card.is_right for card in cards),
        Share.of(all(card.is_right for card in row) for row in laid if row),
        Share.of(not card.is_sure for card in found),
        Share.of(card.shows in card.offered[:2] for card in asked),
        Share.of(card.is_sure and not card.is_right for card in cards),
        Share.of(others),
        seconds[len(seconds) // 2],
    )
