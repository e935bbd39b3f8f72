"""The way of one labelled picture: truth, reading, comparison; and what all of them add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.evaluation.comparison import (
    APART,
    Measure,
    Outcome,
    compare_hand,
    compare_mouth,
    compare_people,
)
from bunnymoose_cv.evaluation.confusion import confusions
from bunnymoose_cv.evaluation.evaluated import Evaluated
from bunnymoose_cv.evaluation.fields import HeadgearFields
from bunnymoose_cv.evaluation.figures import Share
from bunnymoose_cv.evaluation.groups import groups
from bunnymoose_cv.evaluation.reading import ReadHeadgear, ReadTongue, read_hands, read_row
from bunnymoose_cv.evaluation.reliability import reliability
from bunnymoose_cv.evaluation.truth import PeopleTruth, truth_of
from bunnymoose_cv.rules.pose import Tongue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bunnymoose_cv.evaluation.confusion import Confusion
    from bunnymoose_cv.evaluation.groups import Group
    from bunnymoose_cv.evaluation.landmark_file import LabelledHand
    from bunnymoose_cv.evaluation.left_out import LeftOutTongues
    from bunnymoose_cv.evaluation.manifest import Row
    from bunnymoose_cv.evaluation.reading import Read
    from bunnymoose_cv.evaluation.reliability import Reliability
    from bunnymoose_cv.evaluation.truth import Truth
    from bunnymoose_cv.vision.headgear.headgear_cascade import HeadgearReader
    from bunnymoose_cv.vision.reader import Reader


@dataclass(frozen=True, slots=True)
class Figures:
    """What all pictures add up to; fields in between two shapes, and heads shrunk, stand apart from the others.

    Attributes:
        right: how often each measure is right; measures that no picture has do not stand here.
        sure_wrong: of the fields that were sure enough to stand alone, how many are wrong; None if there were none.
        unclear: of all fields that were read, how many a person would be asked about; None if there were none.
        unclear_between: the same of the fields in between two shapes; None if there were none.
        people_left_out: how many people's tongues were read by nets that have not seen them (left_out.py).
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


def evaluate(row: Row, reader: Reader, left_out: LeftOutTongues) -> Evaluated:
    """Read the picture of a row and compare.

    Raises:
        InputError: a label's value or the picture cannot be read.
    """
    truth = truth_of(row)
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
