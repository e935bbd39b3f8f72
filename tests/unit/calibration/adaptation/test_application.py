"""A calibration applied to a reading; whole rounds are judged in tests/unit/referee/test_calibrated_referee.py."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.adaptation.application import calibrated, corrected_side
from bunnymoose_cv.calibration.adaptation.player_calibration import FieldCalibration, PlayerCalibration
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Antler, Direction, Side, Spread
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading


@pytest.mark.parametrize("up", [0.01, 0.45, 0.6])
def test_whoever_cannot_point_down_points_up(reader: Reader, party: FrameReading, up: float) -> None:
    moose = party.players[1]
    antler = HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.99, up=up)
    headgear = {side: reader.headgear_reading(moose.player, side, antler) for side in Side}
    after = calibrated(replace(moose, headgear=headgear), PlayerCalibration(exempt=frozenset({Exemption.DOWN})), reader)
    for side in Side:
        assert after.headgear[side].headgear == Antler(Spread.WIDE, Direction.UP)
        assert after.headgear[side].probabilities == replace(antler, up=1.0)
        assert Field.DIRECTION not in after.headgear[side].unclear


def test_each_field_is_corrected_by_its_own_log_odds() -> None:
    read = HeadgearProbabilities(0.5, 0.25, 0.25, wide=0.5, up=0.7, straight=0.8, top=0.9)
    twice = FieldCalibration((0.0, log(2), 0.0), 1.0)
    corrected = corrected_side(read, {Field.KIND: twice, Field.SPREAD: FieldCalibration((log(3),), 1.0)})
    assert (corrected.antler, corrected.ear, corrected.neither) == pytest.approx((0.4, 0.4, 0.2))
    assert corrected.wide == pytest.approx(0.75)
    assert replace(corrected, antler=0.5, ear=0.25, neither=0.25, wide=0.5) == read
    assert corrected_side(read, {}) is read
