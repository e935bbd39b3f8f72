"""Calibration of single players: small takes never make it worse, and nothing changes without one."""

from collections import defaultdict
from dataclasses import replace
from math import log

import pytest

from bunnymoose_cv.calibration.adaptation.application import calibrated, corrected_side
from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.log_odds import SideOdds
from bunnymoose_cv.calibration.adaptation.map_fit import PriorSpread, fit
from bunnymoose_cv.calibration.adaptation.player_calibration import (
    FieldCalibration,
    FieldOutcome,
    PlayerCalibration,
    calibrate,
)
from bunnymoose_cv.calibration.adaptation.prior_file import shipped_priors
from bunnymoose_cv.core.user_settings import Settings, load_settings
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Antler, Direction, Pose, Side, Spread
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading

SURE = SideOdds((-0.01, -7.0, -7.0), spread=6.0, direction=6.0, form=6.0, place=6.0)
PRIORS = {field: PriorSpread(2.0, 0.2) for field in Field}


def take(shown: str, spread: float) -> LabelledTake:
    side = replace(SURE, spread=spread)
    return LabelledTake(TakeSource.WARM_UP, Pose.parse(shown), side, side, -6.0)


def calibrated_by(
    *shown: tuple[str, float], priors: dict[Field, PriorSpread] = PRIORS, settings: Settings | None = None
) -> tuple[PlayerCalibration, FieldOutcome]:
    """Calibrate by takes of poses and of how wide the networks saw them; return the spread's outcome, too."""
    calibration = calibrate([take(*each) for each in shown], frozenset(), priors, settings or load_settings())
    return calibration, next(each for each in calibration.outcomes if each.field is Field.SPREAD)


def test_hands_that_part_little_are_read_as_wide_after_a_warm_up() -> None:
    calibration, outcome = calibrated_by(("WU WU", 0.4), ("WU WU", -0.6), ("CU CU", -7.0), ("CU CU", -6.0))
    (odds,) = calibration.fields[Field.SPREAD].corrected((-0.6,))
    assert odds > 0.5
    (compact,) = calibration.fields[Field.SPREAD].corrected((-6.5,))
    assert compact < -3
    assert outcome.wrong == (2, 0)
    assert outcome.helped


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("WU CD", {"kind": [0, 0], "spread": [0, 1], "direction": [0, 1], "tongue": [1]}),
        ("TS SF t", {"kind": [1, 1], "place": [0, 1], "form": [0, 1], "tongue": [0]}),
        ("-- -- t", {"kind": [2, 2], "tongue": [0]}),
    ],
)
def test_a_take_labels_each_field_of_its_pose(shown: str, expected: dict[str, list[int]]) -> None:
    found: dict[str, list[int]] = defaultdict(list)
    for label in take(shown, 0.0).labels():
        found[label.field.value].append(label.true_class)
    assert found == expected


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        ([("CU CU", -1.0), ("WU WU", 0.5), ("WU WU", -3.0)], (2, 4)),
        ([("CU CU", -2.0), ("WU WU", 1.0), ("WU WU", 0.5), ("CU CU", 3.0), ("WU WU", 6.0)], (2, 6)),
        ([("CU CU", 6.0), ("CU CU", 6.0), ("WU WU", 1.0)], (4, 6)),  # though the truths get likelier
    ],
)
def test_a_field_that_gets_worse_on_a_left_out_take_is_not_kept(
    shown: list[tuple[str, float]], wrong: tuple[int, int]
) -> None:
    calibration, spread = calibrated_by(*shown)
    assert (spread.wrong, spread.kept, spread.helped) == (wrong, False, False)
    assert Field.SPREAD not in calibration.fields


def test_a_field_that_gets_no_error_but_less_likely_truths_is_not_kept() -> None:
    """Counts are coarse; cross entropy tells that the takes contradict each other."""
    settings = load_settings()
    headgear = settings.headgear.model_copy(update={"spread": 0.95})
    strict = settings.model_copy(update={"headgear": headgear})
    calibration, spread = calibrated_by(("CU CU", 1.0), ("WU WU", -0.5), ("WU WU", 4.0), settings=strict)
    assert (spread.wrong, spread.surely_wrong, spread.asked) == ((4, 4), (0, 0), (4, 4))
    assert not spread.kept
    assert Field.SPREAD not in calibration.fields


def test_a_take_is_judged_by_what_the_others_say_of_it() -> None:
    """Both sides are left out together: else the one take of wide hands would teach itself."""
    _, spread = calibrated_by(("WU WU", -0.6), ("CU CU", -5.0), ("CU CU", -5.0))
    assert spread.wrong == (2, 2)
    assert fit([(-0.6,)] * 2 + [(-5.0,)] * 4, [0] * 2 + [1] * 4, PRIORS[Field.SPREAD]).offset[0] > 0.6


def test_an_error_that_becomes_a_question_is_no_worsening() -> None:
    takes = (("WU WU", -0.9), ("WU WU", -1.1), ("CU CU", -4.0), ("CU CU", -4.0))
    _, spread = calibrated_by(*takes, priors=dict.fromkeys(Field, PriorSpread(2.0, 0.0)))
    assert (spread.wrong, spread.surely_wrong, spread.kept) == ((4, 0), (0, 0), True)


def test_a_sure_error_that_becomes_a_question_is_a_help() -> None:
    outcome = FieldOutcome(Field.SPREAD, 4, wrong=(1, 1), surely_wrong=(1, 0), asked=(0, 1), kept=True)
    assert outcome.helped
    assert not replace(outcome, surely_wrong=(1, 1)).helped


@pytest.mark.parametrize("takes", [[], [take("WU WU", -4.0)]])
def test_too_few_takes_change_nothing(takes: list[LabelledTake]) -> None:
    assert not calibrate(takes, frozenset(), PRIORS, load_settings()).changes_something


def test_a_prior_without_spread_keeps_the_networks_answers() -> None:
    found = fit([(1.0,), (-2.0,), (0.5,)], [1, 0, 1], PriorSpread(0.0, 0.0))
    assert found.offset[0] == pytest.approx(0.0, abs=1e-4)
    assert found.scale == pytest.approx(1.0, abs=1e-4)


def test_more_takes_move_further_towards_what_they_show() -> None:
    offsets = [fit([(-1.0,)] * count, [0] * count, PriorSpread(1.0, 0.1)).offset[0] for count in (1, 4, 16)]
    assert 0 < offsets[0] < offsets[1] < offsets[2]


def test_three_kinds_are_fitted_together() -> None:
    odds = [(-1.5, -0.3, -4.0)] * 4
    found = fit(odds, [0] * 4, PriorSpread(2.0, 0.1))
    assert found.offset[0] > 0 > found.offset[1]


def test_exempt_fields_are_no_labels() -> None:
    exempt = {Exemption.LEFT_HAND, Exemption.TONGUE, Exemption.DOWN}
    fields = [label.field for label in take("WU WU", 3.0).labels(exempt)]
    assert fields == [Field.KIND, Field.SPREAD]


def test_the_shipped_prior_knows_every_field() -> None:
    assert set(shipped_priors()) == set(Field)


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
