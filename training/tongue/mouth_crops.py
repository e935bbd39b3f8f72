"""From images to wide mouth cuts, kept on disk. Holds the search for the one face of a training image.

The cut is the reader's own (`bunnymoose_cv.vision.tongue`), only wider, so that training can shift and turn in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.geometry import Box, Crop
from bunnymoose_cv.vision.nets.mediapipe import Landmarkers
from bunnymoose_cv.vision.tongue.mouth_crop import MOUTH, MouthPlace
from training.content_cache import code_of, keyed, save_arrays

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from training.tongue.sources import Labelled

WIDE = 2.5
"""Side of a wide cut, in eye distances; the photographs of `mouths.csv` have it too."""

WIDE_SIZE = 128
"""Side of a wide cut, in pixels."""

WIDE_MOUTH = replace(MOUTH, side=WIDE, size=WIDE_SIZE)

SMALLEST_FACE = 12.0
"""Threshold of the eye distance, pixels; a smaller face was found where there is none."""

LOOK_SIZE = 512
"""Side of the square in which a face is looked for, in pixels."""


@dataclass(frozen=True, slots=True)
class MouthCrops:
    """Wide cuts and what they show, index by index.

    Attributes:
        images: bytes of shape (n, WIDE_SIZE, WIDE_SIZE, 3).
        samples: label and person of each.
        eye_distances: pixels between the eyes in the image it came from, shape (n,); WIDE_SIZE / WIDE for cuts.
        covers: how much of each pixel the tongue covers, bytes of shape (n, WIDE_SIZE, WIDE_SIZE); 0 where unknown.
    """

    images: npt.NDArray[np.uint8]
    samples: list[Labelled]
    eye_distances: npt.NDArray[np.float64]
    covers: npt.NDArray[np.uint8]

    def where(self, chosen: npt.NDArray[np.bool_]) -> MouthCrops:
        """Only the chosen ones."""
        samples = [sample for sample, keep in zip(self.samples, chosen, strict=True) if keep]
        return MouthCrops(self.images[chosen], samples, self.eye_distances[chosen], self.covers[chosen])

    def joined(self, others: MouthCrops) -> MouthCrops:
        """Join two sets of cuts."""
        images = np.concatenate([self.images, others.images])
        eye_distances = np.concatenate([self.eye_distances, others.eye_distances])
        covers = np.concatenate([self.covers, others.covers])
        return MouthCrops(images, self.samples + others.samples, eye_distances, covers)

    @property
    def folds(self) -> npt.NDArray[np.int64]:
        """Fold of each cut, the one whose net leaves it out, shape (n,)."""
        return np.array([sample.fold for sample in self.samples], np.int64)

    @property
    def out(self) -> npt.NDArray[np.bool_]:
        """Mask of tongues that are out, shape (n,)."""
        return np.array([sample.out for sample in self.samples], bool)


def cut_all(samples: Sequence[Labelled], store: Path) -> MouthCrops:
    """Cut every mouth, or take the cuts from the store when the same images were cut before.

    Images in which no face is found are left out and counted.
    """
    images = [(sample.file, sample.is_cut, sample.eyes, sample.cover) for sample in samples]
    kept = keyed(store / "cuts.npz", images, code_of(__file__))
    if not kept.is_file():
        cuts = _cut_anew(samples)
        save_arrays(kept, {name: getattr(cuts, name) for name in ("images", "eye_distances", "covers")})
    with np.load(kept) as stored:
        cuts = MouthCrops(stored["images"], list(samples), stored["eye_distances"], stored["covers"])
    found = cuts.eye_distances > 0
    if not found.all():
        print(f"no face found in {np.count_nonzero(~found)} of {len(samples)} pictures; they are left out")
    return cuts.where(found)


def _cut_anew(samples: Sequence[Labelled]) -> MouthCrops:
    """Crops of all samples, black and with eye distance 0 where no face is found."""
    images = np.zeros((len(samples), WIDE_SIZE, WIDE_SIZE, 3), np.uint8)
    eye_distances = np.zeros(len(samples))
    covers = np.zeros(images.shape[:3], np.uint8)
    with Landmarkers() as landmarkers:
        for index, sample in enumerate(samples):
            image = np.asarray(cv2.imread(str(sample.file), cv2.IMREAD_COLOR), np.uint8)
            if sample.is_cut:
                images[index], eye_distances[index] = image, WIDE_SIZE / WIDE
            elif face := find_face(landmarkers, image, sample.eyes):
                place = MouthPlace.of(face)
                if place.eye_distance >= SMALLEST_FACE:
                    images[index], eye_distances[index] = place.cut(image, WIDE_MOUTH), place.eye_distance
            if sample.cover:
                covers[index] = cv2.imread(str(sample.cover), cv2.IMREAD_GRAYSCALE)
    return MouthCrops(images, list(samples), eye_distances, covers)


def find_face(
    landmarkers: Landmarkers, image: Image, eyes: tuple[float, float, float, float] | None
) -> FaceLandmarks | None:
    """The largest face of an image, or the one at the given eyes: found roughly, then looked at closely."""
    for squares in _looks(image, eyes):
        faces = [face for square in squares if (face := _look(landmarkers, image, square))]
        if faces:
            largest = max(faces, key=lambda face: MouthPlace.of(face).eye_distance)
            around = Box.around(largest.points)
            close = _square(around.centre, 1.8 * max(around.width, around.height))
            return _look(landmarkers, image, close) or largest
    return None


def _looks(image: Image, eyes: tuple[float, float, float, float] | None) -> Iterator[list[Box]]:
    """Squares to look in, stage by stage: at the eyes, or the whole with ever more border, then ever smaller tiles."""
    if eyes is not None:
        right_x, right_y, left_x, left_y = eyes
        centre = ((right_x + left_x) / 2, (right_y + left_y) / 2)
        # A turned head brings the eyes together: 30 pixels keep its square from getting too small.
        yield [_square(centre, 7 * max(30.0, float(np.hypot(left_x - right_x, left_y - right_y))))]
        return
    height, width = image.shape[:2]
    for border in (1.0, 1.5, 2.2):
        yield [_square((width / 2, height / 2), border * max(width, height))]
    for share in (0.6, 0.4):
        side = share * max(width, height)
        yield [_square((x, y), side) for x in _middles(width, side) for y in _middles(height, side)]


def _middles(length: int, side: float) -> npt.NDArray[np.float64]:
    """Middles of overlapping tiles along a length."""
    if side >= length:
        return np.array([length / 2])
    return np.linspace(side / 2, length - side / 2, int(np.ceil(1.6 * length / side)))


def _square(centre: tuple[float, float], side: float) -> Box:
    return Box(centre[0] - side / 2, centre[1] - side / 2, side, side)


def _look(landmarkers: Landmarkers, image: Image, square: Box) -> FaceLandmarks | None:
    crop = Crop.cut(image, square.centre, square.width, LOOK_SIZE)
    face = landmarkers.face(crop.image)
    return FaceLandmarks(crop.to_whole(face.points)) if face else None
