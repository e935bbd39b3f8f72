"""Training examples of the hand network, and splits of the people it is measured on."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from tests.unit.vision.made_heads import at_round_heads
from training.evaluate.hand_labels import HandLabels
from training.evaluate.people import PersonRow
from training.evaluate.side_labels import SideLabel
from training.headgear.examples import ANTLER, COLUMNS, EAR, UNKNOWN, Hands, Shape, Truth, shape_of
from training.headgear.hand_examples import moved, noisy, rows_by_weight, turned_at_random
from training.headgear.splits import BY_SOURCE, FOLDS, SOURCES, Split, by_person

KIND, DIRECTION = COLUMNS.index("kind"), COLUMNS.index("direction")
COUNT = 400


def hands(*, at_heads: bool = False) -> Hands:
    """Return upright hands of random proportions, alternating antlers and ears."""
    draw = np.random.default_rng(1)
    points = draw.normal(0, 0.1, (COUNT, 21, 3)).astype(np.float32)
    points[:, :, 1] -= np.linspace(0, 2, 21, dtype=np.float32)
    kind = np.where(np.arange(COUNT) % 2, EAR, ANTLER)
    values = np.full((COUNT, len(COLUMNS)), UNKNOWN, np.int8)
    values[:, KIND] = kind
    truth = Truth(values, np.zeros((COUNT, len(COLUMNS)), bool), np.full(COUNT, "p"), np.full(COUNT, ""))
    features = at_round_heads(points, points[..., :2] * np.float32(2)) if at_heads else HandFeatures.alone(points)
    return Hands(features, truth, np.where(kind == EAR, Shape.TWO, Shape.OPEN).astype(np.int8))


def test_direction_of_a_rotated_antler_follows_the_rotation() -> None:
    turned = turned_at_random(hands(), np.random.default_rng(3))
    points, values = turned.features.points, turned.truth.values
    along = points[:, 9, :2] - points[:, 0, :2]
    up, antler = -along[:, 1] / np.linalg.norm(along, axis=1), values[:, KIND] == ANTLER
    assert (up[antler & (values[:, DIRECTION] == 1)] > 0.5).all()
    assert (up[antler & (values[:, DIRECTION] == 0)] < -0.5).all()
    assert {0, 1, UNKNOWN} == {*values[antler, DIRECTION].tolist()}
    assert (values[~antler, DIRECTION] == UNKNOWN).all()


@pytest.mark.parametrize("turned", [False, True])
def test_noise_mirrors_half_of_the_hands_and_drops_some_depths(*, turned: bool) -> None:
    before = hands()
    after = noisy(before, np.random.default_rng(3), turned=turned)
    assert 0.03 < np.isnan(after.features.points[..., 2]).all(1).mean() < 0.2
    assert np.isfinite(after.features.points[..., :2]).all()
    signs = np.sign((after.features.points[..., 0] * before.features.points[..., 0]).sum(1))
    assert 0.3 < (signs < 0).mean() < 0.7
    assert np.array_equal(after.truth.values, before.truth.values)
    assert np.isfinite(before.features.points).all()


def test_moved_hands_stay_near_their_head_and_lone_hands_stay_alone() -> None:
    before = hands(at_heads=True)
    after = moved(before, np.random.default_rng(3))
    assert 0.01 < np.abs(after.features.at_head - before.features.at_head).mean() < 0.3
    assert np.isnan(moved(hands(), np.random.default_rng(3)).features.at_head).all()


def test_rows_are_drawn_by_their_weights() -> None:
    rows = rows_by_weight(np.random.default_rng(3), np.array([0.0, 1.0, 3.0]), 4000)
    assert 0.7 < (rows == 2).mean() < 0.8
    assert not (rows == 0).any()


@pytest.mark.parametrize(
    ("fingers", "thumb", "shape"),
    [
        ("IMRP", "out", Shape.OPEN),
        ("IMRP", "tucked", Shape.FOUR),
        ("IMRP", "along", UNKNOWN),
        ("IM", "tucked", Shape.TWO),
        ("IM", "out", Shape.TWO),
        ("IP", "tucked", Shape.OTHER),
        ("0", "out", Shape.OTHER),
        ("", "", UNKNOWN),
    ],
)
def test_shapes_follow_fingers_and_thumb(fingers: str, thumb: str, shape: int) -> None:
    assert shape_of(HandLabels.of_letters(fingers, thumb)) == shape


HEADGEAR, NOTHING = SideLabel.parse("WU", "1"), SideLabel.parse("--", "1")


def row(person: str, source: str, *, headgear: int = 0) -> PersonRow:
    """Return a crop with headgear on the given number of sides."""
    sides = dict(zip(Side, [HEADGEAR] * headgear + [NOTHING] * (2 - headgear), strict=True))
    return PersonRow(f"{person}.jpg", Path(f"{person}.jpg"), person, source, sides, Tongue.IN)


PERSONS = [f"p{number}" for number in range(40)]
ROWS = [row(person, "echo", headgear=2 * (number < 12)) for number, person in enumerate(PERSONS)]
BY_PERSON = by_person(ROWS)


def test_folds_have_even_shares_of_persons_and_headgear() -> None:
    persons = Counter(BY_PERSON.group_of(person, "echo") for person in PERSONS)
    with_headgear = Counter(BY_PERSON.group_of(person, "echo") for person in PERSONS[:12])
    assert set(persons) == set(range(FOLDS))
    assert max(with_headgear.values()) - min(with_headgear.values()) <= 1


def test_person_is_in_the_same_fold_for_every_source() -> None:
    assert all(BY_PERSON.group_of(person, "echo") == BY_PERSON.group_of(person, "lsc") for person in PERSONS)


def test_persons_with_the_most_headgear_are_in_different_folds() -> None:
    rows = [row(f"p{number}", "echo", headgear=2) for number in range(FOLDS) for _ in range(10)]
    split = by_person([*rows, *(row(f"few{number}", "echo", headgear=1) for number in range(10))])
    assert {split.group_of(f"p{number}", "echo") for number in range(FOLDS)} == set(range(FOLDS))


def test_four_sources_form_own_groups_and_the_others_one() -> None:
    sources = ("echo", "lsc", "rth", "h3_one", "h3_two", "frames", "gest")
    groups = {source: BY_SOURCE.group_of("anybody", source) for source in sources}
    assert groups == {"echo": 0, "lsc": 1, "rth": 2, "h3_one": 3, "h3_two": 3, "frames": 4, "gest": 4}
    assert BY_SOURCE.groups == len(SOURCES) + 1


CROPS = [
    row("only echo", "echo"),
    row("echo and lsc", "echo"),
    row("echo and lsc", "lsc"),
    row("echo and gest", "gest"),
    row("echo and gest", "echo"),
    row("gest and frames", "gest"),
    row("gest and frames", "frames"),
    row("only rth", "rth"),
]
"""Crops of persons, most of whom are in several sources."""


@pytest.mark.parametrize(
    ("group", "others"),
    [
        (0, {"gest and frames", "only rth"}),
        (1, {"only echo", "echo and gest", "gest and frames", "only rth"}),
        (2, {"only echo", "echo and lsc", "echo and gest", "gest and frames"}),
        (3, {"only echo", "echo and lsc", "echo and gest", "gest and frames", "only rth"}),
        (4, {"only echo", "echo and lsc", "only rth"}),
    ],
    ids=["echo", "lsc", "rth", "h3", "all other sources"],
)
def test_persons_of_a_held_out_source_are_excluded_everywhere(group: int, others: set[str]) -> None:
    persons = [crop.person for crop in CROPS]
    rows = BY_SOURCE.rows_without(group, CROPS, persons)
    assert {persons[row] for row in rows} == others
    assert len(rows) == sum(person in others for person in persons)


def _split_of_crops() -> Split:
    return by_person([row(crop.person, crop.source) for crop in CROPS])


@pytest.mark.parametrize("split", [_split_of_crops(), BY_SOURCE], ids=lambda split: split.name)
def test_no_measured_person_is_trained_on(split: Split) -> None:
    persons = [crop.person for crop in CROPS]
    for crop in CROPS:
        group = split.group_of(crop.person, crop.source)
        assert crop.person not in {persons[row] for row in split.rows_without(group, CROPS, persons)}


@pytest.mark.parametrize("split", [_split_of_crops(), BY_SOURCE], ids=lambda split: split.name)
def test_rendered_views_are_always_trained_on(split: Split) -> None:
    persons = ["", *(crop.person for crop in CROPS), ""]
    for group in range(split.groups):
        rows = split.rows_without(group, CROPS, persons)
        assert {0, len(persons) - 1} <= {*rows.tolist()}


def test_person_is_excluded_by_crops_without_a_view() -> None:
    assert BY_SOURCE.rows_without(1, CROPS, ["echo and lsc", "only echo"]).tolist() == [1]
