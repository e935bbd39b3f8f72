"""Prior between people: as wide as people differ, and tight where their takes cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.log_odds import AdaptedField, SideOdds
from bunnymoose_cv.rules.pose import Pose
from training.adaptation.person_takes import PersonTake
from training.adaptation.prior import OFFSETS, fitted_priors, is_training

if TYPE_CHECKING:
    from collections.abc import Sequence


def person(name: str, shift: float, poses: Sequence[str] = ("WU WU", "CU CU")) -> list[PersonTake]:
    """Person whose spreads are read as wide by so much more than they are."""
    takes = []
    for pose in poses:
        side = SideOdds((-0.01, -5.0, -5.0), 2.0 * (1 if "W" in pose else -1) + shift, 5.0, 5.0, 5.0)
        takes.append(LabelledTake(TakeSource.WARM_UP, Pose.parse(pose), side, side, -6.0))
    return [PersonTake(f"{name} {number}", name, "", 0, take) for number, take in enumerate(takes * 3)]


@pytest.mark.parametrize(("apart", "narrowest", "widest"), [(0.0, 0.0, 0.1), (4.0, 2.0, 9.0)])
def test_the_prior_is_as_wide_as_people_differ(apart: float, narrowest: float, widest: float) -> None:
    people = [person(str(number), apart * (-1) ** number) for number in range(20)]
    assert narrowest <= fitted_priors(people)[AdaptedField.SPREAD].offset <= widest


def test_takes_of_one_class_tell_of_no_offset() -> None:
    people = [person(str(number), -4.0, ("WU WU",)) for number in range(20)]
    assert fitted_priors(people)[AdaptedField.SPREAD].offset == OFFSETS[0]


def test_simulated_people_stand_in_where_real_ones_tell_too_little() -> None:
    simulated = [person(str(number), 4.0 * (-1) ** number) for number in range(20)]
    alike = [person("Ann", 0.0)]
    assert fitted_priors(alike, simulated)[AdaptedField.SPREAD] == fitted_priors(simulated)[AdaptedField.SPREAD]


def test_half_of_the_people_are_measured() -> None:
    training = sum(is_training(f"s{number}") for number in range(1000))
    assert 400 < training < 600
