"""Breakdowns of a set: confusion tables, groups of players, and the reliability of confidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Form, Side, Spread, Tongue, format_headgear
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.comparison import APART, Measure, Outcome, compare_player
from training.evaluate.datasets import LABELS, label_values
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear
from training.evaluate.shares import Share

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from training.evaluate.evaluated import Evaluated
    from training.evaluate.reading import ReadPlayer
    from training.evaluate.truth import PlayerTruth


NOT_FOUND: Final = "not found"
"""Column of people who were not found."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """One confusion table.

    Attributes:
        name: subject of the table.
        values: all values that can be shown, in order.
        counts: number of readings by the shown value and the read one, which may be `NOT_FOUND`.
    """

    name: str
    values: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]

    def row(self, shown: str) -> tuple[int, ...]:
        """Return the counts of each read value for a shown one, and last the count of not found."""
        return tuple(self.counts.get((shown, read), 0) for read in (*self.values, NOT_FOUND))


def confusions(images: Iterable[Evaluated]) -> tuple[Confusion, ...]:
    """Return the tables of all players whose whole pose is known, and of single hands whose shape is known.

    Shapes in between two values, and tables without any counts, are left out.
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
"""Classes of a single hand, which has no direction and no place."""


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


FACE_HEIGHTS_PX: Final = (0, 50, 80, 120, 180)
"""Lower bounds of the bands of face height, in pixels of the image."""


MEASURES: Final = (Measure.POSE, Measure.ANIMAL, Measure.HEADGEAR, Measure.TONGUE)
"""Metrics of a group, single players and rows together."""


@dataclass(frozen=True, slots=True)
class Group:
    """One group of players.

    Attributes:
        label: label of the manifest that makes the group, one of `LABELS`, or `face`.
        value: value that the players share.
        people: number of players.
        right: share of right readings of each of `MEASURES` that occurs in the group.
        sure_wrong: share of wrong readings among sure fields; None without sure fields.
    """

    label: str
    value: str
    people: int
    right: Mapping[Measure, Share]
    sure_wrong: Share | None


def groups(images: Iterable[Evaluated]) -> tuple[Group, ...]:
    """Return all groups of two people and more, in the order of `LABELS`, the size of the face last."""
    members: dict[tuple[str, str], list[tuple[Outcome, ...]]] = {}
    for image in images:
        for seat, (truth, read) in enumerate(image.players):
            outcomes = tuple(compare_player(truth, read, image.row.kind))
            for name in _names(image, seat, truth, read):
                members.setdefault(name, []).append(outcomes)
    order = [*LABELS, _FACE]
    named = sorted(members.items(), key=lambda item: (order.index(item[0][0]), _sort_key(item[0][1])))
    return tuple(_group(label, value, people) for (label, value), people in named if len(people) > 1)


_FACE = "face"


def _names(image: Evaluated, seat: int, truth: PlayerTruth, read: ReadPlayer | None) -> Iterator[tuple[str, str]]:
    """Yield the groups to which a player belongs."""
    for label in LABELS:
        if label in image.row.labels:
            yield label, label_values(image.row, label, len(image.players))[seat]
    face = truth.face or (None if read is None else read.face)
    if face is not None:
        yield _FACE, _band(face.height)


def _band(height: float) -> str:
    for low, high in pairwise(FACE_HEIGHTS_PX):
        if height < high:
            return f"{low} to {high} px"
    return f"{FACE_HEIGHTS_PX[-1]} px and more"


def _sort_key(value: str) -> tuple[int, str]:
    """Return a key that sorts numbers by their size."""
    first = value.split(maxsplit=1)[0] if value else ""
    return (int(first), value) if first.isdecimal() else (-1, value)


def _group(label: str, value: str, people: list[tuple[Outcome, ...]]) -> Group:
    outcomes = [outcome for own in people for outcome in own]
    shares = {m: Share.of(outcome.right for outcome in outcomes if outcome.measure is m) for m in MEASURES}
    sure = [outcome for outcome in outcomes if outcome.sure and outcome.measure not in APART]
    return Group(
        label,
        value,
        len(people),
        {measure: share for measure, share in shares.items() if share is not None},
        Share.of(not outcome.right for outcome in sure),
    )


BINS: Final = 10
"""Number of bins of equal width, from 0.5 to 1. Less sure values (a kind among three) are in the first one."""


_EVEN = 0.5


_MEASURES: Final[Mapping[str, frozenset[Measure]]] = {
    "kind": frozenset(
        {Measure.KIND, Measure.KIND_IN_ROWS, Measure.HAND_KIND, Measure.HEADGEAR_SIDE, Measure.NOTHING_SIDE}
    ),
    "spread": frozenset({Measure.SPREAD, Measure.SPREAD_IN_ROWS, Measure.HAND_SPREAD}),
    "direction": frozenset({Measure.DIRECTION, Measure.DIRECTION_IN_ROWS}),
    "form": frozenset({Measure.FORM, Measure.FORM_IN_ROWS, Measure.HAND_FORM}),
    "place": frozenset({Measure.PLACE, Measure.PLACE_IN_ROWS}),
    "tongue": frozenset(
        {
            Measure.TONGUE,
            Measure.TONGUE_IN_ROWS,
            Measure.TONGUE_ON_HEADS_WITH_HANDS,
            Measure.TONGUE_IN_GROUPS,
            Measure.MOUTH,
        }
    ),
}
"""Measures that compare each field."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings of similar confidence.

    Attributes:
        confidence: mean probability of the readings.
        right: share of right readings.
    """

    confidence: float
    right: Share


@dataclass(frozen=True, slots=True)
class Reliability:
    """Reliability of one field.

    Attributes:
        field: name of the field.
        bins: non-empty bins, least sure first.
    """

    field: str
    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """Expected calibration error: mean distance of confidence and rate over all readings, 0 to 1."""
        total = sum(own.right.total for own in self.bins)
        return sum(own.right.total * abs(own.confidence - own.right.rate) for own in self.bins) / total


def reliability(images: Iterable[Evaluated]) -> tuple[Reliability, ...]:
    """Return the reliability of every field that was read; shapes in between two values are left out."""
    outcomes = [outcome for image in images for outcome in image.outcomes]
    fields = []
    for field, measures in _MEASURES.items():
        read = [(o.confidence, o.right) for o in outcomes if o.measure in measures and o.confidence is not None]
        if read:
            fields.append(Reliability(field, _bins(read)))
    return tuple(fields)


def _bins(read: Sequence[tuple[float, bool]]) -> tuple[Bin, ...]:
    members: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in read:
        members.setdefault(_bin(confidence), []).append((confidence, right))
    return tuple(
        Bin(fmean(confidence for confidence, _ in own), Share(len(own), sum(right for _, right in own)))
        for _, own in sorted(members.items())
    )


def _bin(confidence: float) -> int:
    return min(BINS - 1, max(0, int((confidence - _EVEN) / (1 - _EVEN) * BINS)))
