"""Confusion tables: what was read instead of what is shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Form, Side, Spread, Tongue, format_headgear
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from training.evaluate.evaluated import Evaluated
    from training.evaluate.reading import ReadPlayer
    from training.evaluate.truth import PlayerTruth


NOT_FOUND: Final = "not found"
"""Column of people who were not found."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """One table.

    Attributes:
        name: what was read.
        values: all that can be shown, in order.
        counts: how often what was shown, first, was read as what comes second, a value or `NOT_FOUND`.
    """

    name: str
    values: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]

    def row(self, shown: str) -> tuple[int, ...]:
        """Counts of each read value for a shown one, and last the count of not found."""
        return tuple(self.counts.get((shown, read), 0) for read in (*self.values, NOT_FOUND))


def confusions(images: Iterable[Evaluated]) -> tuple[Confusion, ...]:
    """The tables of all players whose whole pose is known, and of hands by themselves whose shape is.

    What lies in between two shapes is left out, and a table of which nothing was counted does not stand here.
    """
    images = tuple(images)
    players = [player for image in images for player in image.players]
    tables = (
        Confusion("headgear", tuple(map(format_headgear, HEADGEARS)), Counter(_headgears(players))),
        Confusion("animal", tuple(animal.value for animal in Animal), Counter(_animals(players))),
        Confusion("tongue", tuple(tongue.name.lower() for tongue in Tongue), Counter(_tongues(players))),
        Confusion("hand", tuple(_HANDS.values()), Counter(_hands(images))),
    )
    return tuple(table for table in tables if table.counts)


_HANDS: Final[Mapping[HeadgearFields, str]] = {
    HeadgearFields(Kind.ANTLER, spread=Spread.WIDE): "wide antler",
    HeadgearFields(Kind.ANTLER, spread=Spread.COMPACT): "compact antler",
    HeadgearFields(Kind.EAR, form=Form.STRAIGHT): "straight ear",
    HeadgearFields(Kind.EAR, form=Form.FLOPPY): "floppy ear",
    HeadgearFields(Kind.NEITHER): "neither",
}
"""Classes of a single hand; it has no direction and no place."""


def _hands(images: Iterable[Evaluated]) -> Iterator[tuple[str, str]]:
    for image in images:
        if isinstance(image.truth, HeadgearFields) and image.truth in _HANDS:
            read = image.read.fields if isinstance(image.read, ReadHeadgear) else None
            yield _HANDS[image.truth], NOT_FOUND if read is None else _HANDS[replace(read, direction=None)]


def _headgears(players: Iterable[tuple[PlayerTruth, ReadPlayer | None]]) -> Iterator[tuple[str, str]]:
    for truth, read in players:
        for side in Side:
            if truth.pose is not None and not truth.between.of(side):
                shown = format_headgear(truth.pose.headgear(side))
                yield shown, NOT_FOUND if read is None else format_headgear(read.pose.headgear(side))


def _animals(players: Iterable[tuple[PlayerTruth, ReadPlayer | None]]) -> Iterator[tuple[str, str]]:
    for truth, read in players:
        if truth.animal is not None and not truth.between:
            yield truth.animal.value, NOT_FOUND if read is None else read.pose.animal.value


def _tongues(players: Iterable[tuple[PlayerTruth, ReadPlayer | None]]) -> Iterator[tuple[str, str]]:
    for truth, read in players:
        if truth.tongue is not None and not truth.between.tongue:
            yield truth.tongue.name.lower(), NOT_FOUND if read is None else read.tongue.tongue.name.lower()
