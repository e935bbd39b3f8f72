"""Real people with their hands at or near the head: their labels, what is read of them, and the figures of both."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.evaluation.csv_list import columns_of, read_items
from bunnymoose_cv.evaluation.headgear_fields import HeadgearFields
from bunnymoose_cv.evaluation.reading import ReadPlayer
from bunnymoose_cv.evaluation.shares import ClusteredShare
from bunnymoose_cv.rules.pose import Direction, Form, Place, Side, Spread, Tongue
from bunnymoose_cv.vision.headgear.headgear_reading import FIELDS_OF_KIND, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.evaluation.csv_list import Cells
    from bunnymoose_cv.evaluation.reading import ReadHeadgear
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading


MARKS: Final = frozenset({"person", "left", "right", "left_sure", "right_sure"})
"""Columns by which a list of people is told from a manifest."""

COLUMNS: Final = ("file", "source", "tongue", *sorted(MARKS))
NOTHING, OTHER_HAND, OPEN = "--", "n", frozenset({"x", "open"})
ALL: Final = "all"


class Category(Enum):
    """Category of a labelled player."""

    DOUBTFUL = "doubtful"
    HEADGEAR = "headgear"
    OTHER_HAND = "other hand"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class SideLabel:
    """The label of one side of a head.

    Attributes:
        text: `WU` … `SF` with `?` for an open field, `--`, `n` (a hand that is no headgear), `x` or `open`.
        sure: false where a careful referee would hesitate.
        fields: what the text says; all None where it leaves the kind open.
    """

    text: str
    sure: bool
    fields: HeadgearFields

    @classmethod
    def parse(cls, text: str, sure: str) -> Self:
        """Read a label and the mark that it is sure.

        Raises:
            InputError: the text is no label.
        """
        if text in OPEN:
            return cls(text, sure == "1", HeadgearFields())
        if text in {NOTHING, OTHER_HAND}:
            return cls(text, sure == "1", HeadgearFields(Kind.NEITHER))
        return cls(text, sure == "1", _headgear(text))

    @property
    def counts(self) -> bool:
        """True if the side is compared."""
        return self.sure and self.text not in OPEN

    @property
    def holds_headgear(self) -> bool:
        """True for an antler or an ear."""
        return self.fields.kind in {Kind.ANTLER, Kind.EAR}

    def matches(self, read: HeadgearFields) -> bool:
        """Compare a reading with the kind and every field that the label tells."""
        fields = FIELDS_OF_KIND[self.fields.kind] if self.fields.kind else ()
        return all(self.fields.value(field) in {None, read.value(field)} for field in fields)


def _headgear(text: str) -> HeadgearFields:
    first, second = text[:1], text[1:]
    if first in {"W", "C", "?"} and second in {"U", "D"}:
        return HeadgearFields(Kind.ANTLER, None if first == "?" else Spread(first), Direction(second))
    if first in {"T", "S", "?"} and second in {"S", "F"}:
        return HeadgearFields(Kind.EAR, form=Form(second), place=None if first == "?" else Place(first))
    raise InputError(f"“{text}” is no label of a side: use our notation, --, n, x or open")


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One labelled crop; left and right are the player's own."""

    name: str
    image: Path
    person: str
    source: str
    sides: Mapping[Side, SideLabel]
    tongue: Tongue | None

    @property
    def category(self) -> Category:
        """Category of a player by the labels of both sides."""
        sides = self.sides.values()
        if not all(side.counts for side in sides):
            return Category.DOUBTFUL
        if any(side.holds_headgear for side in sides):
            return Category.HEADGEAR
        return Category.OTHER_HAND if any(side.text == OTHER_HAND for side in sides) else Category.EMPTY


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The usable lines of a list of people, and one error for each other line."""

    rows: tuple[PersonRow, ...]
    problems: tuple[InputError, ...]


def lists_people(path: Path) -> bool:
    """Tell a list of people from a manifest by its columns; a file that cannot be read is none."""
    return columns_of(path) >= MARKS


def read_people(path: Path) -> PeopleList:
    """Read a list of people.

    Raises:
        InputError: it cannot be read at all.
    """
    return PeopleList(*read_items(path, _row))


def _row(path: Path, cells: Cells) -> PersonRow:
    told = {column: cells.get(column) or "" for column in COLUMNS}
    missing = [column for column in COLUMNS if not told[column]]
    if missing:
        raise InputError(f"it has no {' and no '.join(missing)}")
    sides = {
        Side.LEFT: SideLabel.parse(told["left"], told["left_sure"]),
        Side.RIGHT: SideLabel.parse(told["right"], told["right_sure"]),
    }
    tongue = {"in": Tongue.IN, "out": Tongue.OUT}.get(told["tongue"])
    return PersonRow(told["file"], path.parent / told["file"], told["person"], told["source"], sides, tongue)


@dataclass(frozen=True, slots=True)
class ReadPerson:
    """A labelled crop and what was read of its player; None where no player was found."""

    row: PersonRow
    read: ReadPlayer | None

    @property
    def asks_headgear(self) -> bool:
        """Tell if a field of a side is asked about; a player who is not found is."""
        return self.read is None or bool(self.read.left.unclear or self.read.right.unclear)

    @property
    def asks_tongue(self) -> bool:
        """True if the tongue is asked about."""
        return self.read is None or self.read.tongue.unclear


def read_person(row: PersonRow, reader: Reader) -> ReadPerson:
    """Read a crop.

    Raises:
        InputError: the image is missing, damaged or no image.
    """
    player = player_of(read_image(row.image), reader)
    return ReadPerson(row, None if player is None else ReadPlayer.of(player))


def player_of(image: Image, reader: Reader) -> PlayerReading | None:
    """Read the player nearest the centre of a crop; None where nobody is found."""
    middle = image.shape[1] / 2, image.shape[0] / 2
    players = reader.read(image).players
    return min(players, key=lambda player: math.dist(player.player.head.centre, middle), default=None)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A side that is compared."""

    person: str
    label: SideLabel
    read: ReadHeadgear | None

    @property
    def kind(self) -> Kind | None:
        return None if self.read is None else self.read.fields.kind

    @property
    def kind_right(self) -> bool:
        return self.kind is self.label.fields.kind

    @property
    def told(self) -> bool:
        return self.kind in {Kind.ANTLER, Kind.EAR}

    @property
    def right(self) -> bool:
        return self.read is not None and self.label.matches(self.read.fields)

    @property
    def confident(self) -> bool:
        return self.read is not None and not self.read.unclear


