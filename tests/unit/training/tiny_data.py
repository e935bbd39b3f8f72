"""Tiny packed data of every training, random but of the true forms, in a copy of the checkout's folders."""

from __future__ import annotations

import csv
import json
import shutil
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures
from training.evaluate.people import PersonRow
from training.evaluate.side_labels import Held, SideLabel
from training.faces.faces import Faces
from training.headgear.composites import CutOutHand, HandShape
from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER, UNKNOWN, Hands, Shape, Sides, Truth, encoded
from training.headgear.gather import STORED_SIZE
from training.headgear.people import PersonSide
from training.paths import MODELS, ROOT, SHARED
from training.tongue.mouth_crops import WIDE_SIZE

if TYPE_CHECKING:
    import numpy.typing as npt
    import pytest

PERSONS = [f"p{number}" for number in range(12)]
"""Some of them are left out of training (`is_left_out`), some not."""

VALUES = (
    (ANTLER, 1, 1, UNKNOWN, UNKNOWN),
    (EAR, UNKNOWN, UNKNOWN, 1, 0),
    (NEITHER, *[UNKNOWN] * 4),
    (ANTLER, 0, 0, UNKNOWN, UNKNOWN),
    (EAR, UNKNOWN, UNKNOWN, 0, 1),
)
SHAPES = (Shape.OPEN, Shape.TWO, Shape.OTHER, Shape.OPEN, Shape.FOUR)
HELD = (Held.ANTLER, Held.EAR, Held.OTHER_HAND, Held.EMPTY)


