"""What a picture shows against what was read of it, field by field. Owns neither labels nor pixels.

A person who was not found counts as wrong in every field, and so does everybody in a picture in which the number of
people found is not the number there are: nobody could say whose reading is whose.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.evaluation.manifest import RowKind
from bunnymoose_cv.rules.pose import Animal, Side
from bunnymoose_cv.vision.headgear import Field, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bunnymoose_cv.evaluation.fields import HeadgearFields
    from bunnymoose_cv.evaluation.reading import ReadHeadgear, ReadPeople, ReadPlayer
    from bunnymoose_cv.evaluation.truth import PeopleTruth, PlayerTruth


class Measure(Enum):
    """What is counted; docs/accuracy.md says of each what one count is and when it is right."""

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
    HEADGEAR_SIDE = "headgear_side"
    NOTHING_SIDE = "nothing_side"
    NOT_HEADGEAR = "not_headgear"
    TONGUE_ON_HEADS_WITH_HANDS = "tongue_on_heads_with_hands"
    TONGUE_IN_GROUPS = "tongue_in_groups"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One comparison.

    Attributes:
        measure: what was compared.
        right: whether the reading is right.
        sure: whether the reading was sure enough to stand alone; None where nothing of the sort was read, and for
            what several fields make together.
    """

    measure: Measure
    right: bool
    sure: bool | None = None


LARGEST_GROUP = 5
"""More people do not sit at one table; of a crowd only the faces are counted, and nobody knows whose is whose."""

_HAND = {Field.KIND: Measure.HAND_KIND, Field.SPREAD: Measure.HAND_SPREAD, Field.FORM: Measure.HAND_FORM}

_SIDE = {
    Field.KIND: Measure.KIND,
    Field.SPREAD: Measure.SPREAD,
    Field.DIRECTION: Measure.DIRECTION,
    Field.FORM: Measure.FORM,
    Field.PLACE: Measure.PLACE,
}

_TONGUE = {RowKind.HEAD_HANDS: Measure.TONGUE_ON_HEADS_WITH_HANDS, RowKind.GROUP: Measure.TONGUE_IN_GROUPS}


def compare_hand(truth: HeadgearFields, read: ReadHeadgear | None) -> tuple[Outcome, ...]:
    """Compare a hand by itself; one that was not found is wrong in every field."""
    return tuple(_fields(truth, read, _HAND))


def compare_people(truth: PeopleTruth, read: ReadPeople, kind: RowKind) -> tuple[Outcome, ...]:
    """Compare the people of a picture, seat by seat from left to right.

    Args:
        truth: who is there.
        read: who was found.
        kind: what the picture is for, which decides what some outcomes are called.
    """
    people = len(truth.players)
    if people > LARGEST_GROUP:
        return tuple(Outcome(Measure.FACES_CROWD, face < len(read)) for face in range(people))
    known: tuple[ReadPlayer | None, ...] = read if len(read) == people else (None,) * people
    outcomes = [Outcome(Measure.PLAYERS if people <= 1 else Measure.FACES_GROUP, len(read) == people)]
    for player, own in zip(truth.players, known, strict=True):
        outcomes.extend(_together(player, own, kind))
        for side in Side:
            outcomes.extend(_side(player.headgear(side), None if own is None else own.headgear(side), kind))
        outcomes.extend(_tongue(player, own, kind))
    return tuple(outcomes)


def _together(truth: PlayerTruth, read: ReadPlayer | None, kind: RowKind) -> Iterator[Outcome]:
    """What both sides and the tongue make together."""
    if truth.pose is not None:
        yield Outcome(Measure.POSE, read is not None and read.pose == truth.pose)
    if truth.animal is not None:
        no_headgear = kind is RowKind.HEAD_HANDS and truth.animal is Animal.BUSH
        measure = Measure.NOT_HEADGEAR if no_headgear else Measure.ANIMAL
        yield Outcome(measure, read is not None and read.pose.animal is truth.animal)


def _side(truth: HeadgearFields, read: ReadHeadgear | None, kind: RowKind) -> Iterator[Outcome]:
    measures = _SIDE
    if kind is RowKind.HEAD_HANDS:
        measures = _SIDE | {Field.KIND: Measure.NOTHING_SIDE if truth.kind is Kind.NEITHER else Measure.HEADGEAR_SIDE}
    elif truth.kind is not None:
        yield Outcome(Measure.HEADGEAR, read is not None and read.fields == truth)
    yield from _fields(truth, read, measures)


def _tongue(truth: PlayerTruth, read: ReadPlayer | None, kind: RowKind) -> Iterator[Outcome]:
    measure = _TONGUE.get(kind, Measure.TONGUE)
    if truth.tongue is not None:
        right = read is not None and read.pose.tongue is truth.tongue
        yield Outcome(measure, right, None if read is None else not read.tongue_unclear)


def _fields(truth: HeadgearFields, read: ReadHeadgear | None, measures: Mapping[Field, Measure]) -> Iterator[Outcome]:
    """Every field that the truth tells; a reading without that field (an ear's spread) is wrong in it."""
    for field, measure in measures.items():
        expected = truth.value(field)
        value = None if read is None else read.fields.value(field)
        if expected is not None:
            sure = None if read is None or value is None else field not in read.unclear
            yield Outcome(measure, value is expected, sure)
