"""Metrics over labelled images: confusion, groups, reliability, sources, mistakes.

A part of a set has the same value of a label, or of several.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.evaluation.comparison import (
    APART,
    LARGEST_GROUP,
    Measure,
    Outcome,
    compare_hand,
    compare_mouth,
    compare_people,
    compare_player,
    pairs,
)
from bunnymoose_cv.evaluation.csv_list import ManifestError
from bunnymoose_cv.evaluation.datasets import HeadgearFields
from bunnymoose_cv.evaluation.reading import ReadHeadgear, ReadTongue, read_hands, read_row
from bunnymoose_cv.evaluation.shares import Share
from bunnymoose_cv.evaluation.truth import PeopleTruth, PlayerTruth, truth_of
from bunnymoose_cv.rules.pose import HEADGEARS, Animal, Form, Side, Spread, Tongue, format_headgear
from bunnymoose_cv.vision.headgear.headgear_reading import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bunnymoose_cv.evaluation.datasets import LabelledHand, Row
    from bunnymoose_cv.evaluation.reading import HeldOutTongues, Read, ReadPlayer
    from bunnymoose_cv.evaluation.truth import Truth
    from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
    from bunnymoose_cv.vision.reader import Reader

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


def confusions(pictures: Iterable[Evaluated]) -> tuple[Confusion, ...]:
    """The tables of all players whose whole pose is known, and of hands by themselves whose shape is.

    What lies in between two shapes is left out, and a table of which nothing was counted does not stand here.
    """
    pictures = tuple(pictures)
    players = [player for picture in pictures for player in picture.players]
    tables = (
        Confusion("headgear", tuple(map(format_headgear, HEADGEARS)), Counter(_headgears(players))),
        Confusion("animal", tuple(animal.value for animal in Animal), Counter(_animals(players))),
        Confusion("tongue", tuple(tongue.name.lower() for tongue in Tongue), Counter(_tongues(players))),
        Confusion("hand", tuple(_HANDS.values()), Counter(_hands(pictures))),
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


def _hands(pictures: Iterable[Evaluated]) -> Iterator[tuple[str, str]]:
    for picture in pictures:
        if isinstance(picture.truth, HeadgearFields) and picture.truth in _HANDS:
            read = picture.read.fields if isinstance(picture.read, ReadHeadgear) else None
            yield _HANDS[picture.truth], NOT_FOUND if read is None else _HANDS[replace(read, direction=None)]


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


LABELS: Final = ("light", "skin", "age", "glasses", "hat", "hair", "beard", "bush", "mouth")
"""Labels of the manifest that make groups."""

FACE_HEIGHTS_PX: Final = (0, 50, 80, 120, 180)
"""Lower bounds of the bands of face height, in pixels of the image."""

MEASURES: Final = (Measure.POSE, Measure.ANIMAL, Measure.HEADGEAR, Measure.TONGUE)
"""Metrics of a group, single players and rows together."""


@dataclass(frozen=True, slots=True)
class Group:
    """One group of players.

    Attributes:
        label: by what they are told apart, one of `LABELS` or `face`.
        value: what these have in common.
        people: how many they are.
        right: how often each of `MEASURES` is right; those that nobody of the group has do not stand here.
        sure_wrong: of the fields that were sure, how many are wrong; None if there were none.
    """

    label: str
    value: str
    people: int
    right: Mapping[Measure, Share]
    sure_wrong: Share | None


def groups(pictures: Iterable[Evaluated]) -> tuple[Group, ...]:
    """All groups of two people and more, in the order of `LABELS`, the size of the face last."""
    members: dict[tuple[str, str], list[tuple[Outcome, ...]]] = {}
    for picture in pictures:
        for seat, (truth, read) in enumerate(picture.players):
            outcomes = tuple(compare_player(truth, read, picture.row.kind))
            for name in _names(picture, seat, truth, read):
                members.setdefault(name, []).append(outcomes)
    order = [*LABELS, _FACE]
    named = sorted(members.items(), key=lambda item: (order.index(item[0][0]), _sort_key(item[0][1])))
    return tuple(_group(label, value, people) for (label, value), people in named if len(people) > 1)


_FACE = "face"


def _names(picture: Evaluated, seat: int, truth: PlayerTruth, read: ReadPlayer | None) -> Iterator[tuple[str, str]]:
    """The groups to which a player belongs."""
    for label in LABELS:
        if label in picture.row.labels:
            yield label, _values(picture.row, label, len(picture.players))[seat]
    face = truth.face or (None if read is None else read.face)
    if face is not None:
        yield _FACE, _band(face.height)


def _values(row: Row, label: str, players: int) -> list[str]:
    """The value of a label for each player: one for everybody, or one for each seat."""
    values = row.labels[label].split("/")
    if len(values) not in {1, players}:
        raise ManifestError(
            f"Line {row.line} of the manifest ({row.name}) has {label}= for {len(values)} seats and {players} people:"
            " write one value, or one for each"
        )
    return values if len(values) == players else values * players


def _check_group_labels(row: Row, players: int) -> None:
    for label in LABELS:
        if label in row.labels:
            _values(row, label, players)


def _band(height: float) -> str:
    for low, high in pairwise(FACE_HEIGHTS_PX):
        if height < high:
            return f"{low} to {high} px"
    return f"{FACE_HEIGHTS_PX[-1]} px and more"


def _sort_key(value: str) -> tuple[int, str]:
    """Numbers by their size."""
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
"""Of equal width, from even (0.5) to certain (1); what is less sure than even, a kind among three, is in the first."""

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
"""Each field with the measures that compare it."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings that are about equally sure.

    Attributes:
        confidence: their mean probability.
        right: how many of them are right.
    """

    confidence: float
    right: Share


@dataclass(frozen=True, slots=True)
class Reliability:
    """One field.

    Attributes:
        field: its name.
        bins: from the least sure to the surest; empty ones do not stand here.
    """

    field: str
    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """Expected calibration error: mean distance of confidence and rate over all readings, 0 to 1."""
        total = sum(own.right.total for own in self.bins)
        return sum(own.right.total * abs(own.confidence - own.right.rate) for own in self.bins) / total


def reliability(pictures: Iterable[Evaluated]) -> tuple[Reliability, ...]:
    """Every field that was read at all; what lies in between two shapes is left out."""
    outcomes = [outcome for picture in pictures for outcome in picture.outcomes]
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


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One labelled picture.

    Attributes:
        row: its line of the manifest.
        truth: what it shows.
        read: what was read.
        outcomes: how the two compare.
        left_out: whom it shows, if a net that has not seen them read the tongue; None if the shipped one did.
    """

    row: Row
    truth: Truth
    read: Read
    outcomes: tuple[Outcome, ...]
    left_out: str | None

    @property
    def right(self) -> dict[Measure, bool]:
        """For each measure whether everything in this picture is right, in the order of `Measure`."""
        return {
            measure: all(outcome.right for outcome in self.outcomes if outcome.measure is measure)
            for measure in Measure
            if any(outcome.measure is measure for outcome in self.outcomes)
        }

    @property
    def players(self) -> tuple[tuple[PlayerTruth, ReadPlayer | None], ...]:
        """Players of the truth of a picture of at most five, with what was read of them; left to right."""
        if not isinstance(self.truth, PeopleTruth) or not isinstance(self.read, tuple):
            return ()
        return pairs(self.truth, self.read) if len(self.truth.players) <= LARGEST_GROUP else ()


