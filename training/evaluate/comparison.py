"""Comparison of truth and reading, field by field.

A person who was not found counts as wrong in every field. `match` pairs truth and readings.

A field in between two shapes (half spread, half bent) is right if it is unclear or the nearer value was read. It counts
only as `between`; headgear, pose and animal that depend on it are not compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import Animal, Side
from bunnymoose_cv.rules.pose_fields import Field, HeadgearField
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.datasets import RowKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.rules.pose import Tongue
    from bunnymoose_cv.vision.geometry import Box
    from training.evaluate.headgear_fields import HeadgearFields
    from training.evaluate.reading import ReadHeadgear, ReadPeople, ReadPlayer, ReadTongue
    from training.evaluate.truth import PeopleTruth, PlayerTruth


SAME_FACE = 0.5
"""Overlap above which two boxes are the same face: intersection over the smaller box."""


def match(faces: Sequence[Box | None], read: ReadPeople) -> tuple[ReadPlayer | None, ...]:
    """Return the reading of each person of a truth; None for a person who was not found.

    Args:
        faces: true boxes of the faces from left to right; None for a face without a label.
        read: players that were found, from left to right.

    Returns:
        One reading for each of `faces`. Unless all places are known, players are paired by seat. If the numbers of
        faces and readings then differ, each reading is left None, since the pairs would be ambiguous.
    """
    places = [face for face in faces if face is not None]
    if len(places) == len(faces) and places:
        return _by_place(places, read)
    return read if len(read) == len(faces) else (None,) * len(faces)


def _by_place(faces: Sequence[Box], read: ReadPeople) -> tuple[ReadPlayer | None, ...]:
    """Pair by overlap, the best pair first and each person once."""
    pairs = sorted(
        product(range(len(faces)), range(len(read))),
        key=lambda pair: faces[pair[0]].intersection_over_smaller(read[pair[1]].face),
        reverse=True,
    )
    chosen: dict[int, int] = {}
    for face, found in pairs:
        if (
            face not in chosen
            and found not in chosen.values()
            and faces[face].intersection_over_smaller(read[found].face) > SAME_FACE
        ):
            chosen[face] = found
    return tuple(read[chosen[face]] if face in chosen else None for face in range(len(faces)))


class Measure(Enum):
    """Metrics. docs/accuracy/method.md defines when each counts and when it is right."""

    PLAYERS = "players"
    FACES_GROUP = "faces_group"
    FACES_CROWD = "faces_crowd"
    HAND_KIND = "hand_kind"
    HAND_SPREAD = "hand_spread"
    HAND_FORM = "hand_form"
    POSE = "pose"
    ANIMAL = "animal"
    HEADGEAR = "headgear"
    KIND = "kind"
    SPREAD = "spread"
    DIRECTION = "direction"
    FORM = "form"
    PLACE = "place"
    TONGUE = "tongue"
    POSE_IN_ROWS = "pose_in_rows"
    ANIMAL_IN_ROWS = "animal_in_rows"
    HEADGEAR_IN_ROWS = "headgear_in_rows"
    KIND_IN_ROWS = "kind_in_rows"
    SPREAD_IN_ROWS = "spread_in_rows"
    DIRECTION_IN_ROWS = "direction_in_rows"
    FORM_IN_ROWS = "form_in_rows"
    PLACE_IN_ROWS = "place_in_rows"
    TONGUE_IN_ROWS = "tongue_in_rows"
    BETWEEN = "between"
    HEADGEAR_PLACED = "headgear_placed"
    HEADGEAR_SEEN = "headgear_seen"
    HEADGEAR_SIDE = "headgear_side"
    NOTHING_SIDE = "nothing_side"
    NOT_HEADGEAR = "not_headgear"
    TONGUE_ON_HEADS_WITH_HANDS = "tongue_on_heads_with_hands"
    TONGUE_SHRUNK = "tongue_shrunk"
    TONGUE_IN_GROUPS = "tongue_in_groups"
    MOUTH = "mouth"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One comparison.

    Attributes:
        measure: compared field.
        right: whether the reading is right.
        sure: True if the reading needs no question; None without a reading, and for combinations of fields.
        confidence: probability that the reading gave its value, 0 to 1; None without a reading, and for combinations.
    """

    measure: Measure
    right: bool
    sure: bool | None = None
    confidence: float | None = None


