"""Datasets of the tongue reader: images with label and person, and the split of persons."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from training.gathering import LEFT_OUT_OF, is_left_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

TONGUE_SHOWN = 0.7
"""Minimum `tongue` in the truth of a rendered player whose tongue is clearly visible; those between 0 and this are left
out."""

NEIGHBOURS = 10
"""Difference of the numbers of two photographs up to which they may show the same person."""

PEOPLE_FOLDS = 4
"""Number of folds of the photographed people; each is evaluated with a network trained on the others."""

NOBODY = -1
"""Fold of rendered people."""

PLAYER = "player"
"""The `kind` of crops from rendered players, which have truths of another form."""

IN_ROOMS = "rendered players in rooms"
"""Group of rendered players in hard light, by poor cameras."""

GROUPS = {"face": "real faces", "head_hands": "real heads with hands"}
"""Groups of the kinds of `manifest.csv`."""

NUMBERED = "fan_"
"""Prefix of the subjects that are identified by the number of their photograph."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """An image of one mouth.

    Attributes:
        file: path of the image.
        out: whether the tongue is out.
        group: name under which it is counted.
        validates: True for a rendered mouth that is not used for training; photographed ones are left out in turn.
        is_cut: True for an upright crop of a mouth, `mouth_crops.WIDE` eye distances wide.
        eyes: x, y of the right and of the left eye, pixels; None if the truth does not have them.
        subject: name of a person who is left out in turn.
        cover: image of each pixel's coverage by the tongue; None if unknown.
        fold: number of the network that leaves the person out, 0 to PEOPLE_FOLDS - 1; NOBODY for all others.
    """

    file: Path
    out: bool
    group: str
    validates: bool = False
    is_cut: bool = False
    eyes: tuple[float, float, float, float] | None = None
    subject: str = ""
    cover: Path | None = None
    fold: int = NOBODY


def rendered_mouths(folder: Path) -> Iterator[Labelled]:
    """Return the mouths listed by `truth.json` in their folder: whole images, or crops made by `pack.py`."""
    for truth in json.loads((folder / "truth.json").read_text()):
        if truth["label"] == "unclear":
            continue
        file, is_cut, group = folder / truth["file"], "cut" in truth, "rendered mouths"
        cover = file.with_name(f"{file.stem}_tongue.png")
        left_out = _number(file.name) % LEFT_OUT_OF == 0
        if truth.get("kind") == PLAYER:
            group, left_out = IN_ROOMS, is_left_out(truth["subject"])
        elif is_cut:
            group = "rendered close-ups"
        known = cover if cover.is_file() else None
        yield Labelled(file, truth["label"] == "out", group, left_out, is_cut=is_cut, cover=known)


def rendered_players(folder: Path) -> Iterator[Labelled]:
    """Return players with hands at their heads, whose truth is beside the folder (`players.json`)."""
    for name, truth in json.loads(folder.with_suffix(".json").read_text()).items():
        file, shown = folder / f"{name}.jpg", truth["tongue"]
        if file.is_file() and not 0 < shown < TONGUE_SHOWN:
            left, right = truth["eyes_px"]
            left_out = _number(name) % LEFT_OUT_OF == 0
            yield Labelled(file, shown > 0, "rendered players", left_out, eyes=(*right, *left))


def photographs(folder: Path) -> Iterator[Labelled]:
    """Return faces and heads with hands of `manifest.csv` and the mouths of `mouths.csv`, each person in one fold."""
    shown = [*_people(folder), *_mouths(folder)]
    fold_of = _dealt(shown)
    return (replace(sample, fold=fold_of[sample.subject]) for sample in shown)


def _people(folder: Path) -> Iterator[Labelled]:
    """Return the photographed people of `manifest.csv` whose tongue is clearly out or in."""
    for row in rows_of(folder / "manifest.csv"):
        labels = dict(part.partition("=")[::2] for part in row["labels"].split(";"))
        if labels.get("tongue") in ("in", "out") and row["kind"] in GROUPS and "ambiguous" not in labels:
            out, group = labels["tongue"] == "out", GROUPS[row["kind"]]
            yield Labelled(folder / row["file"], out, group, subject=labels["subject"])


def _mouths(folder: Path) -> Iterator[Labelled]:
    """Return the mouths of `mouths.csv`. The photograph's number identifies the person as in `manifest.csv`."""
    for row in rows_of(folder / "mouths.csv"):
        if row["label"] != "unclear":
            file = folder / row["file"]
            subject = f"{NUMBERED}{_digits(file.name)}"
            yield Labelled(file, row["label"] == "out", "real mouths", is_cut=True, subject=subject)


def _dealt(shown: Iterable[Labelled]) -> dict[str, int]:
    """Assign subjects to folds in turn: people who show a tongue first, then the others."""
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
    """Return whether two subjects may be one person: numbers near each other, or one name numbered (`isl_A2`)."""
    (number, name), (other_number, other_name) = _number_or_name(subject), _number_or_name(other)
    if min(number, other_number) < 0:
        return name != "" and name.rstrip("0123456789") == other_name.rstrip("0123456789")
    return other_number - number <= NEIGHBOURS


def rows_of(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, by the names of its columns."""
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def _digits(name: str) -> str:
    """Return the first number in a name."""
    return re.findall(r"\d+", name)[0]


def _number(name: str) -> int:
    return int(_digits(name))
