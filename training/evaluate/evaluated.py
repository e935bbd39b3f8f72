"""Labelled images beside what was read of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Tongue
from training.evaluate.comparison import (
    LARGEST_GROUP,
    Measure,
    Outcome,
    compare_hand,
    compare_mouth,
    compare_people,
    pairs,
)
from training.evaluate.group_labels import check_group_labels
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear, ReadTongue, read_hands, read_row
from training.evaluate.truth import PeopleTruth, PlayerTruth, truth_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
    from bunnymoose_cv.vision.reader import Reader
    from training.evaluate.datasets import Row
    from training.evaluate.landmark_datasets import LabelledHand
    from training.evaluate.reading import HeldOutTongues, Read, ReadPlayer
    from training.evaluate.truth import Truth


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One labelled image.

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
        """For each measure whether everything in this image is right, in the order of `Measure`."""
        return {
            measure: all(outcome.right for outcome in self.outcomes if outcome.measure is measure)
            for measure in Measure
            if any(outcome.measure is measure for outcome in self.outcomes)
        }

    @property
    def players(self) -> tuple[tuple[PlayerTruth, ReadPlayer | None], ...]:
        """Players of the truth of an image of at most five, with what was read of them; left to right."""
        if not isinstance(self.truth, PeopleTruth) or not isinstance(self.read, tuple):
            return ()
        return pairs(self.truth, self.read) if len(self.truth.players) <= LARGEST_GROUP else ()


def evaluate(row: Row, reader: Reader, left_out: HeldOutTongues) -> Evaluated:
    """Read the image of a row and compare.

    Raises:
        InputError: a label's value or the image cannot be read.
    """
    truth = truth_of(row)
    if isinstance(truth, PeopleTruth):
        check_group_labels(row, len(truth.players))
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