APART = frozenset({Measure.BETWEEN, Measure.TONGUE_SHRUNK})
"""Metrics apart from sure and unclear fields, because they do not occur at the table or are counted already."""

LARGEST_GROUP = 5
"""Largest number of people at one table; in a crowd only the faces are counted."""

_HAND: Final[Mapping[HeadgearField, Measure]] = {
    Field.KIND: Measure.HAND_KIND,
    Field.SPREAD: Measure.HAND_SPREAD,
    Field.FORM: Measure.HAND_FORM,
}

_SIDE: Final[Mapping[HeadgearField, Measure]] = {
    Field.KIND: Measure.KIND,
    Field.SPREAD: Measure.SPREAD,
    Field.DIRECTION: Measure.DIRECTION,
    Field.FORM: Measure.FORM,
    Field.PLACE: Measure.PLACE,
}

_TONGUE = {RowKind.HEAD_HANDS: Measure.TONGUE_ON_HEADS_WITH_HANDS, RowKind.GROUP: Measure.TONGUE_IN_GROUPS}

_IN_ROWS = {
    Measure.POSE: Measure.POSE_IN_ROWS,
    Measure.ANIMAL: Measure.ANIMAL_IN_ROWS,
    Measure.HEADGEAR: Measure.HEADGEAR_IN_ROWS,
    Measure.KIND: Measure.KIND_IN_ROWS,
    Measure.SPREAD: Measure.SPREAD_IN_ROWS,
    Measure.DIRECTION: Measure.DIRECTION_IN_ROWS,
    Measure.FORM: Measure.FORM_IN_ROWS,
    Measure.PLACE: Measure.PLACE_IN_ROWS,
    Measure.TONGUE: Measure.TONGUE_IN_ROWS,
}


def compare_hand(truth: HeadgearFields, read: ReadHeadgear | None) -> tuple[Outcome, ...]:
    """Compare a single hand. One that was not found is wrong in every field."""
    return tuple(_fields(truth, read, _HAND))


def compare_mouth(truth: Tongue, read: ReadTongue) -> tuple[Outcome, ...]:
    """Compare a mouth in a crop of its face."""
    return (_mouth(Measure.MOUTH, truth, read),)


def compare_people(truth: PeopleTruth, read: ReadPeople, kind: RowKind) -> tuple[Outcome, ...]:
    """Compare the people of an image.

    Args:
        truth: players in the image.
        read: players that were found.
        kind: kind of the image, which decides the names of some measures.
    """
    people = len(truth.players)
    if people > LARGEST_GROUP:
        return tuple(Outcome(Measure.FACES_CROWD, face < len(read)) for face in range(people))
    outcomes = [Outcome(Measure.PLAYERS if people <= 1 else Measure.FACES_GROUP, len(read) == people)]
    names = _IN_ROWS if people > 1 else {}
    for player, own in pairs(truth, read):
        compared = compare_player(player, own, kind)
        outcomes.extend(replace(outcome, measure=names.get(outcome.measure, outcome.measure)) for outcome in compared)
    return tuple(outcomes)


def pairs(truth: PeopleTruth, read: ReadPeople) -> tuple[tuple[PlayerTruth, ReadPlayer | None], ...]:
    """Pair the players of a truth with their readings."""
    faces = [player.face for player in truth.players]
    return tuple(zip(truth.players, match(faces, read), strict=True))


def compare_player(truth: PlayerTruth, read: ReadPlayer | None, kind: RowKind) -> Iterator[Outcome]:
    """Compare one person, under the measures for single people."""
    yield from _together(truth, read, kind)
    for side in Side:
        own = None if read is None else read.headgear(side)
        yield from _side(truth.headgear(side), own, truth.between.of(side), kind)
        if kind in {RowKind.PLAYER, RowKind.SCENE}:
            yield from _found(truth.headgear(side), own, truth.between.of(side))
    yield from _tongues(truth, read, kind)


