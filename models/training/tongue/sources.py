"""Which pictures teach the tongue reader, with label and person, and who is kept apart from whom. Owns no pixels."""

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

PEOPLE_FOLDS = 4
"""Into so many parts the people of `manifest.csv` are dealt; a net that learned from the others measures each."""


class Origin(Enum):
    """Where a mouth comes from."""

    RENDER = "render"
    PHOTOGRAPH = "photograph"


class Use(Enum):
    """What a mouth may be used for."""

    TRAINING = "training"
    VALIDATION = "validation"
    LEFT_OUT_IN_TURN = "left out in turn"


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
        subject: who it is, of those who are left out in turn.
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
    fold: int = -1


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
    """Real mouths of `mouths.csv` without those persons that the photographs of `manifest.csv` may show."""
    rows = _rows(folder / "mouths.csv")
    listed = _numbers(_rows(folder / "manifest.csv"))
    for index, row in enumerate(rows):
        shows_listed = any(abs(number - other) <= NEIGHBOURS for number in _numbers([row]) for other in listed)
        if row["label"] != "unclear" and not shows_listed:
            use = _use(index // PHOTOGRAPHS_PER_BLOCK)
            yield Labelled(
                folder / row["file"], row["label"] == "out", "real mouths", Origin.PHOTOGRAPH, use, is_cut=True
            )


def photographed_people(folder: Path) -> Iterator[Labelled]:
    """Faces and heads with hands of `manifest.csv`, everybody in one fold, tongues spread evenly over the folds."""
    shown = [
        (row, labels)
        for row in _rows(folder / "manifest.csv")
        if (labels := _labels(row)).get("tongue") in ("in", "out")
        and row["kind"] in ("face", "head_hands")
        and "ambiguous" not in labels
    ]
    fold_of = _dealt([(labels["subject"], labels["tongue"] == "out") for _, labels in shown])
    for row, labels in shown:
        group = {"face": "real faces", "head_hands": "real heads with hands"}[row["kind"]]
        subject = labels["subject"]
        yield Labelled(
            folder / row["file"],
            labels["tongue"] == "out",
            group,
            Origin.PHOTOGRAPH,
            Use.LEFT_OUT_IN_TURN,
            subject=subject,
            fold=fold_of[subject],
        )


def _dealt(shown: Iterable[tuple[str, bool]]) -> dict[str, int]:
    """The fold of each subject: people who show a tongue are dealt first, then the others."""
    tongues: dict[str, bool] = {}
    for subject, out in shown:
        tongues[subject] = tongues.get(subject, False) or out
    people: list[list[str]] = []
    for subject in sorted(tongues, key=_number_or_name):
        if people and _may_be_same(people[-1][-1], subject):
            people[-1].append(subject)
        else:
            people.append([subject])
    people.sort(key=lambda person: not any(tongues[subject] for subject in person))
    return {subject: index % PEOPLE_FOLDS for index, person in enumerate(people) for subject in person}


def _number_or_name(subject: str) -> tuple[int, str]:
    return (int(subject.removeprefix("fan_")), "") if subject.startswith("fan_") else (-1, subject)


def _may_be_same(subject: str, other: str) -> bool:
    """Whether two subjects may be one person: photographs near each other, or one name numbered (`isl_A`, `isl_A2`)."""
    (number, name), (other_number, other_name) = _number_or_name(subject), _number_or_name(other)
    if min(number, other_number) < 0:
        return name != "" and name.rstrip("0123456789") == other_name.rstrip("0123456789")
    return other_number - number <= NEIGHBOURS


def assert_kept_apart(samples: Iterable[Labelled], folder: Path) -> None:
    """Stop if a mouth that every net learns from is in the list of people who are left out in turn, by number."""
    listed = _numbers(_rows(folder / "manifest.csv"))
    seen = {_number(sample.file.name) for sample in samples if sample.is_cut}
    if both := seen & listed:
        message = f"these photographs are left out in turn and must not teach every net: {sorted(both)}"
        raise AssertionError(message)


def _labels(row: dict[str, str]) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in row["labels"].split(";"))


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
