"""Real people with their hands at or near the head: their labels, their readings, and the figures of both."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Side, Tongue, format_headgear
from training.evaluate.datasets import columns_of, read_items
from training.evaluate.json_shape import JsonShape
from training.evaluate.reading import ReadPlayer
from training.evaluate.shares import ClusteredShare, ShareShape
from training.evaluate.side_labels import SHAPES, Held, SideLabel, read_shapes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading
    from training.evaluate.datasets import Cells
    from training.evaluate.reading import ReadHeadgear
    from training.evaluate.side_labels import Shapes


MARKS: Final = frozenset({"person", "left", "right", "left_sure", "right_sure"})
"""Columns that distinguish a list of people from a manifest."""

COLUMNS: Final = ("file", "source", "tongue", *sorted(MARKS))
ALL: Final = "all"


class Category(Enum):
    """Category of a labelled player."""

    DOUBTFUL = "doubtful"
    HEADGEAR = "headgear"
    OTHER_HAND = "other hand"
    EMPTY = "empty"


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
        return Category.OTHER_HAND if any(side.held is Held.OTHER_HAND for side in sides) else Category.EMPTY


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The usable lines of a list of people, and one error for each other line."""

    rows: tuple[PersonRow, ...]
    problems: tuple[InputError, ...]


def lists_people(path: Path) -> bool:
    """Return whether a list has the columns of a list of people; False if it cannot be read."""
    return columns_of(path) >= MARKS


def read_people(path: Path) -> PeopleList:
    """Read a list of people, with the truth of `shapes.csv` if that is beside it.

    Raises:
        InputError: one of the two cannot be read at all.
    """
    people = PeopleList(*read_items(path, _row))
    listed = path.with_name(SHAPES)
    if not listed.is_file():
        return people
    shapes = read_shapes(listed)
    return PeopleList(tuple(_shaped(row, shapes) for row in people.rows), (*people.problems, *shapes.problems))


def _shaped(row: PersonRow, shapes: Shapes) -> PersonRow:
    sides = {side: label.by_shape(shapes.sides.get((row.name, side))) for side, label in row.sides.items()}
    return replace(row, sides=sides)


def _row(path: Path, row: Cells) -> PersonRow:
    cells = {column: row.get(column) or "" for column in COLUMNS}
    missing = [column for column in COLUMNS if not cells[column]]
    if missing:
        raise InputError(f"it has no {' and no '.join(missing)}")
    sides = {
        Side.LEFT: SideLabel.parse(cells["left"], cells["left_sure"]),
        Side.RIGHT: SideLabel.parse(cells["right"], cells["right_sure"]),
    }
    tongue = {"in": Tongue.IN, "out": Tongue.OUT}.get(cells["tongue"])
    return PersonRow(cells["file"], path.parent / cells["file"], cells["person"], cells["source"], sides, tongue)


@dataclass(frozen=True, slots=True)
class ReadPerson:
    """A labelled crop and the reading of its player; None if no player was found, which counts as asked and wrong."""

    row: PersonRow
    read: ReadPlayer | None

    @property
    def asks_headgear(self) -> bool:
        """Return whether the referee would ask about a field that a label gives."""
        read = self.read
        return read is None or any(label.asked(read.headgear(side)) for side, label in self.row.sides.items())

    @property
    def asks_tongue(self) -> bool:
        """Return whether the referee would ask about the tongue."""
        return self.read is None or self.read.tongue.unclear


def read_person(row: PersonRow, reader: Reader) -> ReadPerson:
    """Read a crop.

    Raises:
        InputError: the image is missing, damaged or not an image.
    """
    player = player_of(read_image(row.image), reader)
    return ReadPerson(row, None if player is None else ReadPlayer.of(player))


def player_of(image: Image, reader: Reader) -> PlayerReading | None:
    """Read the player nearest the centre of a crop, or return None if no player is found."""
    middle = image.shape[1] / 2, image.shape[0] / 2
    players = reader.read(image).players
    return min(players, key=lambda player: math.dist(player.player.head.centre, middle), default=None)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A side that is scored."""

    person: str
    label: SideLabel
    read: ReadHeadgear | None

    @property
    def kind_right(self) -> bool:
        return self.read is not None and self.read.fields.kind is self.label.fields.kind

    @property
    def right(self) -> bool:
        return self.read is not None and self.label.matches(self.read.fields)

    @property
    def sure(self) -> bool:
        return self.read is not None and not self.label.asked(self.read)


_Answer: TypeAlias = tuple[str, bool]
"""One answer about one person, by the person's name."""

_HELD: Final[Mapping[str, Held]] = {
    "antlers": Held.ANTLER,
    "ears": Held.EAR,
    "other hands": Held.OTHER_HAND,
    "empty sides": Held.EMPTY,
}