def _together(truth: PlayerTruth, read: ReadPlayer | None, kind: RowKind) -> Iterator[Outcome]:
    """Compare the combinations of both sides and the tongue."""
    if truth.between:
        return
    if truth.pose is not None:
        yield Outcome(Measure.POSE, read is not None and read.pose == truth.pose)
    if truth.animal is not None:
        no_headgear = kind is RowKind.HEAD_HANDS and truth.animal is Animal.BUSH
        measure = Measure.NOT_HEADGEAR if no_headgear else Measure.ANIMAL
        yield Outcome(measure, read is not None and read.pose.animal is truth.animal)


def _side(
    truth: HeadgearFields, read: ReadHeadgear | None, between: frozenset[HeadgearField], kind: RowKind
) -> Iterator[Outcome]:
    for field in between:
        yield _in_between(field, truth, read)
    if Field.KIND in between:
        return
    measures = {field: measure for field, measure in _SIDE.items() if field not in between}
    if kind is RowKind.HEAD_HANDS:
        measures |= {Field.KIND: Measure.NOTHING_SIDE if truth.kind is Kind.NEITHER else Measure.HEADGEAR_SIDE}
    elif truth.kind is not None and not between:
        yield Outcome(Measure.HEADGEAR, read is not None and read.fields == truth)
    yield from _fields(truth, read, measures)


def _in_between(field: HeadgearField, truth: HeadgearFields, read: ReadHeadgear | None) -> Outcome:
    """Compare a field in between two shapes. A question about the kind also covers the fields that depend on it."""
    if read is None:
        return Outcome(Measure.BETWEEN, right=False)
    asked = bool({field, Field.KIND} & read.unclear)
    right = asked or read.fields.value(field) is truth.value(field)
    return Outcome(Measure.BETWEEN, right, not asked, read.confidence.get(field))


def _found(truth: HeadgearFields, read: ReadHeadgear | None, between: frozenset[HeadgearField]) -> Iterator[Outcome]:
    """Compare whether a headgear was read as one at all, and whether that was right or at least asked about."""
    if truth.kind in {Kind.ANTLER, Kind.EAR} and Field.KIND not in between:
        seen = read is not None and read.fields.kind is not Kind.NEITHER
        yield Outcome(Measure.HEADGEAR_PLACED, seen or (read is not None and Field.KIND in read.unclear))
        yield Outcome(Measure.HEADGEAR_SEEN, seen)


def _tongues(truth: PlayerTruth, read: ReadPlayer | None, kind: RowKind) -> Iterator[Outcome]:
    if truth.tongue is None:
        return
    if truth.between.tongue:
        asked = read is not None and read.tongue.unclear
        right = read is not None and (asked or read.tongue.tongue is truth.tongue)
        yield Outcome(Measure.BETWEEN, right, None if read is None else not asked)
        return
    yield _mouth(_TONGUE.get(kind, Measure.TONGUE), truth.tongue, None if read is None else read.tongue)
    if read is not None and read.shrunk is not None:
        yield _mouth(Measure.TONGUE_SHRUNK, truth.tongue, read.shrunk)


def _mouth(measure: Measure, truth: Tongue, read: ReadTongue | None) -> Outcome:
    if read is None:
        return Outcome(measure, right=False)
    return Outcome(measure, read.tongue is truth, not read.unclear, read.confidence)


def _fields(
    truth: HeadgearFields, read: ReadHeadgear | None, measures: Mapping[HeadgearField, Measure]
) -> Iterator[Outcome]:
    """Compare every field that the truth gives. A reading without that field (an ear's spread) is wrong in it."""
    for field, measure in measures.items():
        expected = truth.value(field)
        value = None if read is None else read.fields.value(field)
        if expected is None:
            continue
        if read is None or value is None:
            yield Outcome(measure, right=False)
        else:
            yield Outcome(measure, value is expected, field not in read.unclear, read.confidence.get(field))