@dataclass(frozen=True, slots=True)
class Figures:
    """Metrics over all images; fields in between two shapes, and heads shrunk, stand apart from the others.

    Attributes:
        right: how often each measure is right; measures that no picture has do not stand here.
        sure_wrong: of the fields that were sure enough to stand alone, how many are wrong; None if there were none.
        unclear: of all fields that were read, how many a person would be asked about; None if there were none.
        unclear_between: the same of the fields in between two shapes; None if there were none.
        people_left_out: how many people's tongues were read by nets that have not seen them (reading.py).
        confusions: what was read instead of what is shown.
        groups: how often each group of players is right.
        reliability: whether confidence means what it says.
    """

    right: Mapping[Measure, Share]
    sure_wrong: Share | None
    unclear: Share | None
    unclear_between: Share | None
    people_left_out: int
    confusions: tuple[Confusion, ...]
    groups: tuple[Group, ...]
    reliability: tuple[Reliability, ...]

    @classmethod
    def of(cls, pictures: Iterable[Evaluated]) -> Figures:
        """Add up."""
        pictures = tuple(pictures)
        outcomes = [outcome for picture in pictures for outcome in picture.outcomes]
        shares = {m: Share.of(outcome.right for outcome in outcomes if outcome.measure is m) for m in Measure}
        read = [outcome for outcome in outcomes if outcome.sure is not None]
        plain = [outcome for outcome in read if outcome.measure not in APART]
        return cls(
            {measure: share for measure, share in shares.items() if share is not None},
            Share.of(not outcome.right for outcome in plain if outcome.sure),
            Share.of(not outcome.sure for outcome in plain),
            Share.of(not outcome.sure for outcome in read if outcome.measure is Measure.BETWEEN),
            len({picture.left_out for picture in pictures} - {None}),
            confusions(pictures),
            groups(pictures),
            reliability(pictures),
        )


