"""Wide cuts of photographed mouths: tongues with their masks, whole faces, closed mouths of people.

The tongues of `../shared/tongues` have masks from their source. Most photographs show the lower face only, so the masks
alone say where and how large the tongue is.
"""

from __future__ import annotations

import csv
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.tongue.mouth_crop import MouthPlace
from training.tongue.mouth_augmentation import EYE
from training.tongue.mouth_crops import WIDE_MOUTH, WIDE_SIZE, find_face
from training.tongue.sources import PEOPLE_FOLDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

TONGUE_WIDTH: Final = 0.58
"""Usual width of a tongue, in eye distances, where the eyes are cut off."""

OF_ONE_PERSON: Final = 8
"""Mouths taken of one person of `people.csv`."""

MASKED, WHOLE, PEOPLE = "masked tongues", "whole faces", "people"


@dataclass(frozen=True, slots=True, eq=False)
class Mouth:
    """A wide cut of a mouth: image, whether the tongue is out, person fold, source, the tongue's mask where known."""

    image: Image
    out: bool
    fold: int
    group: str
    cover: npt.NDArray[np.uint8] | None = None


def photographed_mouths(table: Path) -> Iterator[Mouth]:
    """Cut the mouths of `tongues.csv`: whole faces by their mesh, the others by the tongue's mask."""
    with table.open(encoding="utf-8", newline="") as lines, Landmarkers() as landmarkers:
        for row in csv.DictReader(lines):
            if row["label"] in {"out", "in"}:
                yield from _mouth_of(row, table.parent, landmarkers)


def mouths_of_people(table: Path) -> Iterator[Mouth]:
    """Cut the closed mouths of `people.csv`; nearly all crops of one person are alike, so at most a few of each."""
    taken: dict[str, int] = {}
    with table.open(encoding="utf-8", newline="") as lines, Landmarkers() as landmarkers:
        for row in csv.DictReader(lines):
            person = row["person"]
            if row["tongue"] == "in" and taken.get(person, 0) < OF_ONE_PERSON:
                image = np.asarray(cv2.imread(str(table.parent / row["file"]), cv2.IMREAD_COLOR), np.uint8)
                if face := find_face(landmarkers, image, None):
                    taken[person] = taken.get(person, 0) + 1
                    fold = zlib.crc32(f"p{person}".encode()) % PEOPLE_FOLDS
                    yield Mouth(MouthPlace.of(face).cut(image, WIDE_MOUTH), False, fold, PEOPLE)


def _mouth_of(row: Mapping[str, str], folder: Path, landmarkers: Landmarkers) -> Iterator[Mouth]:
    image = np.asarray(cv2.imread(str(folder / row["file"]), cv2.IMREAD_COLOR), np.uint8)
    fold = zlib.crc32(f"t{row['subject']}".encode()) % PEOPLE_FOLDS
    out = row["label"] == "out"
    if row["eyes"] == "seen":
        face = find_face(landmarkers, image, None)
        if face is not None:
            yield Mouth(MouthPlace.of(face).cut(image, WIDE_MOUTH), out, fold, WHOLE)
    elif row["mask"]:
        mask = np.asarray(cv2.imread(str(folder / row["mask"]), cv2.IMREAD_GRAYSCALE), np.uint8)
        yield _by_mask(image, mask, fold)


def _by_mask(image: Image, mask: npt.NDArray[np.uint8], fold: int) -> Mouth:
    """A wide cut whose scale and place follow from the tongue's mask."""
    height, width = image.shape[:2]
    mask = np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    rows, columns = np.nonzero(mask > 127)
    eye_distance = float(np.percentile(columns, 97) - np.percentile(columns, 3)) / TONGUE_WIDTH
    scale = EYE / eye_distance
    middle = np.array([np.median(columns), rows.min() + 0.2 * eye_distance])
    matrix = np.column_stack([scale * np.eye(2), WIDE_SIZE / 2 - scale * middle])
    size = (WIDE_SIZE, WIDE_SIZE)
    cut = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    return Mouth(
        np.asarray(cut, np.uint8), True, fold, MASKED, np.asarray(cv2.warpAffine(mask, matrix, size), np.uint8)
    )
