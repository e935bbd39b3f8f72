"""Comparison of truth and reading; missed players count as wrong."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.rules.pose import ALL_POSES, Animal, Form, Pose, Side, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, PoseField
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from tests.unit.training.evaluate.made_images import reading as read
from training.evaluate.comparison import Measure, Outcome, compare_hand, compare_mouth, compare_people
from training.evaluate.datasets import RowKind
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.reading import ReadHeadgear, ReadPlayer, ReadTongue
from training.evaluate.truth import Between, PeopleTruth, PlayerTruth

POSES = st.sampled_from(ALL_POSES)


def shown(*poses: str) -> PeopleTruth:
    return PeopleTruth(tuple(PlayerTruth.of(Pose.parse(pose)) for pose in poses))


def tally(outcomes: tuple[Outcome, ...]) -> dict[str, tuple[int, int]]:
    """Return the numbers of right and of all outcomes, by measure."""
    right = Counter(outcome.measure.value for outcome in outcomes if outcome.right)
    return {name: (right[name], n) for name, n in Counter(outcome.measure.value for outcome in outcomes).items()}


def counts(text: str) -> dict[str, tuple[int, int]]:
    """Parse counts of measures, each written like `pose 0/1`: 0 are right of 1."""
    return {name: (int(right), int(n)) for name, right, n in re.findall(r"(\w+) (\d+)/(\d+)", text)}


def test_wrong_field_makes_every_containing_measure_wrong() -> None:
    assert tally(compare_people(shown("WU TF t"), (read("CU TF t"),), RowKind.PLAYER)) == counts(
        "players 1/1 pose 0/1 animal 1/1 headgear 1/2 kind 2/2 spread 0/1 direction 1/1 form 1/1 "
        "place 1/1 tongue 1/1 headgear_placed 2/2 headgear_seen 2/2"
    )


def test_wrong_kind_makes_its_missing_fields_wrong() -> None:
    counted = tally(compare_people(shown("WU -- t"), (read("TS -- "),), RowKind.PLAYER))
    assert (counted["kind"], counted["spread"], counted["direction"]) == ((1, 2), (0, 1), (0, 1))
    assert (counted["animal"], counted["tongue"]) == ((1, 1), (0, 1))
    assert "form" not in counted


@given(st.lists(POSES, min_size=1, max_size=5))
def test_perfect_reading_is_right_in_every_measure(poses: list[Pose]) -> None:
    truth = PeopleTruth(tuple(PlayerTruth.of(pose) for pose in poses))
    outcomes = compare_people(truth, tuple(read(pose) for pose in poses), RowKind.SCENE)
    assert all(outcome.right for outcome in outcomes)
    pose = Measure.POSE if len(poses) == 1 else Measure.POSE_IN_ROWS
    assert sum(outcome.measure is pose for outcome in outcomes) == len(poses)


@given(st.lists(POSES, min_size=1, max_size=5), st.lists(POSES, max_size=5))
def test_wrong_number_of_people_makes_every_measure_wrong(poses: list[Pose], found: list[Pose]) -> None:
    truth = PeopleTruth(tuple(PlayerTruth.of(pose) for pose in poses))
    outcomes = compare_people(truth, tuple(read(pose) for pose in found), RowKind.SCENE)
    perfect = compare_people(truth, tuple(read(pose) for pose in poses), RowKind.SCENE)
    assert Counter(outcome.measure for outcome in outcomes) == Counter(outcome.measure for outcome in perfect)
    if len(found) != len(poses):
        assert not any(outcome.right for outcome in outcomes)
        assert all(outcome.sure is None for outcome in outcomes)


@pytest.mark.parametrize(
    ("people", "found", "expected"),
    [
        (0, 0, {"players": (1, 1)}),
        (0, 1, {"players": (0, 1)}),
        (1, 1, {"players": (1, 1)}),
        (1, 2, {"players": (0, 1)}),
        (5, 5, {"faces_group": (1, 1)}),
        (5, 4, {"faces_group": (0, 1)}),
        (7, 5, {"faces_crowd": (5, 7)}),
        (7, 9, {"faces_crowd": (7, 7)}),
    ],
)
def test_people_are_counted(people: int, found: int, expected: dict[str, tuple[int, int]]) -> None:
    truth = PeopleTruth((PlayerTruth(),) * people)
    assert tally(compare_people(truth, (read("-- --"),) * found, RowKind.GROUP)) == expected


def test_tongues_in_groups_are_counted_up_to_five_people() -> None:
    in_the_mouth = PlayerTruth(tongue=Tongue.IN)
    three = compare_people(
        PeopleTruth((in_the_mouth,) * 3), (read("-- --"), read("-- -- t"), read("-- --")), RowKind.GROUP
    )
    assert tally(three) == {"faces_group": (1, 1), "tongue_in_groups": (2, 3)}
    nine = compare_people(PeopleTruth((in_the_mouth,) * 9), (read("-- --"),) * 9, RowKind.GROUP)
    assert tally(nine) == {"faces_crowd": (9, 9)}


def in_between(pose: str, *fields: str) -> PeopleTruth:
    """Return a player with intermediate fields, named like `left.spread`."""
    sides = [frozenset(field for field in HEADGEAR_FIELDS if PoseField.of(side, field) in fields) for side in Side]
    player = replace(PlayerTruth.of(Pose.parse(pose)), between=Between(sides[0], sides[1], "tongue" in fields))
    return PeopleTruth((player,))


@pytest.mark.parametrize(
    ("pose", "between", "reading", "right"),
    [
        ("WU WU", "left.spread", read("WU WU"), True),
        ("WU WU", "left.spread", read("CU WU", "left.spread"), True),
        ("WU WU", "left.spread", read("CU WU"), False),
        ("WU WU", "left.spread", read("-- WU", "left.kind"), True),
        ("WU WU", "left.spread", read("-- WU"), False),
        ("TS WU", "left.kind", read("-- WU", "left.kind"), True),
        ("TS WU", "left.kind", read("TF WU"), True),
        ("TS WU", "left.kind", read("-- WU"), False),
        ("TS TS t", "tongue", read("TS TS", "tongue"), True),
        ("TS TS t", "tongue", read("TS TS"), False),
    ],
)
def test_intermediate_field_is_right_if_unclear_or_nearest(
    pose: str,
    between: str,
    reading: ReadPlayer,
    right: bool,  # noqa: FBT001 - a column of the table
) -> None:
    outcomes = compare_people(in_between(pose, between), (reading,), RowKind.PLAYER)
    assert [outcome.right for outcome in outcomes if outcome.measure is Measure.BETWEEN] == [right]


def test_measures_with_an_intermediate_field_are_not_compared() -> None:
    counted = tally(compare_people(in_between("WU TF", "left.spread"), (read("CD TF"),), RowKind.PLAYER))
    assert counted == counts(
        "players 1/1 between 0/1 kind 2/2 direction 0/1 headgear 1/1 form 1/1 place 1/1 tongue 1/1 "
        "headgear_placed 2/2 headgear_seen 2/2"
    )
    of_a_kind_in_between = tally(compare_people(in_between("WU --", "left.kind"), (read("CD --"),), RowKind.PLAYER))
    assert set(of_a_kind_in_between) == {"players", "between", "kind", "headgear", "tongue"}


def test_missed_face_does_not_shift_the_readings_of_others() -> None:
    boxes = [Box(x, 50, 100, 120) for x in (0, 300, 600)]
    poses = [Pose.parse(pose) for pose in ("WU WU", "TS TS", "SF SF t")]
    truth = PeopleTruth(
        tuple(replace(PlayerTruth.of(pose), face=face) for pose, face in zip(poses, boxes, strict=True))
    )
    found = (read("TS TS", face=Box(310, 60, 95, 110)), read("SF SF t", face=Box(590, 40, 105, 130)))
    counted = tally(compare_people(truth, found, RowKind.SCENE))
    assert counted["faces_group"] == (0, 1)
    assert (counted["pose_in_rows"], counted["tongue_in_rows"]) == ((2, 3), (2, 3))
    strangers = (read("WU WU", face=Box(900, 50, 100, 120)), *found)
    assert tally(compare_people(truth, strangers, RowKind.SCENE))["pose_in_rows"] == (2, 3)


@pytest.mark.parametrize(
    ("reading", "placed", "seen"),
    [
        (read("TS CD"), (2, 2), (2, 2)),
        (read("-- WU", "left.kind"), (2, 2), (1, 2)),
        (read("-- WU"), (1, 2), (1, 2)),
    ],
)
def test_headgear_is_placed_if_it_is_read_or_asked_about(
    reading: ReadPlayer, placed: tuple[int, int], seen: tuple[int, int]
) -> None:
    counted = tally(compare_people(shown("WU WU"), (reading,), RowKind.PLAYER))
    assert (counted["headgear_placed"], counted["headgear_seen"]) == (placed, seen)
    assert "headgear_placed" not in tally(compare_people(shown("-- --"), (reading,), RowKind.PLAYER))


def test_shrunk_head_is_judged_too() -> None:
    head = replace(read("-- --"), shrunk=ReadTongue(Tongue.OUT))
    counted = tally(compare_people(PeopleTruth((PlayerTruth(tongue=Tongue.IN),)), (head,), RowKind.HEAD_HANDS))
    assert (counted["tongue_on_heads_with_hands"], counted["tongue_shrunk"]) == ((1, 1), (0, 1))


def test_single_mouth_is_compared() -> None:
    assert compare_mouth(Tongue.IN, ReadTongue(Tongue.OUT, unclear=True, confidence=0.6)) == (
        Outcome(Measure.MOUTH, right=False, sure=False, confidence=0.6),
    )


HANDS = PlayerTruth(
    HeadgearFields(Kind.NEITHER), HeadgearFields(Kind.ANTLER, spread=Spread.WIDE), Animal.BUSH, Tongue.IN
)


@pytest.mark.parametrize(
    ("pose", "right", "wrong"),
    [
        ("-- WD", {"nothing_side", "headgear_side", "spread", "not_headgear", "tongue_on_heads_with_hands"}, set()),
        ("-- CU", {"nothing_side", "headgear_side", "not_headgear", "tongue_on_heads_with_hands"}, {"spread"}),
        ("-- -- t", {"nothing_side", "not_headgear"}, {"headgear_side", "spread", "tongue_on_heads_with_hands"}),
        ("TS TS", {"tongue_on_heads_with_hands"}, {"nothing_side", "headgear_side", "spread", "not_headgear"}),
        ("TS WD", {"headgear_side", "spread", "not_headgear", "tongue_on_heads_with_hands"}, {"nothing_side"}),
    ],
)
def test_hands_at_heads_are_compared_side_by_side(pose: str, right: set[str], wrong: set[str]) -> None:
    outcomes = compare_people(PeopleTruth((HANDS,)), (read(pose),), RowKind.HEAD_HANDS)
    assert {outcome.measure.value for outcome in outcomes if outcome.right} == right | {"players"}
    assert {outcome.measure.value for outcome in outcomes if not outcome.right} == wrong


def test_animal_of_a_photograph_is_compared() -> None:
    ear = HeadgearFields(Kind.EAR)
    rabbit = PeopleTruth((PlayerTruth(ear, ear, Animal.RABBIT),))
    assert tally(compare_people(rabbit, (read("TS --"),), RowKind.HEAD_HANDS)) == counts(
        "players 1/1 animal 0/1 headgear_side 1/2"
    )


def test_open_truth_is_not_compared() -> None:
    nothing_told = PeopleTruth((PlayerTruth(),))
    for kind in RowKind:
        assert tally(compare_people(nothing_told, (read("WU WU t"),), kind)) == {"players": (1, 1)}


def test_sureness_is_recorded_per_field() -> None:
    outcomes = compare_people(shown("WU TF t"), (read("WD -- t", "left.spread", "right.kind"),), RowKind.PLAYER)
    assert [
        (outcome.measure.value, outcome.right, outcome.sure) for outcome in outcomes if outcome.sure is not None
    ] == [
        ("kind", True, True),
        ("spread", True, False),
        ("direction", False, True),
        ("kind", False, False),
        ("tongue", True, True),
    ]


STRAIGHT_EAR = HeadgearFields(Kind.EAR, form=Form.STRAIGHT)
WIDE_ANTLER = HeadgearFields(Kind.ANTLER, spread=Spread.WIDE)


@pytest.mark.parametrize(
    ("truth", "fields", "expected"),
    [
        (STRAIGHT_EAR, HeadgearFields(Kind.EAR, form=Form.FLOPPY), {"hand_kind": (1, 1), "hand_form": (0, 1)}),
        (STRAIGHT_EAR, HeadgearFields(Kind.NEITHER), {"hand_kind": (0, 1), "hand_form": (0, 1)}),
        (WIDE_ANTLER, WIDE_ANTLER, {"hand_kind": (1, 1), "hand_spread": (1, 1)}),
        (HeadgearFields(Kind.ANTLER), WIDE_ANTLER, {"hand_kind": (1, 1)}),
        (HeadgearFields(Kind.NEITHER), None, {"hand_kind": (0, 1)}),
        (HeadgearFields(), None, {}),
    ],
)
def test_single_hand_is_compared(
    truth: HeadgearFields, fields: HeadgearFields | None, expected: dict[str, tuple[int, int]]
) -> None:
    assert tally(compare_hand(truth, None if fields is None else ReadHeadgear(fields))) == expected
