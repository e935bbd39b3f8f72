"""Wide crops of mouths, and the search for the face in a training image.

A wide crop is the reader's crop (`bunnymoose_cv.vision.tongue`) with more around it, so that augmentation can shift and
rotate it. Most photographs of `../shared/tongues` show only the lower face; they are cropped by the mask of the tongue.
"""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.geometry import Box, CropSpec
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.tongue import MOUTH, SIDE, SIZE, MouthPlace
from training.content_cache import code_of, keyed, save_arrays
from training.geometry import leading, rotation
from training.tongue.sources import PEOPLE_FOLDS, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from training.tongue.sources import Labelled

    Eyes = tuple[float, float, float, float]

WIDE = 2.5
"""Side of a wide crop, in eye distances, also of the photographs of `mouths.csv`."""

WIDE_SIZE = 128
"""Side of a wide crop, in pixels."""

WIDE_MOUTH = replace(MOUTH, side=WIDE, size=WIDE_SIZE)

EYE = WIDE_SIZE / WIDE
"""One eye distance in pixels of a wide crop."""

LIPS = np.array([WIDE_SIZE / 2, WIDE_SIZE / 2 - 0.2 * EYE])
"""Usual place of the line between the lips in a wide crop, pixels."""

SMALLEST_FACE = 12.0
"""Minimum eye distance in pixels; smaller faces are false detections."""

LOOK_SIZE = 512
"""Side of the square in which a face is searched, in pixels."""

TONGUE_WIDTH: Final = 0.58
"""Usual width of a tongue, in eye distances, for photographs without the eyes."""

MOST_PER_PERSON: Final = 8
"""Largest number of mouths of one person of `people.csv`."""

MASKED, WHOLE, PEOPLE = "masked tongues", "whole faces", "people"


@dataclass(frozen=True, slots=True, eq=False)
class Mouth:
    """A wide crop of a mouth.

    Attributes:
        image: bytes of shape (WIDE_SIZE, WIDE_SIZE, 3).
        out: whether the tongue is out.
        fold: number of the network trained without the person, or `sources.NOBODY`.
        group: group in the figures.
        cover: coverage of each pixel by the tongue, bytes of shape (WIDE_SIZE, WIDE_SIZE); 0 if unknown.
        name: name of the person in `python -m training.evaluate`; "" if it is not known there.
    """

    image: Image
    out: bool
    fold: int
    group: str
    cover: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros((WIDE_SIZE, WIDE_SIZE), np.uint8))
    name: str = ""


def cut_all(samples: Sequence[Labelled], store: Path) -> list[Mouth]:
    """Return the crops of all mouths, from the cache if possible, without images in which no face is found."""
    images = [(sample.file, sample.is_cut, sample.eyes, sample.cover) for sample in samples]
    kept = keyed(store / "cuts.npz", images, code_of(__file__))
    if not kept.is_file():
        save_arrays(kept, _crops_of(samples))
    with np.load(kept) as stored:
        cuts = zip(samples, stored["images"], stored["covers"], stored["found"], strict=True)
    mouths = [
        Mouth(
            image, sample.out, sample.fold, sample.group, cover, sample.file.stem if sample.is_cut else sample.subject
        )
        for sample, image, cover, found in cuts
        if found
    ]
    if len(mouths) < len(samples):
        print(f"no face found in {len(samples) - len(mouths)} of {len(samples)} pictures; they are left out")
    return mouths


def _crops_of(samples: Sequence[Labelled]) -> dict[str, npt.NDArray[Any]]:
    """Crop all samples; the crop is black if no face is found."""
    images = np.zeros((len(samples), WIDE_SIZE, WIDE_SIZE, 3), np.uint8)
    covers = np.zeros(images.shape[:3], np.uint8)
    found = np.array([sample.is_cut for sample in samples], bool)
    with Landmarkers() as landmarkers:
        for index, sample in enumerate(samples):
            image = read(sample.file)
            if sample.is_cut:
                images[index] = image
            elif (place := _mouth_in(landmarkers, image, sample.eyes)) and place.eye_distance >= SMALLEST_FACE:
                images[index], found[index] = place.cut(image, WIDE_MOUTH), True
            if sample.cover:
                covers[index] = read(sample.cover, cv2.IMREAD_GRAYSCALE)
    return {"images": images, "covers": covers, "found": found}


def read(file: Path, flags: int = cv2.IMREAD_COLOR) -> Image:
    """Read an image or a mask."""
    return np.asarray(cv2.imread(str(file), flags), np.uint8)


def _mouth_in(landmarkers: Landmarkers, image: Image, eyes: Eyes | None = None) -> MouthPlace | None:
    face = find_face(landmarkers, image, eyes)
    return None if face is None else MouthPlace.of(face)


def photographed_mouths(table: Path) -> Iterator[Mouth]:
    """Yield crops of the mouths in `tongues.csv`: whole faces by their mesh, others by the mask of the tongue."""
    with Landmarkers() as landmarkers:
        for row in rows_of(table):
            if row["label"] not in {"out", "in"}:
                continue
            image, fold = read(table.parent / row["file"]), _fold(f"t{row['subject']}")
            if row["eyes"] == "seen":
                if place := _mouth_in(landmarkers, image):
                    yield Mouth(place.cut(image, WIDE_MOUTH), row["label"] == "out", fold, WHOLE)
            elif row["mask"]:
                yield _by_mask(image, read(table.parent / row["mask"], cv2.IMREAD_GRAYSCALE), fold)