def evaluate(row: Row, reader: Reader, left_out: HeldOutTongues) -> Evaluated:
    """Read the picture of a row and compare.

    Raises:
        InputError: a label's value or the picture cannot be read.
    """
    truth = truth_of(row)
    if isinstance(truth, PeopleTruth):
        _check_group_labels(row, len(truth.players))
    tongues = left_out.reader_of(row)
    read = read_row(row, reader, tongues or left_out.shipped)
    return Evaluated(row, truth, read, _compare(row, truth, read), None if tongues is None else row.labels["subject"])


def evaluate_hands(hands: Sequence[LabelledHand], reader: HeadgearReader) -> Iterator[Evaluated]:
    """Read hands by their landmarks, all at once, and compare."""
    for hand, read in zip(hands, read_hands([hand.hand for hand in hands], reader), strict=True):
        yield Evaluated(hand.row, hand.truth, read, compare_hand(hand.truth, read), None)


def _compare(row: Row, truth: Truth, read: Read) -> tuple[Outcome, ...]:
    if isinstance(truth, HeadgearFields) and (read is None or isinstance(read, ReadHeadgear)):
        return compare_hand(truth, read)
    if isinstance(truth, PeopleTruth) and isinstance(read, tuple):
        return compare_people(truth, read, row.kind)
    if isinstance(truth, Tongue) and isinstance(read, ReadTongue):
        return compare_mouth(truth, read)
    return ()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a set.

    Attributes:
        name: the values of its labels.
        people: how many `subject`s its pictures name.
        figures: of these pictures alone.
    """

    name: str
    people: int
    figures: Figures


def parts(pictures: Iterable[Evaluated], *labels: str) -> tuple[Part, ...]:
    """All parts by their names; pictures that lack one of the labels belong to none."""
    members: dict[str, list[Evaluated]] = {}
    for picture in pictures:
        if all(label in picture.row.labels for label in labels):
            members.setdefault(" ".join(picture.row.labels[label] for label in labels), []).append(picture)
    return tuple(
        Part(name, len({picture.row.labels.get("subject") for picture in own} - {None}), Figures.of(own))
        for name, own in sorted(members.items())
    )


@dataclass(frozen=True, slots=True)
class Mistake:
    """A picture in which something was read wrong.

    Attributes:
        picture: what it shows and what was read.
        wrong: what was compared and is wrong, of single fields, the surest first; nothing where somebody was not found.
    """

    picture: Evaluated
    wrong: tuple[Outcome, ...]

    @property
    def badness(self) -> tuple[bool, float]:
        """Sorts mistakes: sure ones are worst, and the surer the worse."""
        return any(outcome.sure for outcome in self.wrong), max(
            (outcome.confidence or 0.0 for outcome in self.wrong), default=0.0
        )


def mistakes(pictures: Iterable[Evaluated]) -> tuple[Mistake, ...]:
    """All pictures with a mistake, the worst first."""
    wrong = (Mistake(picture, _wrong(picture)) for picture in pictures if not all(picture.right.values()))
    return tuple(sorted(wrong, key=lambda mistake: mistake.badness, reverse=True))


def _wrong(picture: Evaluated) -> tuple[Outcome, ...]:
    fields = [outcome for outcome in picture.outcomes if not outcome.right and outcome.sure is not None]
    return tuple(sorted(fields, key=lambda outcome: (outcome.sure, outcome.confidence or 0.0), reverse=True))
