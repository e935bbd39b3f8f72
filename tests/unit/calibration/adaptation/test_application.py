"""A calibration applied to a reading; whole rounds are judged in tests/unit/referee/test_calibrated_referee.py."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.adaptation.application import calibrated
from bunnymoose_cv.calibration.adaptation.player_calibration import PlayerCalibration
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
