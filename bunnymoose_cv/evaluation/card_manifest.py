"""Card manifests: photographs of the table with the cards that lie there, and what is read in them.

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
from bunnymoose_cv.evaluation.card_figures import EMPTY, OTHER, CardOutcome, PictureOutcome
from bunnymoose_cv.evaluation.datasets import ManifestError
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.pose import NotationError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bunnymoose_cv.vision.cards.card_reader import CardReader
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, PlaceReading
    from bunnymoose_cv.vision.cards.deal import DealKnowledge

COLUMNS: Final = frozenset(("file", "cards"))


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
