"""Prior between people: as wide as people differ, and tight where their takes cannot tell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.log_odds import SideOdds
from bunnymoose_cv.calibration.adaptation.map_fit import PriorSpread
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.pose_fields import Field
from training.adaptation.person_takes import PersonTake
from training.adaptation.prior import OFFSETS, fitted_priors, is_training, measure
from training.evaluate.shares import ClusteredShare

if TYPE_CHECKING:
    from collections.abc import Sequence


def person(name: str, shift: float, poses: Sequence[str] = ("WU WU", "CU CU")) -> list[PersonTake]:
    """Person whose spreads are read as wide by so much more than they are."""
    takes = []
    for pose in poses:
        side = SideOdds((-0.01, -5.0, -5.0), 2.0 * (1 if "W" in pose else -1) + shift, 5.0, 5.0, 5.0)
        takes.append(LabelledTake(TakeSource.WARM_UP, Pose.parse(pose), side, side, -6.0))
    return [PersonTake(f"{name} {number}", name, "", 0, take) for number, take in enumerate(takes * 3)]


def people_apart(apart: float) -> list[list[PersonTake]]:
    return [person(str(number), apart * (-1) ** number) for number in range(20)]


@pytest.mark.parametrize(("apart", "narrowest", "widest"), [(0.0, 0.0, 0.1), (4.0, 2.0, 9.0)])
def test_the_prior_is_as_wide_as_people_differ(apart: float, narrowest: float, widest: float) -> None:
    assert narrowest <= fitted_priors(people_apart(apart))[Field.SPREAD].offset <= widest


def test_takes_of_one_class_show_no_offset() -> None:
    people = [person(str(number), -4.0, ("WU WU",)) for number in range(20)]
    assert fitted_priors(people)[Field.SPREAD].offset == OFFSETS[0]


def test_simulated_people_are_used_if_real_ones_show_too_little() -> None:
    simulated = people_apart(4.0)
    assert fitted_priors([person("Ann", 0.0)], simulated)[Field.SPREAD] == fitted_priors(simulated)[Field.SPREAD]


def test_half_of_the_people_are_measured() -> None:
    training = sum(is_training(f"s{number}") for number in range(1000))
    assert 400 < training < 600


TIGHT = dict.fromkeys(Field, PriorSpread(0.1, 0.0))
"""Prior under which a calibration changes nearly nothing."""


def counted(name: str, shift: float, groups: Sequence[str]) -> list[PersonTake]:
    """Takes of the session that is counted, of one source after the other."""
    taken = person(name, shift, ("CU CU",) * len(groups))[: len(groups)]
    return [replace(take, group=group, session=1) for take, group in zip(taken, groups, strict=True)]


def rows(people: dict[str, list[PersonTake]], capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    """Printed cells of the spread by group."""
    measure(people, lambda _: TIGHT)
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[1:]]
    return {cells[0]: cells[2:] for cells in lines if cells[1] == Field.SPREAD.value}


def test_a_take_counts_for_its_own_source(capsys: pytest.CaptureFixture[str]) -> None:
    of_group = rows({"Ann": counted("Ann", 0.0, ("echo", "lsc", "lsc"))}, capsys)
    assert {group: cells[0] for group, cells in of_group.items()} == {"all": "6", "echo": "2", "lsc": "4"}


def test_intervals_are_those_of_persons_and_not_of_labels(capsys: pytest.CaptureFixture[str]) -> None:
    shifts = {"Ann": 0.0, "Ben": 4.0, "Cleo": 0.0, "Dora": 4.0}
    people = {name: counted(name, shift, ("echo",) * 3) for name, shift in shifts.items()}
    answers = ((name, shift > 0) for name, shift in shifts.items() for _ in range(6))
    share = ClusteredShare.of_clusters(answers)
    assert share is not None
    low, high = share.interval
    assert high - low > 0.6
    assert rows(people, capsys)["all"][1] == f"12 → 12 ({100 * low:.1f}–{100 * high:.1f} %)"
