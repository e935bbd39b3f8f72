"""Datasets of the tongue reader: images with label and person, and the split of persons."""

from __future__ import annotations

import csv
import json
import re
import zlib
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TONGUE_SHOWN = 0.7
"""Rendered players say how far the tongue is out; from here on it passes the lips in the image."""

NEIGHBOURS = 10
"""Photographs whose numbers are this near each other may show the same person: they were put up one after another."""

VALIDATION_FOLD, FOLDS = 0, 5
"""Of rendered heads, by their seeds."""

PEOPLE_FOLDS = 4
"""Into so many parts the photographed people are dealt; a net that learned from the others measures each."""

PLAYER = "player"
"""The `kind` of cuts from rendered players, which have truths of another sort."""

IN_ROOMS = "rendered players in rooms"
"""The group of those: in hard light, by poor cameras."""

NUMBER = r"\d+"
NUMBERED = "fan_"
"""Prefix of the subjects that are told by the number of their photograph."""


class Origin(Enum):
    """Origin of a mouth."""

    RENDER = "render"
    PHOTOGRAPH = "photograph"


class Use(Enum):
    """Permitted use of a mouth."""

    TRAINING = "training"
    VALIDATION = "validation"
    LEFT_OUT_IN_TURN = "left out in turn"


@dataclass(frozen=True, slots=True)
class Labelled:
    """An image of one mouth.

    Attributes:
        file: the image.
        out: whether the tongue is out.
        group: the name under which it is counted.
        origin: rendered or photographed.
        use: what it is for; a person has one use only.
        is_cut: whether it is a mouth already cut upright, `cuts.WIDE` eye distances wide.
        eyes: where the eyes are when the truth says so, pixels: x, y, x, y.
        subject: who it is, of those who are left out in turn.
        cover: an image of how much of each pixel the tongue covers, where that is known.
        fold: which net leaves them out, 0 to PEOPLE_FOLDS - 1; -1 for all others.
    """

    file: Path
    out: bool
    group: str
    origin: Origin
    use: Use
    is_cut: bool = False
    eyes: tuple[float, float, float, float] | None = None
    subject: str = ""
    cover: Path | None = None
    fold: int = -1


def rendered_mouths(folder: Path) -> Iterator[Labelled]:
    """Mouths that `truth.json` in their folder lists: file, label; whole, or cut already as `pack.py` does it."""
    for truth in json.loads((folder / "truth.json").read_text()):
        if truth["label"] != "unclear":
            file = folder / truth["file"]
            cover = file.with_name(f"{file.stem}_tongue.png")
            yield Labelled(
                file,
                truth["label"] == "out",
                _group(truth),
                Origin.RENDER,
                _use_of_subject(truth["subject"]) if truth.get("kind") == PLAYER else _use(_number(file.name)),
                is_cut="cut" in truth,
                cover=cover if cover.is_file() else None,
            )


def _group(truth: dict[str, Any]) -> str:
    """Group of a mouth; whole close-ups are those of `shared/synth`."""
    if truth.get("kind") == PLAYER:
        return IN_ROOMS
    return "rendered close-ups" if "cut" in truth else "rendered mouths"


def rendered_players(folder: Path) -> Iterator[Labelled]:
    """Players with hands at their heads: one truth beside the folder (`players.json`) or one beside each image."""
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
            eyes = (right_x, right_y, left_x, left_y)
            yield Labelled(file, out, "rendered players", Origin.RENDER, _use(_number(name)), eyes=eyes)


def _tongue_is_out(truth: float | dict[str, Any]) -> bool | None:
    """Out or in; None where it is not clear. Truths say how far it is out, or more closely what there is to see."""
    if isinstance(truth, dict):
        return bool(truth["out"]) if truth["clear"] else None
    return None if 0 < truth < TONGUE_SHOWN else truth > 0


def photographs(folder: Path) -> Iterator[Labelled]:
    """Faces and heads with hands of `manifest.csv` and the mouths of `mouths.csv`, everybody in one fold."""
    shown = [*_people(folder), *_mouths(folder)]
    fold_of = _dealt(shown)
    return (replace(sample, fold=fold_of[sample.subject]) for sample in shown)


def _people(folder: Path) -> Iterator[Labelled]:
    """The photographed people of `manifest.csv` of whom it is clear what they do with the tongue."""
    groups = {"face": "real faces", "head_hands": "real heads with hands"}
    for row in _rows(folder / "manifest.csv"):
        labels = dict(part.partition("=")[::2] for part in row["labels"].split(";"))
        if labels.get("tongue") in ("in", "out") and row["kind"] in groups and "ambiguous" not in labels:
            yield Labelled(
                folder / row["file"],
                labels["tongue"] == "out",
                groups[row["kind"]],
                Origin.PHOTOGRAPH,
                Use.LEFT_OUT_IN_TURN,
                subject=labels["subject"],
            )


def _mouths(folder: Path) -> Iterator[Labelled]:
    """Mouths of `mouths.csv`; the person is told as in `manifest.csv`, by the photograph's number."""
    for row in _rows(folder / "mouths.csv"):
        if row["label"] != "unclear":
            name = Path(row["file"]).name
            yield Labelled(
                folder / row["file"],
                row["label"] == "out",
                "real mouths",
                Origin.PHOTOGRAPH,
                Use.LEFT_OUT_IN_TURN,
                is_cut=True,
                subject=f"{NUMBERED}{re.findall(NUMBER, name)[0]}",
            )


def _dealt(shown: Iterable[Labelled]) -> dict[str, int]:
    """The fold of each subject: people who show a tongue are dealt first, then the others."""
    tongues: dict[str, bool] = {}
    for sample in shown:
        tongues[sample.subject] = tongues.get(sample.subject, False) or sample.out
    people: list[list[str]] = []
    for subject in sorted(tongues, key=_number_or_name):
        if people and _may_be_same(people[-1][-1], subject):
            people[-1].append(subject)
        else:
            people.append([subject])
    people.sort(key=lambda person: not any(tongues[subject] for subject in person))
    return {subject: index % PEOPLE_FOLDS for index, person in enumerate(people) for subject in person}


def _number_or_name(subject: str) -> tuple[int, str]:
    return (_number(subject), "") if subject.startswith(NUMBERED) else (-1, subject)


def _may_be_same(subject: str, other: str) -> bool:
    """Tell if two subjects may be one person: photographs near each other, or one name numbered (`isl_A`, `isl_A2`)."""
    (number, name), (other_number, other_name) = _number_or_name(subject), _number_or_name(other)
    if min(number, other_number) < 0:
        return name != "" and name.rstrip("0123456789") == other_name.rstrip("0123456789")
    return other_number - number <= NEIGHBOURS


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def _number(name: str) -> int:
    return int(re.findall(NUMBER, name)[0])


def _use_of_subject(subject: str) -> Use:
    """By name, as the nets for headgear split them: who validates teaches no net at all."""
    return Use.VALIDATION if zlib.crc32(subject.encode()) % FOLDS == VALIDATION_FOLD else Use.TRAINING


def _use(person: int) -> Use:
    return Use.VALIDATION if person % FOLDS == VALIDATION_FOLD else Use.TRAINING
