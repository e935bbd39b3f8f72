"""Card manifests: photographs of the table with the cards on it, their readings, and the figures.

A card manifest is a CSV file (UTF-8, first line the columns) with `file` (relative to the manifest) and `cards`: the
contents of the places from left to right in the photograph, in the notation, `--` for an empty place of the mat and
`?` for anything else. A column `group` (phone, light, print) gives separate figures. Other columns are ignored.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.vision.cards.card_reading import PlaceState
from training.evaluate.datasets import ManifestError, columns_of, read_items
from training.evaluate.json_shape import AnyText, JsonShape
from training.evaluate.shares import Share, ShareShape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bunnymoose_cv.vision.cards.card_reader import CardReader
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, PlaceReading
    from bunnymoose_cv.vision.cards.deal import DealKnowledge
    from training.evaluate.datasets import Cells


COLUMNS: Final = frozenset(("file", "cards"))

EMPTY: Final = "--"
"""Truth of a place without a card."""

OTHER: Final = "?"
"""Truth of a place with something else on it, or a hand."""

NO_CARD: Final = frozenset((EMPTY, OTHER))
"""Truths of a place without a card."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """One photograph: its path, the contents of its places, its group."""

    image: Path
    places: tuple[str, ...]
    group: str


@dataclass(frozen=True, slots=True)
class CardManifest:
    """The usable lines, and one error for each other line."""

    rows: tuple[CardRow, ...]
    problems: tuple[ManifestError, ...]


def lists_cards(path: Path) -> bool:
    """Return whether a list has the columns of a card manifest; False if it cannot be read."""
    return columns_of(path) >= COLUMNS


def read_card_manifest(path: Path) -> CardManifest:
    """Read a card manifest.

    Raises:
        ManifestError: it cannot be read, or is not a CSV file.
    """
    return CardManifest(*read_items(path, _row))


def _row(path: Path, cells: Cells) -> CardRow:
    file, cards = cells.get("file"), cells.get("cards")
    if not file or not cards:
        raise ManifestError("a photograph needs its file and its cards")
    return CardRow(path.parent / file, tuple(map(_place, cards.split())), cells.get("group") or "")


def _place(word: str) -> str:
    if word in NO_CARD:
        return word
    try:
        return str(parse_card(word))
    except NotationError as error:
        raise ManifestError(f"{error}, nor {EMPTY} or {OTHER}") from None


def read_row(row: CardRow, reader: CardReader, deal: DealKnowledge) -> ImageOutcome:
    """Read a photograph and compare it with its truth.

    Raises:
        UnreadableError: the photograph cannot be read.
    """
    image = read_image(row.image)
    begun = time.perf_counter()
    reading = reader.read(image, deal=deal)
    seconds = time.perf_counter() - begun
    places, invented = compared(row.places, reading)
    return ImageOutcome(row.image.name, row.group, places, seconds=seconds, invented=invented)


def compared(truth: Sequence[str], reading: CardsReading) -> tuple[tuple[CardOutcome, ...], tuple[str, ...]]:
    """Compare the places of a reading with the truth, and return separately the faces read at none of its places.

    On the mat a place is compared with its own, and places after the last one of the truth are empty. Without a mat the
    cards are aligned in order, and the rest between two of them is paired if both sides have the same number.
    """
    if reading.mat_found:
        places = zip_longest(truth, reading.places)
        return tuple(_outcome(EMPTY if shows is None else shows, place) for shows, place in places), ()
    faces = [str(place.candidates[0].face) for place in reading.places]
    matched: dict[int, int] = {}
    for _, first, last, first_read, last_read in SequenceMatcher(None, truth, faces, autojunk=False).get_opcodes():
        matched |= _paired(truth, range(first, last), range(first_read, last_read))
    outcomes = tuple(
        _outcome(shows, reading.places[matched[index]] if index in matched else None)
        for index, shows in enumerate(truth)
    )
    left = sorted(set(range(len(faces))) - set(matched.values()))
    return outcomes, tuple(faces[index] for index in left)


def _paired(truth: Sequence[str], places: Sequence[int], read: Sequence[int]) -> dict[int, int]:
    """Pair the places of a stretch with its readings if the numbers agree, of all places or at least of the cards."""
    cards = [index for index in places if truth[index] not in NO_CARD]
    for fitting in (places, cards):
        if len(fitting) == len(read):
            return dict(zip(fitting, read, strict=True))
    return {}


def _outcome(shows: str, place: PlaceReading | None) -> CardOutcome:
    if place is None:
        return CardOutcome(shows, None)
    return CardOutcome(shows, place.state, tuple(str(candidate.face) for candidate in place.candidates))


@dataclass(frozen=True, slots=True)
class CardOutcome:
    """One place: its truth and its reading.

    Attributes:
        shows: notation of its card, `EMPTY` or `OTHER`.
        state: state that was read; None if the place was not found.
        offered: faces, likeliest first.
    """

    shows: str
    state: PlaceState | None
    offered: tuple[str, ...] = ()

    @property
    def is_card(self) -> bool:
        """Return whether the place has a card."""
        return self.shows not in NO_CARD

    @property
    def is_found(self) -> bool:
        """Return whether a card was found there, known or not."""
        return bool(self.offered)

    @property
    def is_right(self) -> bool:
        """Return whether the likeliest face is the right one."""
        return self.offered[:1] == (self.shows,)

    @property
    def is_as_shown(self) -> bool:
        """Return whether the right card was found there, or no card was found if the place has none."""
        return self.is_right if self.is_card else not self.is_found

    @property
    def is_sure(self) -> bool:
        """Return whether the card is accepted without a question."""
        return self.state is PlaceState.CARD


@dataclass(frozen=True, slots=True)
class ImageOutcome:
    """All places of one image, and other things that were read as a card.

    Attributes:
        things: number of other rectangles beside the row; None if they were not counted.
        things_taken: number of those that were read as a card.
        seconds: processing time of the image.
        invented: faces that were read outside the places of the truth.
    """

    name: str
    group: str
    places: tuple[CardOutcome, ...]
    things: int = 0
    things_taken: int = 0
    seconds: float = 0.0
    invented: tuple[str, ...] = ()

    @property
    def invents(self) -> bool:
        """Return whether a card was read in a place without one."""
        return bool(self.things_taken or self.invented) or any(p.is_found and not p.is_card for p in self.places)


@dataclass(frozen=True, slots=True)
class CardFigures:
    """Figures of a group of images; None for a share of nothing.

    Attributes:
        found: cards whose place was found.
        right: cards whose likeliest face is right.
        all_right: images with cards in which it is right for every card.
        asked: found cards that are not sure.
        offered: asked cards with the right face among the two likeliest.
        sure_wrong: cards surely read as another one.
        taken: other things, and empty places, that were read as a card, surely or not.
        invented: images with a card read in a place without one, surely or not, even if things were not counted.
        median_seconds: median processing time of an image.
    """

    images: int
    found: Share | None
    right: Share | None
    all_right: Share | None
    asked: Share | None
    offered: Share | None
    sure_wrong: Share | None
    taken: Share | None
    invented: Share | None
    median_seconds: float

    @property
    def shares(self) -> dict[str, Share | None]:
        """Return the shares by their names."""
        return {
            "found": self.found,
            "right": self.right,
            "all_right": self.all_right,
            "asked": self.asked,
            "offered": self.offered,
            "sure_wrong": self.sure_wrong,
            "taken": self.taken,
            "invented": self.invented,
        }


def card_figures(images: Sequence[ImageOutcome]) -> CardFigures:
    """Count the outcomes of one or more images."""
    places = [place for image in images for place in image.places]
    cards = [place for place in places if place.is_card]
    found = [card for card in cards if card.is_found]
    asked = [card for card in found if not card.is_sure]
    others = [place.is_found for place in places if not place.is_card]
    for image in images:
        others += [True] * image.things_taken + [False] * (image.things - image.things_taken)
    laid = [[place for place in image.places if place.is_card] for image in images]
    seconds = sorted(image.seconds for image in images)
    return CardFigures(
        len(images),
        Share.of(card.is_found for card in cards),
        Share.of(card.is_right for card in cards),
        Share.of(all(card.is_right for card in row) for row in laid if row),
        Share.of(not card.is_sure for card in found),
        Share.of(card.shows in card.offered[:2] for card in asked),
        Share.of(card.is_sure and not card.is_right for card in cards),
        Share.of(others),
        Share.of(image.invents for image in images),
        seconds[len(seconds) // 2],
    )


class PlaceShape(JsonShape):
    """One place. `state` is null if it was not found; `read` lists the likeliest face first."""

    truth: str
    state: str | None
    read: tuple[str, ...]
    right: bool

    @classmethod
    def of(cls, place: CardOutcome) -> Self:
        """Convert the reading of a place."""
        state = None if place.state is None else place.state.value
        return cls(truth=place.shows, state=state, read=place.offered, right=place.is_as_shown)


class PhotographShape(JsonShape):
    """One photograph; `invented` lists faces that were read in places without a card."""

    source: AnyText
    group: str
    places: tuple[PlaceShape, ...]
    invented: tuple[str, ...]
    seconds: float

    @classmethod
    def of(cls, image: ImageOutcome) -> Self:
        """Convert the reading of a photograph."""
        return cls(
            source=image.name,
            group=image.group,
            places=tuple(map(PlaceShape.of, image.places)),
            invented=image.invented,
            seconds=round(image.seconds, 3),
        )


class CardFiguresShape(JsonShape):
    """Figures of a group of photographs; a share of nothing is null."""

    found: ShareShape | None
    right: ShareShape | None
    all_right: ShareShape | None
    asked: ShareShape | None
    offered: ShareShape | None
    sure_wrong: ShareShape | None
    taken: ShareShape | None
    invented: ShareShape | None
    photographs: int
    median_s: float

    @classmethod
    def of(cls, figures: CardFigures) -> Self:
        """Convert the figures of a group."""
        shares = {name: None if share is None else ShareShape.of(share) for name, share in figures.shares.items()}
        return cls(**shares, photographs=figures.images, median_s=figures.median_seconds)


class AllFiguresShape(JsonShape):
    """Figures of all photographs, under an empty name, and of each group."""

    figures: dict[str, CardFiguresShape]
