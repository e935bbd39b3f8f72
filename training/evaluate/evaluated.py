"""Labelled images with their readings, in words, and the worst mistakes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, HeadgearField
from training.evaluate.comparison import (
    LARGEST_GROUP,
    Measure,
    Outcome,
    compare_hand,
    compare_mouth,
    compare_people,
    pairs,
)
from training.evaluate.datasets import check_group_labels
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear, ReadTongue, read_hands, read_row
from training.evaluate.truth import PeopleTruth, PlayerTruth, truth_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
    from bunnymoose_cv.vision.reader import Reader
    from training.evaluate.datasets import Row
    from training.evaluate.landmark_datasets import LabelledHand
    from training.evaluate.reading import HeldOutTongues, Read, ReadPlayer
    from training.evaluate.truth import Between, Truth


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One labelled image.

    Attributes:
        row: line of the manifest.
        truth: true content of the image.
        read: reading of the image.
        outcomes: comparisons of the two.
        left_out: `subject` if the tongue was read by a network that has not seen the person; None otherwise.
    """

    row: Row
    truth: Truth
    read: Read
    outcomes: tuple[Outcome, ...]
    left_out: str | None

    @property
    def right(self) -> dict[Measure, bool]:
        """For each measure, whether everything in this image is right, in the order of `Measure`."""
        return {
            measure: all(outcome.right for outcome in self.outcomes if outcome.measure is measure)
            for measure in Measure
            if any(outcome.measure is measure for outcome in self.outcomes)
        }

    @property
    def players(self) -> tuple[tuple[PlayerTruth, ReadPlayer | None], ...]:
        """Players of the truth of an image of at most five, with their readings, from left to right."""
        if not isinstance(self.truth, PeopleTruth) or not isinstance(self.read, tuple):
            return ()
        return pairs(self.truth, self.read) if len(self.truth.players) <= LARGEST_GROUP else ()


def evaluate(row: Row, reader: Reader, left_out: HeldOutTongues) -> Evaluated:
    """Read the image of a row and compare. A tongue that no network may judge is not compared.

    Raises:
        InputError: a label's value or the image cannot be read.
    """
    tongues = left_out.reader_of(row)
    compared = row if tongues else replace(row, labels={**row.labels, "tongue": "not judged"})
    truth = truth_of(compared)
    if isinstance(truth, PeopleTruth):
        check_group_labels(row, len(truth.players))
    read = read_row(row, reader, tongues)
    subject = row.labels["subject"] if tongues and left_out.took_part(row) else None
    return Evaluated(row, truth, read, _compare(row, truth, read), subject)


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


Words: TypeAlias = dict[str, str | int | list[str] | list[list[str]] | None]
"""Values of a truth or a reading by their names."""


def truth_words(truth: Truth) -> Words:
    """Return the truth of an image in words, as far as its labels give it."""
    if truth is None:
        return {}
    if isinstance(truth, HeadgearFields):
        return {**_fields(truth)}
    if isinstance(truth, Tongue):
        return {"tongue": truth.name.lower()}
    words: Words = {"faces": len(truth.players)}
    if all(player.pose is not None for player in truth.players):
        words["poses"] = [str(player.pose) for player in truth.players]
        between = [_between(player.between) for player in truth.players]
        return {**words, "between": between} if any(between) else words
    return {**words, **_player(truth.players[0])}


def read_words(read: Read) -> Words:
    """Return the reading of an image in words."""
    if read is None:
        return {"kind": None}
    if isinstance(read, ReadHeadgear):
        return {**_fields(read.fields), "unclear": _names(read.unclear)}
    if isinstance(read, ReadTongue):
        return {"tongue": read.tongue.name.lower(), "unclear": ["tongue"] if read.unclear else []}
    return {
        "faces": len(read),
        "poses": [str(player.pose) for player in read],
        "unclear": [_unclear(player) for player in read],
    }


def spelled(words: Mapping[str, object]) -> str:
    """Return a truth or a reading in one line: `faces 2, poses WU CD t / -- SS`."""
    return ", ".join(f"{name} {_seats(value) if isinstance(value, list) else value}" for name, value in words.items())


def _seats(values: Iterable[object]) -> str:
    return " / ".join(" ".join(value) or "–" if isinstance(value, list) else str(value) for value in values) or "–"


def _fields(fields: HeadgearFields) -> dict[str, str]:
    values = ((field, fields.value(field)) for field in HEADGEAR_FIELDS)
    return {field.value: value.value for field, value in values if value is not None}


def _player(player: PlayerTruth) -> dict[str, str]:
    """Return the words for the only person, or for one of several with identical labels."""
    words = {} if player.animal is None else {"animal": player.animal.value}
    for side in Side:
        words |= {f"{side.name.lower()}.{name}": value for name, value in _fields(player.headgear(side)).items()}
    return words if player.tongue is None else words | {"tongue": player.tongue.name.lower()}


def _unclear(player: ReadPlayer) -> list[str]:
    sides = [f"{side.name.lower()}.{name}" for side in Side for name in _names(player.headgear(side).unclear)]
    return [*sides, "tongue"] if player.tongue.unclear else sides


def _between(between: Between) -> list[str]:
    sides = [f"{side.name.lower()}.{name}" for side in Side for name in _names(between.of(side))]
    return [*sides, "tongue"] if between.tongue else sides


def _names(fields: Iterable[HeadgearField]) -> list[str]:
    return [field.value for field in HEADGEAR_FIELDS if field in set(fields)]


@dataclass(frozen=True, slots=True)
class Mistake:
    """An image with a wrong reading.

    Attributes:
        image: truth and reading.
        wrong: wrong fields, the surest first; empty if a player was not found.
    """

    image: Evaluated
    wrong: tuple[Outcome, ...]

    @property
    def badness(self) -> tuple[bool, float]:
        """Sort key: sure mistakes are the worst, in the order of their confidence."""
        return any(outcome.sure for outcome in self.wrong), max(
            (outcome.confidence or 0.0 for outcome in self.wrong), default=0.0
        )


def mistakes(images: Iterable[Evaluated]) -> tuple[Mistake, ...]:
    """Return all images with a mistake, the worst first."""
    wrong = (Mistake(image, _wrong(image)) for image in images if not all(image.right.values()))
    return tuple(sorted(wrong, key=lambda mistake: mistake.badness, reverse=True))


def _wrong(image: Evaluated) -> tuple[Outcome, ...]:
    fields = [outcome for outcome in image.outcomes if not outcome.right and outcome.sure is not None]
    return tuple(sorted(fields, key=lambda outcome: (outcome.sure, outcome.confidence or 0.0), reverse=True))
