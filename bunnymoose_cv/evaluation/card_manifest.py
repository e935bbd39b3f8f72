"""Card manifests: photographs of the table with the cards that lie there, what is read in them, and its figures.

A card manifest is a CSV file (UTF-8, first line the columns) with `file` (relative to the manifest) and `cards`: what
lies on the places from left to right in the photograph, in the notation, `--` for an empty place of the mat and `?`
where something else lies. A column `group` (phone, light, print) gives figures apart; further columns are passed over.
"""

from __future__ import annotations

import csv
import io
import time
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.text_file import read_text
from bunnymoose_cv.evaluation.datasets import ManifestError
from bunnymoose_cv.evaluation.shares import Share
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.vision.cards.card_reading import PlaceState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.vision.cards.card_reader import CardReader
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, PlaceReading
    from bunnymoose_cv.vision.cards.deal import DealKnowledge

COLUMNS: Final = frozenset(("file", "cards"))

EMPTY: Final = "--"
"""Truth of a place without a card."""

OTHER: Final = "?"
"""Truth of a place on which something else lies, or a hand."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """One photograph: where it lies, what is on its places, its group."""

    picture: Path
    places: tuple[str, ...]
    group: str


@dataclass(frozen=True, slots=True)
class CardManifest:
    """The usable lines, and one error for each other line."""

    rows: tuple[CardRow, ...]
    problems: tuple[ManifestError, ...]


def lists_cards(path: Path) -> bool:
    """Tell a card manifest by its columns; a file that cannot be read is none."""
    try:
        return set(next(csv.reader(read_text(path).splitlines()), ())) >= COLUMNS
    except (OSError, UnicodeDecodeError, csv.Error):
        return False


def read_card_manifest(path: Path) -> CardManifest:
    """Read a card manifest.

    Raises:
        ManifestError: it is no CSV file.
    """
    rows: list[CardRow] = []
    problems: list[ManifestError] = []
    try:
        reader = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
        lines = [(reader.line_num, cells) for cells in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ManifestError(f"{path} is no manifest: it must be a CSV file in UTF-8 ({error})") from error
    for number, cells in lines:
        try:
            rows.append(_row(path, cells))
        except ManifestError as problem:
            problems.append(ManifestError(f"Line {number} of {path}: {problem}"))
    return CardManifest(tuple(rows), tuple(problems))


def _row(path: Path, cells: Mapping[str, str | None]) -> CardRow:
    file, cards = cells["file"], cells["cards"]
    if not file or not cards:
        raise ManifestError("a photograph needs its file and its cards")
    return CardRow(path.parent / file, tuple(map(_place, cards.split())), cells.get("group") or "")


def _place(word: str) -> str:
    if word in (EMPTY, OTHER):
        return word
    try:
        return str(parse_card(word))
    except NotationError as error:
        raise ManifestError(f"{error}, nor {EMPTY} or {OTHER}") from None


def read_row(row: CardRow, reader: CardReader, deal: DealKnowledge) -> PictureOutcome:
    """Read a photograph and compare it with its truth.

    Raises:
        UnreadableError: the photograph cannot be read.
    """
    image = read_image(row.picture)
    begun = time.perf_counter()
    reading = reader.read(image, deal=deal)
    seconds = time.perf_counter() - begun
    places, taken = compared(row.places, reading)
    return PictureOutcome(row.picture.name, row.group, places, taken, taken, seconds)


def compared(truth: tuple[str, ...], reading: CardsReading) -> tuple[tuple[CardOutcome, ...], int]:
    """Compare the places of a reading with the truth, and count cards that were read where none lies.

    On the mat a place is compared with its own; without one the cards are, in their order.
    """
    if reading.mat_found:
        read: list[PlaceReading | None] = [*reading.places, *[None] * len(truth)]
        return tuple(_outcome(shows, place) for shows, place in zip(truth, read, strict=False)), 0
    cards = [shows for shows in truth if shows not in (EMPTY, OTHER)]
    faces = [str(place.candidates[0].face) for place in reading.places]
    matched: dict[int, PlaceReading] = {}
    if len(cards) == len(faces):
        matched = dict(enumerate(reading.places))
    else:
        for block in SequenceMatcher(None, cards, faces, autojunk=False).get_matching_blocks():
            matched |= {block.a + step: reading.places[block.b + step] for step in range(block.size)}
    outcomes = tuple(_outcome(shows, matched.get(index)) for index, shows in enumerate(cards))
    return outcomes, max(0, len(faces) - len(matched))


def _outcome(shows: str, place: PlaceReading | None) -> CardOutcome:
    if place is None:
        return CardOutcome(shows, None)
    return CardOutcome(shows, place.state, tuple(str(candidate.face) for candidate in place.candidates))


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
