"""Which pictures teach the tongue reader, with label and person, and which are held out. Owns no pixels."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TONGUE_SHOWN = 0.7
"""Rendered players say how far the tongue is out; from here on it passes the lips in the picture."""

NEIGHBOURS = 10
"""Photographs whose numbers are this near each other may show the same person: they were put up one after another."""

VALIDATION_FOLD, FOLDS = 0, 5
PHOTOGRAPHS_PER_BLOCK = 10
"""Neighbours in the list of photographs are often the same person, so whole blocks of it go to one fold."""


class Origin(Enum):
    """Where a mouth comes from."""

    RENDER = "render"
    PHOTOGRAPH = "photograph"


class Use(Enum):
    """What a mouth may be used for."""

    TRAINING = "training"
    VALIDATION = "validation"
    HELD_OUT = "held out"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture of one mouth.

    Attributes:
        file: the picture.
        out: whether the tongue is out.
        group: the name under which it is counted.
        origin: rendered or photographed.
        use: what it is for; a person has one use only.
        is_cut: whether it is a mouth already cut upright, `cuts.WIDE` eye distances wide.
        eyes: where the eyes are when the truth says so, pixels: x, y, x, y.
    """

    file: Path
    out: bool
    group: str
    origin: Origin
    use: Use
    is_cut: bool = False
    eyes: tuple[float, float, float, float] | None = None


def rendered_mouths(folder: Path) -> Iterator[Labelled]:
    """Close-ups that `truth.json` in their folder describes in a list: file, label, seed of the head."""
    for truth in json.loads((folder / "truth.json").read_text()):
        if truth["label"] != "unclear":
            yield Labelled(
                folder / truth["file"], truth["label"] == "out", "rendered mouths", Origin.RENDER, _use(truth["seed"])
            )


def rendered_players(folder: Path) -> Iterator[Labelled]:
    """Players with hands at their heads: one truth beside the folder (`players.json`) or one beside each picture."""
    together = folder.with_suffix(".json")
    truths: Iterable[tuple[str, dict[str, Any]]] = (
        json.loads(together.read_text()).items()
        if together.is_file()
        else ((path.stem, json.loads(path.read_text())) for path in sorted(folder.glob("*.json")))
    )
    for name, truth in truths:
        file, out = folder / f"{name}.jpg", _tongue_is_out(truth["tongue"])
        if file.is_file() and out is not None:
            (left_x, left_y), (right_x, right_y) = truth["eyes_px"]
            seed = int(re.findall(r"\d+", name)[0])
            eyes = (right_x, right_y, left_x, left_y)
            yield Labelled(file, out, "rendered players", Origin.RENDER, _use(seed), eyes=eyes)


def _tongue_is_out(truth: float | dict[str, Any]) -> bool | None:
    """Out or in; None where it is not clear. Truths say how far it is out, or more closely what there is to see."""
    if isinstance(truth, dict):
        return bool(truth["out"]) if truth["clear"] else None
    return None if 0 < truth < TONGUE_SHOWN else truth > 0


def photographed_mouths(folder: Path) -> Iterator[Labelled]:
    """Real mouths of `mouths.csv` without those persons that the held-out photographs may show."""
    rows = _rows(folder / "mouths.csv")
    held_out = _numbers(_rows(folder / "manifest.csv"))
    for index, row in enumerate(rows):
        shows_held_out = any(abs(number - other) <= NEIGHBOURS for number in _numbers([row]) for other in held_out)
        if row["label"] != "unclear" and not shows_held_out:
            use = _use(index // PHOTOGRAPHS_PER_BLOCK)
            yield Labelled(
                folder / row["file"], row["label"] == "out", "real mouths", Origin.PHOTOGRAPH, use, is_cut=True
            )


def held_out_photographs(folder: Path) -> Iterator[Labelled]:
    """Faces and heads with hands of `manifest.csv`: they measure the shipped net and do nothing else."""
    for row in _rows(folder / "manifest.csv"):
        labels = dict(part.partition("=")[::2] for part in row["labels"].split(";"))
        shown = labels.get("tongue", "")
        if row["kind"] in ("face", "head_hands") and shown in ("in", "out") and "ambiguous" not in labels:
            group = {"face": "real faces", "head_hands": "real heads with hands"}[row["kind"]]
            yield Labelled(folder / row["file"], shown == "out", group, Origin.PHOTOGRAPH, Use.HELD_OUT)


def assert_held_out(samples: Iterable[Labelled], folder: Path) -> None:
    """Stop if a photograph that takes part in training or validation occurs in the held-out list, by number."""
    held_out = _numbers(_rows(folder / "manifest.csv"))
    seen = {_number(sample.file.name) for sample in samples if sample.use is not Use.HELD_OUT and sample.is_cut}
    if both := seen & held_out:
        message = f"these photographs are held out and must not be trained on: {sorted(both)}"
        raise AssertionError(message)


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def _numbers(rows: Iterable[dict[str, str]]) -> set[int]:
    """The numbers of the collection's photographs, told by path and subject: `data/images/1124465440_1_0.jpg`."""
    numbers = set()
    for row in rows:
        if row["repo"] == "fantopop/smile-detection":
            numbers.add(_number(Path(row["path"]).name))
            numbers.update(int(number) for number in re.findall(r"subject=fan_(\d+)", row.get("labels", "")))
    return numbers


def _number(name: str) -> int:
    return int(re.findall(r"\d+", name)[0])


def _use(person: int) -> Use:
    return Use.VALIDATION if person % FOLDS == VALIDATION_FOLD else Use.TRAINING
