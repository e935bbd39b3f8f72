"""Application of a calibration to what a freeze agreed on about its player."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.calibration.adaptation.log_odds import SideOdds, log_odds, probability
from bunnymoose_cv.calibration.adaptation.player_calibration import chances_of
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.rules.pose_fields import Field, HeadgearField
from bunnymoose_cv.vision.headgear.headgear_reader import reading_by
from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.calibration.adaptation.player_calibration import FieldCalibration, PlayerCalibration
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading

_SHARES: Final[Mapping[HeadgearField, str]] = {
    Field.SPREAD: "wide",
    Field.DIRECTION: "up",
    Field.FORM: "straight",
    Field.PLACE: "top",
}

EXEMPT_SIDES: Final = {Exemption.LEFT_HAND: Side.LEFT, Exemption.RIGHT_HAND: Side.RIGHT}
"""Sides that are not judged, by what declares it."""


def calibrated(reading: PlayerReading, calibration: PlayerCalibration, reader: Reader) -> PlayerReading:
    """Read a player by the calibration; without one the very same reading."""
    if not calibration.changes_something:
        return reading
    headgear = dict(reading.headgear)
    never_down = Exemption.DOWN in calibration.exempt
    for side in Side:
        found = corrected_side(reading.headgear[side].probabilities, calibration.fields)
        found = replace(found, up=1.0) if never_down else found
        if found != reading.headgear[side].probabilities:
            headgear[side] = reading_by(
                reading.headgear[side].measures,
                found,
                reader.settings.headgear,
                head_is_sure=reading.player.head.sure,
            )
    for exemption, side in EXEMPT_SIDES.items():
        if exemption in calibration.exempt:
            headgear[side] = replace(headgear[side.other], unclear=())
    return replace(
        reading,
        headgear=headgear,
        tongue=_tongue(reading, calibration, reader),
        exempt=calibration.exempt,
    )


def _tongue(reading: PlayerReading, calibration: PlayerCalibration, reader: Reader) -> TongueReading:
    if Exemption.TONGUE in calibration.exempt:
        return TongueReading.of(0.0, reader.settings.tongue)
    correction = calibration.fields.get(Field.TONGUE)
    if correction is None:
        return reading.tongue
    (odds,) = correction.corrected((log_odds(reading.tongue.probability_out),))
    return reader.tongue_reading(reading.player.head, probability(odds))


def corrected_side(read: HeadgearProbabilities, fields: Mapping[Field, FieldCalibration]) -> HeadgearProbabilities:
    """Probabilities of one side by the corrections; fields without one stay as they are, to the digit."""
    odds = SideOdds.of(read)
    found = read
    for field, name in _SHARES.items():
        if field in fields:
            (value,) = fields[field].corrected(odds.of_field(field))
            found = replace(found, **{name: probability(value)})
    if Field.KIND in fields:
        kinds = fields[Field.KIND].corrected(odds.kind)
        antler, ear, neither = chances_of(np.array([kinds]))[0].tolist()
        found = replace(found, antler=antler, ear=ear, neither=neither)
    return found
