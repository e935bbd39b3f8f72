"""Mouths of the tongue training: persons dealt to folds, and views whose folds name everybody in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.vision.tongue.mouth_crop import SIZE
from training.tongue.mouth_crops import EYE, MASKED, PEOPLE, WHOLE, WIDE_SIZE, Mouth, MouthCrops, _by_mask
from training.tongue.mouth_draw import NOBODY, MouthDraw, PhotographedDraw
from training.tongue.sources import PEOPLE_FOLDS, Labelled, Origin, Use, _dealt

VIEWS = 60
IMAGES = np.random.default_rng(0).integers(0, 255, (32, WIDE_SIZE, WIDE_SIZE, 3), np.uint8)
TONGUE = np.zeros((WIDE_SIZE, WIDE_SIZE), np.uint8)
TONGUE[60:90, 55:75] = 255
PHOTOGRAPHED = 2


def labelled(subject: str, *, out: bool = False) -> Labelled:
    return Labelled(Path("x"), out, "real faces", Origin.PHOTOGRAPH, Use.LEFT_OUT_IN_TURN, subject=subject)


def test_photographs_that_may_show_one_person_are_in_one_fold() -> None:
    fold_of = _dealt(map(labelled, ("fan_100", "fan_109", "fan_118", "fan_200", "isl_A", "isl_A2", "isl_B")))
    assert fold_of["fan_100"] == fold_of["fan_109"] == fold_of["fan_118"] != fold_of["fan_200"]
    assert fold_of["isl_A"] == fold_of["isl_A2"] != fold_of["isl_B"]


def test_tongues_are_dealt_evenly_over_the_folds() -> None:
    shown = [labelled(f"fan_{number * 100}", out=number % 3 == 0) for number in range(24)]
    fold_of = _dealt(shown)
    tongues = [fold_of[sample.subject] for sample in shown if sample.out]
    assert [tongues.count(fold) for fold in range(PEOPLE_FOLDS)] == [2] * PEOPLE_FOLDS
    assert {*fold_of.values()} == {*range(PEOPLE_FOLDS)}


def cuts() -> MouthCrops:
    """Crops of every sort: each third person photographed, of a fold of its own; rendered tongues have masks."""
    samples = []
    for number in range(len(IMAGES)):
        out, photograph = bool(number % 2), number // 2 % 3 == PHOTOGRAPHED
        group, origin = ("real faces", Origin.PHOTOGRAPH) if photograph else ("rendered mouths", Origin.RENDER)
        samples.append(Labelled(Path("x"), out, group, origin, Use.TRAINING, fold=number % 4 if photograph else NOBODY))
    covers = np.stack([TONGUE if sample.out and sample.fold == NOBODY else 0 * TONGUE for sample in samples])
    return MouthCrops(IMAGES, samples, np.full(len(samples), EYE), covers)


@pytest.mark.parametrize("holding", [False, True])
def test_a_view_names_the_folds_of_mouth_and_face(*, holding: bool) -> None:
    draw = MouthDraw(cuts(), holding=holding)
    views = [draw.view(np.random.default_rng(seed)) for seed in range(VIEWS)]
    assert {view.out for view in views} == {False, True}
    assert {fold for view in views for fold in view.folds} == {NOBODY, 0, 1, 2, 3}
    unchanged = [view for view in views if any(np.array_equal(view.scene, image) for image in IMAGES)]
    assert unchanged
    for view in unchanged:
        number = next(row for row, image in enumerate(IMAGES) if np.array_equal(view.scene, image))
        assert view.folds == (cuts().samples[number].fold, NOBODY)
        assert view.out == cuts().samples[number].out


def test_hands_hold_things_in_some_views_and_all_else_is_the_same() -> None:
    plain, holding = (
        [MouthDraw(cuts(), holding=held).view(np.random.default_rng(seed)) for seed in range(VIEWS)]
        for held in (False, True)
    )
    assert [(view.out, view.folds) for view in plain] == [(view.out, view.folds) for view in holding]
    differ = sum(not np.array_equal(one.scene, other.scene) for one, other in zip(plain, holding, strict=True))
    assert 0 < differ < VIEWS / 2


def test_photographed_views_are_inputs_of_the_net_with_both_folds() -> None:
    mouths = [
        *(Mouth(IMAGES[row], True, row % 4, MASKED, TONGUE) for row in range(4)),
        *(Mouth(IMAGES[row], bool(row % 2), row % 4, WHOLE) for row in range(4, 12)),
        *(Mouth(IMAGES[row], False, row % 4, PEOPLE) for row in range(12, 16)),
    ]
    renders = [Mouth(IMAGES[row], bool(row % 2), NOBODY, "rendered mouths") for row in range(16, 24)]
    draw = PhotographedDraw(mouths, renders, seed=1)
    views = [draw.view() for _ in range(VIEWS)]
    assert {image.shape for image, _, _ in views} == {(SIZE, SIZE, 3)}
    assert {out for _, out, _ in views} == {False, True}
    assert {fold for _, _, folds in views for fold in folds} <= {NOBODY, 0, 1, 2, 3}
    assert {len(folds) for _, _, folds in views} == {2}


def test_a_masked_tongue_is_cut_to_its_usual_size_below_the_lips() -> None:
    image, mask = np.zeros((400, 300, 3), np.uint8), np.zeros((400, 300), np.uint8)
    mask[200:260, 100:160] = 255
    mouth = _by_mask(image, mask, 2)
    assert mouth.cover is not None
    rows, columns = np.nonzero(mouth.cover > 127)
    assert abs(np.ptp(columns) / EYE - 0.6) < 0.06
    assert abs(columns.mean() - WIDE_SIZE / 2) < 2
    assert abs(rows.min() - (WIDE_SIZE / 2 - 0.2 * EYE)) < 2
    assert (mouth.out, mouth.fold) == (True, 2)
