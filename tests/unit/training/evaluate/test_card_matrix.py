"""The rendered matrix of cards: every planned condition is drawn, truth is inside the image, and figures add up."""

import json
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.vision.cards.card_reading import CardFaceId
from training.evaluate.cards.conditions import Cloth, Cover, Glare, Group, sample
from training.evaluate.cards.laid_cards import EMPTY, FOREIGN, Face
from training.evaluate.cards.matrix import read_outcomes, show, show_factors
from training.evaluate.cards.scene import COVERED, render

HARD = {
    "height_px": {40, 60, 90, 140, 220, 300},
    "tilt_deg": {0, 20, 40, 60},
    "defocus_px": {0, 1, 2, 3},
    "motion_px": {0, 5, 9, 15},
    "noise": {2, 8, 18},
    "exposure": {0.3, 1, 1.8},
    "bend_mm": {0, 3, 6},
    "glare": set(Glare),
    "cover": set(Cover),
    "cloth": set(Cloth),
    "sleeves": {False, True},
    "pile": {1, 3, 10},
    "piles": {4, 6, 8},
    "beside": {0, 1, 2, 3},
    "mat": {False, True},
}


def test_hard_group_draws_every_value_of_the_plan() -> None:
    drawn = [sample(Group.HARD, np.random.default_rng(seed)) for seed in range(200)]
    assert {name: {getattr(one, name) for one in drawn} for name in HARD} == HARD
    assert max(one.offset_mm for one in drawn) > 7
    assert len({int(one.yaw_deg % 360 // 90) for one in drawn}) == 4


@pytest.mark.parametrize("group", [group for group in Group if group is not Group.HARD])
def test_other_groups_keep_to_their_conditions(group: Group) -> None:
    drawn = [sample(group, np.random.default_rng(seed)) for seed in range(100)]
    assert min(one.height_px for one in drawn) >= 160
    assert {one.mat for one in drawn} == {group not in (Group.PLAIN, Group.PATTERN)}
    assert {one.cloth for one in drawn} == {
        Group.PLAIN: {Cloth.DARK, Cloth.WHITE},
        Group.PATTERN: {Cloth.WOOD, Cloth.CHECKED, Cloth.GLASS},
    }.get(group, set(Cloth))
    assert {one.tilt_deg for one in drawn} == {40.0} or group is not Group.WEBCAM


@pytest.mark.parametrize(("group", "seed"), [(Group.HARD, 3), (Group.PLAIN, 5)])
def test_rendered_truth_is_inside_the_image_and_reproducible(group: Group, seed: int) -> None:
    rng = np.random.default_rng(0)
    faces = [Face(CardFaceId(name), rng.integers(0, 255, (70, 50, 3), np.uint8)) for name in ("REVERSE", "HUNTER")]
    scene, again = render(group, seed, faces), render(group, seed, faces)
    assert np.array_equal(scene.image, again.image)
    assert len(scene.places) == scene.conditions.piles
    height, width = scene.image.shape[:2]
    for place in scene.places:
        assert place.shows in {"REVERSE", "HUNTER", EMPTY, FOREIGN, COVERED}
        middle = place.corners_px.mean(0)
        assert (middle > 0).all()
        assert (middle < (width, height)).all()


def test_figures_of_a_condition_add_up(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    conditions = dict.fromkeys(HARD, 0) | {"offset_mm": 0.0}
    places = [["REVERSE", "card", "REVERSE"], ["HUNTER", "unsure", "REVERSE", "HUNTER"], ["?", "covered"]]
    facts = {"group": "HARD", "places": places, "things": [1, 0], "seconds": 0.5}
    varied = [conditions | {"height_px": seed, "noise": seed % 2} for seed in range(8)]
    lines = [facts | {"name": f"HARD-{seed}", "conditions": own} for seed, own in enumerate(varied)]
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))
    table = show_factors(out, Group.HARD).splitlines()
    noise = [row for row in table if row.startswith("| noise ")]
    assert [row.split("|")[3].strip() for row in noise] == ["4", "4"]
    assert all("8 of 8" in row and "4 of 8" in row for row in noise)
    assert len([row for row in table if row.startswith("| height_px ")]) == 4, "many values in quarters"
    assert "8 of 16" in show(read_outcomes(out))
