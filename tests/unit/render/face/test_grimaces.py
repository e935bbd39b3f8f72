"""The mouths of the close-ups: each fits its grimace, and the held-out ones match their list."""

import csv
import json
from dataclasses import astuple
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from fixtures.render.face.grimaces import SHARES, Grimace, draw_grimace, draw_sort
from fixtures.render.face.tongues import TongueInside, TongueOut
from training.evaluate.datasets import RowKind, read_manifest

FIXTURES = Path(__file__).parents[4] / "fixtures"
MOUTHS = FIXTURES / "mouths_test.csv"
CLEARLY_PAST, CLEARLY_ASIDE = 0.08, 0.40


def test_every_grimace_is_drawn_and_about_half_show_a_tongue() -> None:
    assert set(SHARES) == set(Grimace)
    drawn = [draw_sort(np.random.default_rng(seed)) for seed in range(2000)]
    assert set(drawn) == set(Grimace)
    assert 0.45 < np.mean([grimace.out for grimace in drawn]) < 0.6


@pytest.mark.parametrize("grimace", Grimace)
def test_drawn_mouth_fits_its_grimace_and_is_reproducible(grimace: Grimace) -> None:
    for seed in range(40):
        drawn = draw_grimace(np.random.default_rng(seed), grimace)
        assert drawn == draw_grimace(np.random.default_rng(seed), grimace)
        assert np.isfinite(list(drawn.units.values())).all()
        match drawn.tongue:
            case TongueOut() as tongue:
                assert grimace.out or grimace is Grimace.BARELY
                assert np.isfinite(np.hstack(astuple(tongue))).all()
                assert drawn.units["jawOpen"] >= 1.7 * tongue.thickness
            case TongueInside() | None:
                assert not grimace.out


@pytest.mark.parametrize(
    ("grimace", "law"),
    [
        (Grimace.OUT_SIDE, lambda tongue: abs(tongue.side) >= 0.5 and tongue.side * tongue.yaw > 0),
        (Grimace.OUT_SHORT, lambda tongue: tongue.length < 0.33),
        (Grimace.OUT_BROAD, lambda tongue: tongue.half_width > 0.2),
        (Grimace.OUT_POINTED, lambda tongue: tongue.narrow < -0.4),
        (Grimace.OUT_ROLLED, lambda tongue: tongue.cup > 1),
        (Grimace.OUT_CURLED, lambda tongue: tongue.pitch[1] > 0),
    ],
)
def test_tongue_has_the_shape_of_its_grimace(grimace: Grimace, law: Any) -> None:
    assert all(law(draw_grimace(np.random.default_rng(seed), grimace).tongue) for seed in range(40))


def truths() -> list[tuple[dict[str, str], dict[str, Any]]]:
    with MOUTHS.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return [(row, json.loads((FIXTURES / row["file"]).with_suffix(".json").read_text())) for row in rows]


def test_held_out_mouths_are_listed_and_match_their_truths() -> None:
    manifest = read_manifest(MOUTHS)
    assert not manifest.problems
    assert {row.kind for row in manifest.rows} == {RowKind.FACE}
    assert {row.image for row in manifest.rows} == set((FIXTURES / "mouths_test").glob("*.jpg"))
    assert len(manifest.rows) >= 150
    for row, truth in truths():
        labels = dict(label.split("=", 1) for label in row["labels"].split(";"))
        image = cv2.imread(str(FIXTURES / row["file"]))
        assert image is not None
        assert image.shape == (160, 160, 3)
        assert labels["tongue"] == truth["label"]
        down, aside = truth["past_lips"] or (0, 0)
        if truth["label"] == "out":
            assert down >= CLEARLY_PAST or aside >= CLEARLY_ASIDE
        else:
            assert truth["label"] == "unclear" or not truth["mouth"].count("tongue out")


def test_held_out_mouths_cover_tongues_and_look_alikes() -> None:
    shown = [truth for _, truth in truths()]
    by_label = {name: sum(truth["label"] == name for truth in shown) for name in ("out", "in", "unclear")}
    assert min(by_label["out"], by_label["in"]) >= 45
    assert len({truth["mouth"] for truth in shown}) >= 20
    assert len({truth["subject"] for truth in shown}) >= 19
    assert len({truth["who"]["beard"] for truth in shown}) >= 4
    assert {"nothing", "fingers"} < {truth["held"] for truth in shown}