@dataclass(frozen=True, slots=True)
class PeopleFigures:
    """Figures over all crops, clustered by person. A figure without any case is left out.

    Attributes:
        persons: number of different people.
        shares: figures by name.
    """

    persons: int
    shares: Mapping[str, ClusteredShare]

    @classmethod
    def of(cls, people: Sequence[ReadPerson]) -> Self:
        """Count over all crops."""
        counted = _questions(people) | _sides(people)
        shares = {name: ClusteredShare.of_clusters(answers) for name, answers in counted.items()}
        found = {name: share for name, share in shares.items() if share is not None}
        return cls(len({person.row.person for person in people}), found)


def _questions(people: Sequence[ReadPerson]) -> dict[str, list[_Answer]]:
    counted = {"player found": [(person.row.person, person.read is not None) for person in people]}
    for category in (Category.HEADGEAR, Category.OTHER_HAND, Category.EMPTY):
        own = [person for person in people if person.row.category is category]
        counted[f"headgear asked: {category.value}"] = [(person.row.person, person.asks_headgear) for person in own]
        counted[f"any question: {category.value}"] = [
            (person.row.person, person.asks_headgear or person.asks_tongue) for person in own
        ]
    counted["tongue asked"] = [
        (person.row.person, person.asks_tongue) for person in people if person.row.tongue is not None
    ]
    return counted


def _sides(people: Iterable[ReadPerson]) -> dict[str, list[_Answer]]:
    sides = list(_judged(people))
    counted = {}
    for name, held in _HELD.items():
        counted[f"kind right: {name}"] = [(side.person, side.kind_right) for side in sides if side.label.held is held]
    for name, headgear in (("headgear", True), ("others", False)):
        own = [side for side in sides if side.label.holds_headgear is headgear]
        counted[f"surely wrong: {name}"] = [(judged.person, judged.sure and not judged.right) for judged in own]
        counted[f"surely wrong of the sure: {name}"] = [
            (judged.person, not judged.right) for judged in own if judged.sure
        ]
    return counted


def _judged(people: Iterable[ReadPerson]) -> Iterator[_Judged]:
    for person in people:
        for side, label in person.row.sides.items():
            if label.counts:
                read = None if person.read is None else person.read.headgear(side)
                yield _Judged(person.row.person, label, read)


def figures_by_source(people: Sequence[ReadPerson]) -> dict[str, PeopleFigures]:
    """Return the figures of all, then those of each source, the largest first."""
    sources: dict[str, list[ReadPerson]] = {}
    for person in people:
        sources.setdefault(person.row.source, []).append(person)
    by_size = sorted(sources.items(), key=lambda item: (-len(item[1]), item[0]))
    return {ALL: PeopleFigures.of(people)} | {name: PeopleFigures.of(own) for name, own in by_size}


def people_page(title: str, figures: Mapping[str, PeopleFigures]) -> str:
    """Return the figures as a page in Markdown."""
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


class ReadPoseShape(JsonShape):
    """A pose that was read."""

    left: str
    right: str
    tongue: str

    @classmethod
    def of(cls, read: ReadPlayer) -> Self:
        """Convert a reading."""
        return cls(
            left=format_headgear(read.pose.left),
            right=format_headgear(read.pose.right),
            tongue=read.tongue.tongue.name.lower(),
        )


class QuestionShape(JsonShape):
    """Questions about a player."""

    headgear: bool
    tongue: bool


class PersonShape(JsonShape):
    """One labelled crop; a side is null in `held` if it is not scored, `read` if no player was found."""

    id: str
    person: str
    source: str
    category: str
    truth: dict[str, str]
    held: dict[str, str | None]
    read: ReadPoseShape | None
    question: QuestionShape

    @classmethod
    def of(cls, person: ReadPerson) -> Self:
        """Convert a crop that was read."""
        row = person.row
        return cls(
            id=row.name,
            person=row.person,
            source=row.source,
            category=row.category.value,
            truth={side.name.lower(): label.text for side, label in row.sides.items()},
            held={side.name.lower(): label.held and label.held.value for side, label in row.sides.items()},
            read=None if person.read is None else ReadPoseShape.of(person.read),
            question=QuestionShape(headgear=person.asks_headgear, tongue=person.asks_tongue),
        )


class PeopleShape(JsonShape):
    """Figures of all people; each source has them beside its number of `persons`."""

    people: dict[str, ShareShape]
    persons: int
    sources: dict[str, dict[str, int | ShareShape]]

    @classmethod
    def of(cls, figures: Mapping[str, PeopleFigures]) -> Self:
        """Convert the figures of all, and of each source (`figures_by_source`)."""
        return cls(
            people=_shares(figures[ALL]),
            persons=figures[ALL].persons,
            sources={name: {"persons": own.persons, **_shares(own)} for name, own in figures.items() if name != ALL},
        )


def _shares(figures: PeopleFigures) -> dict[str, ShareShape]:
    return {name: ShareShape.of(share) for name, share in figures.shares.items()}