def mouths_of_people(table: Path) -> Iterator[Mouth]:
    """Yield crops of the closed mouths in `people.csv`, a few of each person, since most images of one are alike."""
    taken: Counter[str] = Counter()
    with Landmarkers() as landmarkers:
        for row in rows_of(table):
            person = row["person"]
            if row["tongue"] == "in" and taken[person] < MOST_PER_PERSON:
                image = read(table.parent / row["file"])
                if place := _mouth_in(landmarkers, image):
                    taken[person] += 1
                    yield Mouth(place.cut(image, WIDE_MOUTH), False, _fold(f"p{person}"), PEOPLE)


def _fold(person: str) -> int:
    return zlib.crc32(person.encode()) % PEOPLE_FOLDS


def _by_mask(image: Image, mask: npt.NDArray[np.uint8], fold: int) -> Mouth:
    """Return a wide crop whose scale and place are estimated from the mask of the tongue."""
    height, width = image.shape[:2]
    mask = np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)
    rows, columns = np.nonzero(mask > 127)
    eye_distance = float(np.percentile(columns, 97) - np.percentile(columns, 3)) / TONGUE_WIDTH
    middle = np.array([np.median(columns), rows.min() + 0.2 * eye_distance])
    matrix = leading(EYE / eye_distance * np.eye(2), middle, np.full(2, WIDE_SIZE / 2))
    size = (WIDE_SIZE, WIDE_SIZE)
    cut = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    cover = np.asarray(cv2.warpAffine(mask, matrix, size), np.uint8)
    return Mouth(np.asarray(cut, np.uint8), True, fold, MASKED, cover)


def find_face(landmarkers: Landmarkers, image: Image, eyes: Eyes | None) -> FaceLandmarks | None:
    """Return the largest face of an image, or the one at the given eyes, located in two steps; None if not found."""
    for squares in _looks(image, eyes):
        faces = [face for square in squares if (face := _look(landmarkers, image, square))]
        if faces:
            largest = max(faces, key=lambda face: MouthPlace.of(face).eye_distance)
            around = Box.around(largest.points)
            close = _square(around.centre, 1.8 * max(around.width, around.height))
            return _look(landmarkers, image, close) or largest
    return None


def _looks(image: Image, eyes: Eyes | None) -> Iterator[list[Box]]:
    """Yield squares to search, in stages: around the eyes, or else the image with wider borders, then smaller tiles."""
    if eyes is not None:
        right_x, right_y, left_x, left_y = eyes
        centre = ((right_x + left_x) / 2, (right_y + left_y) / 2)
        # The eyes of a turned head are close together, so the distance has a lower bound of 30 pixels.
        yield [_square(centre, 7 * max(30.0, float(np.hypot(left_x - right_x, left_y - right_y))))]
        return
    height, width = image.shape[:2]
    for border in (1.0, 1.5, 2.2):
        yield [_square((width / 2, height / 2), border * max(width, height))]
    for share in (0.6, 0.4):
        side = share * max(width, height)
        yield [_square((x, y), side) for x in _middles(width, side) for y in _middles(height, side)]


def _middles(length: int, side: float) -> npt.NDArray[np.float64]:
    """Return the middles of overlapping tiles along a length."""
    if side >= length:
        return np.array([length / 2])
    return np.linspace(side / 2, length - side / 2, int(np.ceil(1.6 * length / side)))


def _square(centre: tuple[float, float], side: float) -> Box:
    return Box(centre[0] - side / 2, centre[1] - side / 2, side, side)


def _look(landmarkers: Landmarkers, image: Image, square: Box) -> FaceLandmarks | None:
    crop = CropSpec(square.width, LOOK_SIZE).cut(image, square.centre, 1.0)
    face = landmarkers.face(crop.image)
    return FaceLandmarks(crop.to_whole(face.points)) if face else None


def at_distance(cut: Image, eye_distance: float) -> Image:
    """Return a wide crop shrunk to an eye distance in pixels; it is never enlarged."""
    side = round(min(1.0, eye_distance / EYE) * WIDE_SIZE)
    return np.asarray(cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def window(
    scene: Image, shift: npt.NDArray[np.float64], turn: float = 0.0, scale: float = 1.0, shear: float = 0.0
) -> Image:
    """Return an input of the network: a window of SIDE eye distances in a wide crop, scaled to SIZE pixels.

    Args:
        scene: the wide crop, of any size.
        shift: shift of the window from the middle, x and y in eye distances.
        turn: rotation of the window, radians.
        scale: factor of its size.
        shear: shear of x by y.
    """
    side = len(scene)
    zoom = SIZE / (side * SIDE / WIDE * scale)
    linear = zoom * (rotation(-turn) + np.array([[0, shear], [0, 0]]))
    middle = (side - 1) / 2 + shift * side / WIDE
    matrix = leading(linear, middle, np.full(2, (SIZE - 1) / 2))
    cut = cv2.warpAffine(scene, matrix, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)
