"""The loop of all trainings: schedules, averages and checkpoints. Each command also trains on tiny data."""

import json
import math
import shutil
import sys
import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="trainings need the extra “train”")
pytest.importorskip("onnx", reason="trainings need the extra “train”")

import torch

from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from bunnymoose_cv.vision.headgear.logit_scaling import KINDS
from tests.unit.vision.made_heads import at_round_heads
from training.evaluate.people import PersonRow
from training.evaluate.side_labels import Held, SideLabel
from training.faces import faces
from training.faces import train as train_faces
from training.faces.face_augmentation import CurriculumStage
from training.gathering import encoded
from training.hand_shape import hand_images
from training.hand_shape import train as train_shapes
from training.hand_shape.hand_images import HandImage
from training.headgear import gather, side_net, splits, train_hands, train_sides
from training.headgear.composites import CutOutHand, HandShape
from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER, UNKNOWN, Hands, Sides, Truth
from training.headgear.people import PersonSide, truth_of
from training.headgear.targets import targets_of
from training.paths import MODELS, ROOT, SHARED
from training.tongue import mouth_crops, mouth_draw, net, publish, sources
from training.tongue import train as train_tongue
from training.tongue.mouth_crops import WIDE_SIZE
from training.training_loop import Part, Recipe, cosine, one_cycle, seeded, share_of_rate, train, trained_once


@pytest.mark.parametrize(
    ("step", "steps", "warm_up", "last", "share"),
    [
        (0, 1000, 10, 0.1, 0.1),
        (499, 1000, 1, 0.0, 0.5),
        (500, 1000, 10, 0.1, 0.55),
        (1000, 1000, 10, 0.1, 0.1),
        (0, 1000, 1, 0.1, 1.0),
    ],
)
def test_learning_rate_share_at_a_step(step: int, steps: int, warm_up: int, last: float, share: float) -> None:
    assert math.isclose(share_of_rate(step, steps, warm_up, last), share, abs_tol=2e-3)


def test_learning_rate_rises_during_warm_up_and_falls_after() -> None:
    shares = [share_of_rate(step, 400, 40, 0.01) for step in range(400)]
    assert shares[:40] == sorted(shares[:40])
    assert shares[40:] == sorted(shares[40:], reverse=True)
    assert 0.01 < shares[-1] < 0.011


def fitted(steps: int, *, checkpoint: Path | None = None, stop: int | None = None, **settings: Any) -> list[float]:
    """Fit a linear layer with dropout to a plane and return its weights; step `stop` is interrupted."""
    draw = seeded(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Dropout(0.2))

    def loss_of(step: int) -> torch.Tensor:
        if step == stop:
            raise KeyboardInterrupt
        inputs = torch.from_numpy(draw.normal(size=(8, 2)).astype(np.float32))
        loss: torch.Tensor = (net(inputs) - inputs.sum(1, keepdim=True)).square().mean()
        return loss

    recipe = Recipe(None, [Part([net], 0.01, 0.0)], steps, **{"schedule": cosine(steps), **settings})
    return [float(value) for value in train(net, recipe, loss_of, draw, checkpoint).state_dict()["0.weight"].flatten()]


@pytest.mark.parametrize("settings", [{"ema": 0.9}, {"mean_after": (90, 110)}, {"schedule": one_cycle(120), "clip": 1}])
def test_interrupted_training_resumes_to_the_same_weights(tmp_path: Path, settings: dict[str, Any]) -> None:
    with pytest.raises(KeyboardInterrupt):
        fitted(120, checkpoint=tmp_path / "part.pt", stop=105, **settings)
    assert fitted(120, checkpoint=tmp_path / "part.pt", **settings) == fitted(120, **settings)


def test_weights_are_averaged_by_ema_or_mean() -> None:
    last, after_two = fitted(3), fitted(3, mean_after=(1, 3))
    first = fitted(3, mean_after=(1,))
    assert after_two == pytest.approx(np.mean([first, last], 0), abs=1e-6)
    assert fitted(3, ema=0.0) == pytest.approx(last, abs=1e-6)
    assert fitted(3, ema=0.999) == pytest.approx(first, abs=1e-4)


