"""Estimate of one side around the cue: when it has settled, what ends a hold, and which readings weigh."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.rules.pose import Antler, Direction, Side, Spread
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.side_estimate import SideEstimate, SideHold
from tests.unit.vision.video.made_readings import AT_ZERO, MOOSE, MakeReading, probabilities

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.video.seats import Sample

COMPACT = Antler(Spread.COMPACT, Direction.UP)


def estimate_of(samples: list[Sample]) -> SideEstimate:
    return reduce(SideEstimate.updated, samples, SideEstimate(AT_ZERO, Side.LEFT))


@pytest.mark.parametrize(("after_s", "settled"), [(-0.02, False), (0.0, False), (0.02, True)])
def test_a_side_settles_once_it_is_still_for_a_while_after_the_cue(
    make_reading: MakeReading, after_s: float, *, settled: bool
) -> None:
    times_s = (-0.3, FREEZE.after_cue_s + after_s)
    estimate = estimate_of([(time_s, make_reading()) for time_s in times_s])
    assert (estimate.settled_hold is not None) is settled


def test_a_side_that_is_no_longer_surely_bare_begins_a_new_hold(make_reading: MakeReading) -> None:
    """A hand may be on its way; the joints of a hand that has just come show no movement."""
    bare, doubtful = (make_reading(at=None, answer=probabilities(None, sure)) for sure in (0.99, 0.6))
    estimate = estimate_of([(-0.3, bare), (-0.15, bare), (0.0, doubtful)])
    assert estimate.current is not None
    assert (estimate.current.evidence.count, estimate.current.latest) == (1, doubtful)


def test_an_unsure_reading_hardly_weighs(make_reading: MakeReading, reader: Reader) -> None:
    blurred = HeadgearProbabilities(0.5, 0.3, 0.2, wide=0.01, up=0.99)
    estimate = estimate_of([(-0.15, make_reading()), (0.0, make_reading(answer=blurred))])
    assert estimate.decisive.reading(Side.LEFT, reader).probabilities.wide > 0.95


def test_what_counts_ends_with_its_last_sure_reading(make_reading: MakeReading) -> None:
    """An unsure reading just before another headgear shows the hand on its way."""
    on_its_way = make_reading(COMPACT, sure=0.6)
    shown = [make_reading()] * 4 + [on_its_way] + [make_reading(COMPACT)] * 2
    estimate = estimate_of([*zip(AT_ZERO.read_s, shown, strict=True)])
    assert estimate.final is not None
    assert estimate.final.until_s == AT_ZERO.read_s[3]
    assert estimate.final.evidence.count == 4


@pytest.mark.parametrize("hand_first", [False, True])
def test_the_clearest_reading_is_one_with_the_hand(make_reading: MakeReading, *, hand_first: bool) -> None:
    """The measures of it are shown; a reading without the joints, however sure, has none."""
    with_hand = make_reading(sure=0.9)
    without = make_reading(at=None, answer=probabilities(MOOSE, 0.99))
    first, second = (with_hand, without) if hand_first else (without, with_hand)
    hold = SideHold.started_with((0.0, first), Side.LEFT).joined((0.15, second), Side.LEFT)
    assert hold.clearest is with_hand
    surer = make_reading(sure=0.95)
    assert hold.joined((0.3, surer), Side.LEFT).clearest is surer
    assert replace(hold, clearest=surer).joined((0.3, with_hand), Side.LEFT).clearest is surer