def redirect(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let all trainings that are imported read and write in a folder, with copies of our models."""
    for module in [each for name, each in sys.modules.items() if name.startswith("training.")]:
        for name, value in [*vars(module).items()]:
            if isinstance(value, Path):
                for old, new in ((MODELS, "models"), (ROOT / "training/work", "work"), (SHARED, "shared")):
                    if value.is_relative_to(old):
                        monkeypatch.setattr(module, name, folder / new / value.relative_to(old))
    (folder / "models/left_out").mkdir(parents=True)
    trained = tomllib.loads((MODELS / "manifest.toml").read_text("utf-8"))["trained"]
    for name in ("manifest.toml", "logit_scaling.toml", *(entry["file"] for entry in trained)):
        shutil.copy(MODELS / name, folder / "models")


def truth(draw: np.random.Generator, count: int) -> Truth:
    """Truths of all kinds in turn, two sides of a head one after the other."""
    values = np.array([VALUES[row // 2 % len(VALUES)] for row in range(count)], np.int8)
    persons = [PERSONS[row // 2 % len(PERSONS)] for row in range(count)]
    places = [f"{row // 2}/{('left', 'right')[row % 2]}" for row in range(count)]
    between = np.zeros((count, len(COLUMNS)), bool)
    between[draw.random(count) < 0.1, 1] = True
    return Truth(values, between, np.array(persons), np.array(places))


def hand_points(draw: np.random.Generator, count: int) -> npt.NDArray[np.float32]:
    """Joints of upright hands, 1 from wrist to middle finger."""
    points = draw.normal(0, 0.1, (count, 21, 3))
    points[:, :, 1] -= np.linspace(0, 2, 21)
    return points.astype(np.float32)


def features(draw: np.random.Generator, count: int) -> HandFeatures:
    """Hands beside the heads of their owners."""
    points = hand_points(draw, count)
    return HandFeatures(points, points[..., :2] * np.float32(-1) + np.float32([1.5, 0]))


def hands(draw: np.random.Generator, count: int, *, alone: bool = False) -> Hands:
    """Hands of all shapes; alone, of persons of one source."""
    known = truth(draw, count)
    made = features(draw, count)
    if alone:
        persons = np.array([f"source:{person}" for person in known.person])
        known = Truth(known.values, known.between, persons, np.full(count, ""))
        made = HandFeatures(made.points, np.full_like(made.at_head, np.nan))
    shape = np.array([SHAPES[row // 2 % len(SHAPES)] for row in range(count)], np.int8)
    return Hands(made, known, shape)


def image(draw: np.random.Generator, size: int) -> npt.NDArray[np.uint8]:
    """Smooth random image."""
    return np.asarray(cv2.resize(draw.integers(0, 255, (9, 9, 3), np.uint8), (size, size)), np.uint8)


def joints_in_cut(draw: np.random.Generator) -> npt.NDArray[np.float64]:
    """Joints of a hand in the middle of a stored cut."""
    return hand_points(draw, 1)[0, :, :2].astype(np.float64) * 25 + (0.5 * STORED_SIZE, 0.7 * STORED_SIZE)


def sides(draw: np.random.Generator, count: int) -> Sides:
    """Sides of rendered heads; every third has no joints."""
    joints = np.stack([joints_in_cut(draw) for _ in range(count)]).astype(np.float16)
    known = truth(draw, count)
    joints[(known.values[:, 0] == NEITHER) & (np.arange(count) % 4 == 0)] = np.nan
    cuts = [encoded(image(draw, STORED_SIZE)) for _ in range(count)]
    return Sides(cuts, np.full(count, 40, np.float32), joints, known)


def people(draw: np.random.Generator, count: int) -> list[PersonSide]:
    """Sides of real people that hold everything in turn."""
    made = []
    for row in range(count):
        held = HELD[row % len(HELD)]
        own = None if held is Held.EMPTY and row % 8 else features(draw, 1)
        values = VALUES[min(row % len(HELD), 2)]
        person = f"real {row // 6}"
        cut, joints = image(draw, STORED_SIZE), np.full((21, 2), np.nan) if own is None else joints_in_cut(draw)
        made.append(PersonSide(cut, joints, own, values, held, person, "echo" if row % 3 else "lsc"))
    return made


def rows_of(shown: list[PersonSide]) -> list[PersonRow]:
    """Rows of a list of people who are shown."""
    label = SideLabel.parse("WU", "1")
    return [
        PersonRow(
            f"{number}.jpg", Path(f"{number}.jpg"), side.person, side.source, dict.fromkeys(Side, label), Tongue.IN
        )
        for number, side in enumerate(shown)
    ]


def cut_out_hands(draw: np.random.Generator) -> list[CutOutHand]:
    """Photographed hands of every shape."""
    mask = np.full((60, 60), 255, np.uint8)
    return [
        CutOutHand(image(draw, 60), mask, hand_points(draw, 1)[0, :, :2].astype(float) * 20 + (30, 50), shape)
        for shape in HandShape
    ]


def faces(draw: np.random.Generator, count: int, size: int) -> Faces:
    """Faces in the middle of stored crops."""
    middle, half = size / 2, size / 24
    eyes = np.tile(np.array([[middle + half, middle], [middle - half, middle]], np.float32), (count, 1, 1))
    axes = draw.uniform(-1, 1, (count, 2, 2)).astype(np.float32)
    persons = np.array([PERSONS[row % len(PERSONS)] for row in range(count)])
    return Faces([encoded(image(draw, size)) for _ in range(count)], eyes, axes, persons, persons)


def write_mouths(draw: np.random.Generator, shared: Path) -> None:
    """Write photographed and rendered mouths, cut already, so that nothing has to be detected."""
    rows = []
    for number in range(0, 480, 20):
        rows.append({"file": f"mouths/{number}.png", "label": "out" if number % 40 else "in"})
        _write(shared / "real" / rows[-1]["file"], image(draw, WIDE_SIZE))
    _table(shared / "real/mouths.csv", rows)
    _table(shared / "real/manifest.csv", [{"file": "x.jpg", "labels": "", "kind": "group"}])
    _table(shared / "people/people.csv", [{"file": "x.jpg", "person": "x", "tongue": "out"}])
    mask = np.zeros((200, 200), np.uint8)
    mask[100:140, 80:120] = 255
    _write(shared / "tongues/mask.png", mask)
    masked = [{"file": f"{row}.png", "mask": "mask.png", "label": "out", "eyes": "", "subject": row} for row in "abcd"]
    for row in masked:
        _write(shared / "tongues" / row["file"], image(draw, 200))
    _table(shared / "tongues/tongues.csv", masked)
    truths = []
    for number in range(30):
        truths.append({"file": f"{number}_0.png", "label": "out" if number % 2 else "in", "subject": "x", "cut": 2.5})
        _write(shared / "synth/mouths" / str(truths[-1]["file"]), image(draw, WIDE_SIZE))
    (shared / "synth/mouths/truth.json").write_text(json.dumps(truths))
    (shared / "synth/players.json").write_text("{}")


def _write(file: Path, content: npt.NDArray[np.uint8]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(file), content)


def _table(file: Path, rows: list[dict[str, str]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8", newline="") as lines:
        table = csv.DictWriter(lines, rows[0])
        table.writeheader()
        table.writerows(rows)


def table_of(shown: list[PersonSide]) -> SimpleNamespace:
    """The table that lists people who are shown."""
    return SimpleNamespace(rows=rows_of(shown))