def test_trained_weights_are_cached(tmp_path: Path) -> None:
    made: list[Path] = []

    def trained(checkpoint: Path) -> torch.nn.Module:
        made.append(checkpoint)
        checkpoint.write_bytes(b"half")
        return torch.nn.Linear(2, 1)

    one, again = (trained_once(tmp_path / "work/net.pt", torch.nn.Linear(2, 1), trained) for _ in range(2))
    assert torch.equal(one.weight, again.weight)
    assert len(made) == 1
    assert [file.name for file in (tmp_path / "work").iterdir()] == ["net.pt"]


VALUES: tuple[tuple[int, int, int, int, int], ...] = (
    (ANTLER, 1, 1, UNKNOWN, UNKNOWN),
    (EAR, UNKNOWN, UNKNOWN, 1, 0),
    (NEITHER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
    (ANTLER, 0, 0, UNKNOWN, UNKNOWN),
    (EAR, UNKNOWN, UNKNOWN, 0, 1),
)
DRAW = np.random.default_rng(0)


def image(size: int) -> npt.NDArray[np.uint8]:
    """Return a smooth random image."""
    return np.asarray(cv2.resize(DRAW.integers(0, 255, (9, 9, 3), np.uint8), (size, size)), np.uint8)


def points(count: int) -> npt.NDArray[np.float32]:
    """Return the joints of upright hands, two units long."""
    joints = DRAW.normal(0, 0.1, (count, 21, 3))
    joints[:, :, 1] -= np.linspace(0, 2, 21)
    return joints.astype(np.float32)


def truth(count: int, source: str = "") -> Truth:
    """Return truth of all kinds in turn; both sides of a head are adjacent, and heads share twelve persons."""
    heads = np.arange(count) // 2
    places = [f"{head}/{('left', 'right')[row % 2]}" for row, head in enumerate(heads)]
    persons = [f"{source}p{head % 12}" for head in heads]
    values = np.array(VALUES, np.int8)[heads % len(VALUES)]
    return Truth(values, np.zeros((count, len(COLUMNS)), bool), np.array(persons), np.array(places))


def hands(count: int, source: str = "") -> Hands:
    """Return hands at heads, or lone hands for a source."""
    joints = points(count)
    features = HandFeatures.alone(joints) if source else at_round_heads(joints, 1.5 - joints[..., :2])
    shape = (np.arange(count) // 2 % len(VALUES)).clip(max=3).astype(np.int8)
    return Hands(features, truth(count, source), shape)


def in_crop() -> npt.NDArray[np.float64]:
    """Return the joints of a hand in the middle of a stored crop."""
    return points(1)[0, :, :2].astype(np.float64) * 25 + (0.5 * gather.STORED_SIZE, 0.7 * gather.STORED_SIZE)


def people() -> list[PersonSide]:
    """Return sides of eight people who hold various things."""
    made = []
    for row in range(48):
        held = [*Held][row % len(Held)]
        hand = None if held is Held.EMPTY and row % 8 else hands(1).features
        joints = np.full((21, 2), np.nan) if hand is None else in_crop()
        values = VALUES[min(row % len(Held), 2)]
        person, source = f"p{row // 6}", ("lsc", "rth")[row // 24]
        made.append(PersonSide(image(gather.STORED_SIZE), joints, hand, values, held, True, person, source))
    return made


def rows(shown: list[PersonSide]) -> list[PersonRow]:
    """Return the table rows of people."""
    sides = dict.fromkeys(Side, SideLabel.parse("WU", "1"))
    return [PersonRow("a", Path("a.jpg"), side.person, side.source, sides, Tongue.IN) for side in shown]


def test_kind_of_a_likely_label_has_a_softer_target() -> None:
    sure = people()[0]
    truth = truth_of([sure, replace(sure, sure=False)])
    targets, known = targets_of(truth.values, truth.between)
    kinds = targets[:, truth.values[0, 0]]
    assert kinds[0] > 0.9
    assert 0.5 < kinds[1] < 0.8
    np.testing.assert_array_equal(targets[0, KINDS:], targets[1, KINDS:])
    np.testing.assert_array_equal(known[0], known[1])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with “work”, “models” and “shared” for all trainings, with few steps and views each."""
    for module in [loaded for name, loaded in sys.modules.items() if name.startswith("training.")]:
        for name, value in [(name, value) for name, value in vars(module).items() if isinstance(value, Path)]:
            for old, new in ((MODELS, "models"), (ROOT / "training/work", "work"), (SHARED, "shared")):
                if value.is_relative_to(old):
                    monkeypatch.setattr(module, name, tmp_path / new / value.relative_to(old))
    (tmp_path / "models/left_out").mkdir(parents=True)
    trained = tomllib.loads((MODELS / "manifest.toml").read_text("utf-8"))["trained"]
    for name in ("manifest.toml", "logit_scaling.toml", *(entry["file"] for entry in trained)):
        shutil.copy(MODELS / name, tmp_path / "models")
    tiny: dict[Any, dict[str, Any]] = {
        side_net: {"CYCLES": (2, 1), "BATCH": 4, "RENDERED": 10, "PEOPLE": 10, "COMPOSITED": 12},
        train_sides: {"RENDERED": 10, "PEOPLE": 10, "COMPOSITED": 12, "BATCH": 8, "EPOCHS": 1},
        train_hands: {"BANK": 100, "BANK_STEPS": 3, "SHAPE_STEPS": 6, "PLACE_STEPS": 4},
        train_faces: {"STAGES": (CurriculumStage(1, 0.5, 0.2, 1.0), CurriculumStage(1, 0.5, 0.3, 0.6)), "ROUNDS": 1},
        net: {"LAYER_STEPS": 2, "LAYER_BATCH": 8, "STEPS": 2, "BATCH": 4, "TUNING_EPOCHS": 1, "PEOPLE_FOLDS": 2},
        mouth_draw: {"VIEWS": 64, "PHOTOGRAPHED_VIEWS": 64, "BATCH": 32},
        train_shapes: {"VIEWS": 12, "BATCH": 6, "EPOCHS": 1},
        splits: {"FOLDS": 2},
        **{module: {"PEOPLE_FOLDS": 2} for module in (sources, mouth_crops, publish)},
    }
    for module, settings in tiny.items():
        for name, value in settings.items():
            monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(train_tongue, "PEOPLE_FOLDS", 2)
    shown = people()
    likely = [replace(side, sure=False) for side in shown if side.hand is not None]
    for module in (train_hands, train_sides):
        monkeypatch.setattr(module, "cached_people", lambda *, sure=True: shown if sure else likely)
    photographed = hands(60, "source:")
    monkeypatch.setattr(train_hands, "photographs", lambda: photographed)
    monkeypatch.setattr(train_sides, "read_people", lambda _: SimpleNamespace(rows=rows(shown)))
    mask = np.full((60, 60), 255, np.uint8)
    cut_out = [CutOutHand(image(60), mask, in_crop() / 3, shape) for shape in HandShape]
    monkeypatch.setattr(train_sides, "cached_hands", lambda: cut_out)
    one_hot = np.eye(hand_images.SHAPES, dtype=np.float32)
    labelled = [
        HandImage(image(60), in_crop() / 3, one_hot[row % 4], np.array([1, row % 2], np.int8), f"h{row}")
        for row in range(40)
    ]
    monkeypatch.setattr(train_shapes, "photographs", lambda: labelled)
    monkeypatch.setattr(train_shapes, "group_heads", lambda: [image(gather.STORED_SIZE)])
    hands(60).save(tmp_path / "work/packed/hands.npz")
    joints = np.stack([in_crop() for _ in range(60)]).astype(np.float16)
    joints[20::4] = np.nan
    crops = [encoded(image(gather.STORED_SIZE)) for _ in joints]
    Sides(crops, np.full(60, 40, np.float32), joints, truth(60)).save(tmp_path / "work/packed/sides/0.npz")
    eyes = faces.SIZE / 2 + faces.SIZE / 24 * np.array([[[1, 0], [-1, 0]]], np.float32).repeat(40, 0)
    persons = np.array([f"p{row % 12}" for row in range(40)])
    crops = [encoded(image(faces.SIZE)) for _ in eyes]
    faces.Faces(crops, eyes, (eyes / faces.SIZE).astype(np.float32), persons, persons).save(
        tmp_path / "work/packed/faces/0.npz"
    )
    return tmp_path


def written_mouths(shared: Path) -> None:
    """Write cropped mouths: photographed, masked and rendered."""
    for name in ("real/mouths", "tongues", "synth/mouths", "people"):
        (shared / name).mkdir(parents=True)
    tables = {
        "real/mouths.csv": [
            "file,label",
            *(f"mouths/{row}.png,{'out' if row % 40 else 'in'}" for row in range(0, 320, 20)),
        ],
        "real/manifest.csv": ["file,labels,kind"],
        "people/people.csv": ["file,person,tongue"],
        "tongues/tongues.csv": [
            "file,mask,label,eyes,subject",
            *(f"{name}.png,mask.png,out,,{name}" for name in "abcd"),
        ],
    }
    for name, lines in tables.items():
        (shared / name).write_text("\n".join(lines))
    mask = np.zeros((WIDE_SIZE, WIDE_SIZE), np.uint8)
    mask[70:90, 50:80] = 255
    cv2.imwrite(str(shared / "tongues/mask.png"), mask)
    pictures = [*(f"real/mouths/{row}" for row in range(0, 320, 20)), *(f"tongues/{name}" for name in "abcd")]
    for name in (*pictures, *(f"synth/mouths/{row}_0" for row in range(20))):
        cv2.imwrite(str(shared / f"{name}.png"), image(WIDE_SIZE))
    truths = [
        {"file": f"{row}_0.png", "label": "out" if row % 2 else "in", "subject": "x", "cut": 2.5} for row in range(20)
    ]
    (shared / "synth/mouths/truth.json").write_text(json.dumps(truths))
    (shared / "synth/players.json").write_text("{}")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # from torch's exporter
@pytest.mark.parametrize(
    ("command", "changed"),
    [
        ("headgear.train_hands", ("headgear.onnx", "left_out/hands.toml", "logit_scaling.toml")),
        ("headgear.train_sides", ("side.onnx", "logit_scaling.toml")),
        ("hand_shape.train", ("hand_shape.onnx",)),
        ("faces.train", ("face.onnx",)),
        (
            "tongue.train",
            ("tongue.onnx", "left_out/people.toml", *(f"left_out/tongue_{n}.onnx" for n in (1, 2))),
        ),
    ],
)
def test_training_writes_its_models(folder: Path, command: str, changed: tuple[str, ...]) -> None:
    written_mouths(folder / "shared")
    models = folder / "models"
    before = {file: file.read_bytes() for file in models.rglob("*") if file.is_file()}
    import_module(f"training.{command}").main()
    after = {file: file.read_bytes() for file in models.rglob("*") if file.is_file()}
    assert {str(file.relative_to(models)) for file in after if after[file] != before.get(file)} == {
        *changed,
        "manifest.toml",
    }
    for entry in tomllib.loads((models / "manifest.toml").read_text("utf-8"))["trained"]:
        assert entry["size_bytes"] == (models / entry["file"]).stat().st_size
    for name in changed:
        if name.endswith(".onnx"):
            assert cv2.dnn.readNetFromONNX(str(models / name)).getUnconnectedOutLayersNames()