_Answer: TypeAlias = tuple[str, bool]
"""One answer about one person, by name."""

_CLASSES: Final[Mapping[str, Callable[[SideLabel], bool]]] = {
    "antlers": lambda label: label.fields.kind is Kind.ANTLER,
    "ears": lambda label: label.fields.kind is Kind.EAR,
    "other hands": lambda label: label.text == OTHER_HAND,
    "nothing": lambda label: label.text == NOTHING,
}


@dataclass(frozen=True, slots=True)
class PeopleFigures:
    """Figures over all crops, clustered by person; a figure without a case is left out.

    Attributes:
        persons: how many people they show.
        shares: each figure by its name.
    """

    persons: int
    shares: Mapping[str, ClusteredShare]

    @classmethod
    def of(cls, people: Sequence[ReadPerson]) -> Self:
        """Count."""
        counted = _questions(people) | _sides(people)
        shares = {name: ClusteredShare.of_clusters(answers) for name, answers in counted.items()}
        found = {name: share for name, share in shares.items() if share is not None}
        return cls(len({person.row.person for person in people}), found)


def _questions(people: Sequence[ReadPerson]) -> dict[str, list[_Answer]]:
    counted = {"player found": [(each.row.person, each.read is not None) for each in people]}
    for category in Category:
        own = [each for each in people if each.row.category is category]
        counted[f"headgear asked: {category.value}"] = [(each.row.person, each.asks_headgear) for each in own]
        counted[f"any question: {category.value}"] = [
            (each.row.person, each.asks_headgear or each.asks_tongue) for each in own
        ]
    counted["tongue asked"] = [(each.row.person, each.asks_tongue) for each in people if each.row.tongue is not None]
    return counted


def _sides(people: Iterable[ReadPerson]) -> dict[str, list[_Answer]]:
    sides = list(_judged(people))
    headgear = [side for side in sides if side.label.holds_headgear]
    counted = {
        "kind right": [(side.person, side.kind_right) for side in sides],
        "whole side right": [(side.person, side.right) for side in sides],
    }
    for name, belongs in _CLASSES.items():
        counted[f"kind right: {name}"] = [(side.person, side.kind_right) for side in sides if belongs(side.label)]
    for name in ("antlers", "ears"):
        own = [side for side in headgear if _CLASSES[name](side.label)]
        counted[f"told as headgear: {name}"] = [(side.person, side.told) for side in own]
        counted[f"whole headgear right: {name}"] = [(side.person, side.right) for side in own]
    counted["headgear invented"] = [(side.person, side.told) for side in sides if not side.label.holds_headgear]
    counted["confident"] = [(side.person, side.confident) for side in sides]
    counted["confident and wrong"] = [(side.person, not side.right) for side in sides if side.confident]
    sure_headgear = [side for side in headgear if side.confident]
    counted["confident and wrong: sides with headgear"] = [(side.person, not side.right) for side in sure_headgear]
    return counted


def _judged(people: Iterable[ReadPerson]) -> Iterator[_Judged]:
    for person in people:
        for side, label in person.row.sides.items():
            if label.counts:
                read = None if person.read is None else person.read.headgear(side)
                yield _Judged(person.row.person, label, read)


def figures_by_source(people: Sequence[ReadPerson]) -> dict[str, PeopleFigures]:
    """The figures of all, then those of each source, the largest first."""
    sources: dict[str, list[ReadPerson]] = {}
    for person in people:
        sources.setdefault(person.row.source, []).append(person)
    by_size = sorted(sources.items(), key=lambda each: (-len(each[1]), each[0]))
    return {ALL: PeopleFigures.of(people)} | {name: PeopleFigures.of(own) for name, own in by_size}


def people_page(title: str, figures: Mapping[str, PeopleFigures]) -> str:
    """The figures as a page in Markdown."""
    parts = [f"# {title}\n"]
    for name, own in figures.items():
        parts.append(
            f"## {name} ({own.persons} persons)\n\n| figure | count | n | rate | 95 % interval |\n|---|---|---|---|---|"
        )
        for figure, share in own.shares.items():
            low, high = share.interval
            parts.append(f"| {figure} | {share.count} | {share.total} | {share.rate:.1%} | {low:.1%} – {high:.1%} |")
        parts.append("")
    return "\n".join(parts)
