"""Augmentation for the face detector: crops composed of labelled pictures at any size, tilt and light.

A crop is a background with up to three pictures pasted over it. The teacher scores the crop before hands and cards are
pasted over its faces and its light and camera are varied, so the targets are those of a clear image.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.nets.face_nets import MIRRORED, cells_of
from training.augmentation import (
    as_bytes,
    brightness,
    contrast,
    defocus,
    feathered,
    gain,
    gamma,
    jpeg,
    light,
    motion,
    noise,
    pasted,
    pipeline,
    resolution,
    saturation,
    sharpening,
    slanting_light,
    sometimes,
)
from training.faces.labelled_faces import Source, is_turned
from training.geometry import leading, rotation

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.augmentation import Pixels
    from training.faces.labelled_faces import Picture, Teacher

    Array = npt.NDArray[np.float32]

CROP: Final = 256
"""Side of a crop, pixels."""

SMALLEST, LARGEST = 11.0, 230.0
"""Range of face widths in a crop, pixels; smaller faces are ignored in the loss."""

MOST_ENLARGED: Final = 2.0
LAYERS: Final = (0.18, 0.5, 0.2, 0.12)
"""Shares of crops with 0, 1, 2 and 3 pictures over the background."""

SOURCE_SHARES: Final = {Source.PHOTOGRAPH: 0.56, Source.PERSON: 0.26, Source.TONGUE: 0.1, Source.RENDER: 0.08}
STRIDE_BELOW: Final = ((40.0, 8), (105.0, 16), (np.inf, 32))
"""Upper bounds of face widths, each with the stride of the cells that learn such a face if the teacher misses it."""

TEACHER_SCORE: Final = 0.35
"""Minimum score with which the teacher is taken to have found a labelled face."""

TURNED_WEIGHT: Final = 3.0
"""Sampling weight of faces turned aside, which are few."""

WHOLE_SHARE: Final = 0.95
"""Minimum visible share of a face that is a positive example although the teacher misses it."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledCrop:
    """A crop with its labels, as in `Picture`."""

    image: Image
    faces: Array
    ignored: Array


def _dim(image: Pixels, draw: np.random.Generator) -> Pixels:
    return image * np.float32(draw.uniform(0.08, 0.5))


_TONES: Final = light(
    gain(0.1, exposure=0.2), gamma(0.3), contrast(0.2, middle=0.5), brightness(0.05), sometimes(0.15, _dim)
)


def _toned(image: Pixels, draw: np.random.Generator) -> Pixels:
    """Apply a random tone curve to each channel."""
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[:, None, None], 3, 2)
    return np.asarray(cv2.LUT(image, _TONES(ramp, draw)), np.uint8)


_CAMERA: Final = pipeline(
    sometimes(0.2, light(saturation(lambda draw: draw.uniform(0.0, 1.5)))),
    sometimes(0.2, light(slanting_light(0.5))),
    sometimes(0.9, _toned),
    sometimes(0.25, sometimes(0.6, defocus(0.4, 1.5), motion)),
    sometimes(0.25, resolution(sometimes(0.4, noise(1, 10)))),
    sometimes(0.2, noise(1, 14)),
    sometimes(0.1, sharpening),
    sometimes(0.4, jpeg(25, 90)),
)


class CropSampler:
    """Sampler of training batches.

    Args:
        pictures: pictures for training.
        teacher: detector that scores the cells of each crop.
    """

    def __init__(self, pictures: Sequence[Picture], teacher: Teacher) -> None:
        self._teacher = teacher
        self._scaled = {picture.name: _pyramid(picture.image) for picture in pictures}
        self._empty = [picture for picture in pictures if not len(picture.faces) and picture.source is not Source.HAND]
        self._hands = [picture for picture in pictures if picture.source is Source.HAND]
        self._groups: dict[Source, list[list[Picture]]] = {}
        for source in SOURCE_SHARES:
            groups: dict[str, list[Picture]] = {}
            for picture in pictures:
                if picture.source is source and len(picture.faces):
                    group = picture.name if source is Source.PHOTOGRAPH else picture.group
                    groups.setdefault(group, []).append(picture)
            self._groups[source] = [*groups.values()]
        weights = np.sqrt([len(picture.faces) for (picture,) in self._groups[Source.PHOTOGRAPH]])
        self._weights = {Source.PHOTOGRAPH: weights / weights.sum()}

    def batch(self, count: int, draw: np.random.Generator) -> tuple[npt.NDArray[np.uint8], Array, Array, Array]:
        """Draw crops, and return them with the scores, weights and faces of `detector.loss_of`."""
        crops = [self._composed(draw) for _ in range(count)]
        teacher_scores = self._teacher.scores([crop.image for crop in crops])
        targets = [targets_of(crop, scores) for crop, scores in zip(crops, teacher_scores, strict=True)]
        images = [np.asarray(_CAMERA(self._degraded(crop, draw), draw), np.uint8) for crop in crops]
        return np.stack(images), *map(np.stack, zip(*targets, strict=True))  # type: ignore[return-value]

    def _composed(self, draw: np.random.Generator) -> LabelledCrop:
        crop = self._background(draw)
        for _ in range(draw.choice(len(LAYERS), p=LAYERS)):
            source = [*SOURCE_SHARES][draw.choice(len(SOURCE_SHARES), p=[*SOURCE_SHARES.values()])]
            group = self._groups[source][draw.choice(len(self._groups[source]), p=self._weights.get(source))]
            picture = group[draw.integers(len(group))]
            turned = np.array([TURNED_WEIGHT if is_turned(face) else 1.0 for face in picture.faces])
            face = picture.faces[draw.choice(len(turned), p=turned / turned.sum())]
            width = np.exp(draw.uniform(np.log(SMALLEST), np.log(LARGEST)))
            scale = min(float(width / face[2]), MOST_ENLARGED)
            room = max(CROP - 0.9 * scale * face[2:4].max(), 0.2 * CROP)
            place = CROP / 2 + room * draw.uniform(-0.5, 0.5, 2)
            crop = self._with_picture(crop, picture, (face[:2] + face[2:4] / 2, place, scale), draw)
        return crop

    def _background(self, draw: np.random.Generator) -> LabelledCrop:
        chance = draw.random()
        grey = np.full((CROP, CROP, 3), draw.integers(0, 256, 3), np.uint8)
        crop = LabelledCrop(grey, np.zeros((0, 14), np.float32), np.zeros((0, 4), np.float32))
        photographs = self._groups[Source.PHOTOGRAPH]
        for _ in range(3 if chance < 0.15 else 1):
            if chance < 0.3:
                picture = self._hands[draw.integers(len(self._hands))]
            elif chance < 0.7:
                picture = self._empty[draw.integers(len(self._empty))]
            else:
                picture = photographs[draw.integers(len(photographs))][0]
            height, width = picture.image.shape[:2]
            scale = CROP / min(height, width) * float(np.exp(draw.uniform(-0.7, 1.0)))
            at = np.array([width, height]) * draw.uniform(0.2, 0.8, 2)
            place = CROP * draw.uniform(0.3, 0.7, 2)
            crop = self._with_picture(crop, picture, (at, place, min(scale, 3.0)), draw)
        if draw.random() < 0.15:
            _write(crop.image, draw)
        return crop

    def _with_picture(
        self, under: LabelledCrop, picture: Picture, where: tuple[Pixels, Pixels, float], draw: np.random.Generator
    ) -> LabelledCrop:
        """Paste a picture over a crop, tilted, and mirrored half of the time.

        Args:
            where: a point of the picture, its place in the crop, and the picture's scale.
        """
        at, place, scale = where
        turn = draw.uniform(-0.8, 0.8) if draw.random() < 0.2 else draw.normal(0, 0.12)
        mirrored = draw.random() < 0.5
        linear = scale * rotation(turn) @ np.diag([-1.0 if mirrored else 1.0, 1.0])
        matrix = leading(linear, at, place)
        canvas, mask = _with_warped(under.image, self._scaled[picture.name], matrix, scale)
        faces = moved_faces(picture.faces, matrix, turn, mirrored=mirrored)
        ignored = moved_faces(np.pad(picture.ignored, ((0, 0), (0, 10))), matrix, turn, mirrored=mirrored)[:, :4]
        hidden = np.array([_share(mask, face) for face in under.faces], np.float32)
        inside = np.array([_visible(face) for face in faces], np.float32)
        partly, cut = (hidden >= 0.1) & (hidden < 0.8), (inside > 0.1) & (inside < 0.6)
        open_places = [place for place in under.ignored if _share(mask, place) < 0.8]
        places = [np.array(open_places, np.float32).reshape(-1, 4), under.faces[partly, :4], ignored, faces[cut, :4]]
        return LabelledCrop(
            canvas, np.concatenate([under.faces[hidden < 0.1], faces[inside >= 0.6]]), np.concatenate(places)
        )

    def _degraded(self, crop: LabelledCrop, draw: np.random.Generator) -> Image:
        """Return the crop with some faces lit from behind, or partly covered by hands and cards."""
        image: Pixels = crop.image
        if len(crop.faces) and draw.random() < 0.12:
            image = _backlit(image, crop.faces, draw)
        for face in crop.faces:
            if face[2] > 2 * SMALLEST and draw.random() < 0.25:
                hand = self._hands[draw.integers(len(self._hands))].image if draw.random() < 0.7 else None
                image = _covered(image, face, hand, draw)
        return np.asarray(image, np.uint8)


def targets_of(crop: LabelledCrop, teacher_scores: Array) -> tuple[Array, Array, Array]:
    """Return the target scores, their weights, and the faces of the cells of a crop.

    In a labelled face that the teacher finds, the targets are the teacher's scores, scaled so that the best cell has at
    least 0.95. In a face that it misses, the middle cells of the fitting stride are positive, and others are ignored.
    Cells outside labelled faces are negative.
    """
    cells = cells_of(CROP, CROP)
    scores, weights = np.zeros(len(cells), np.float32), np.ones(len(cells), np.float32)
    faces = np.full((len(cells), 14), np.nan, np.float32)
    for box in crop.ignored:
        weights[_distance(cells, box, margin=0.2) < 1] = 0
    for face in sorted(crop.faces, key=lambda face: -face[2]):
        away = _distance(cells, face)
        inside = away < 1
        best = teacher_scores[inside].max(initial=0.0)
        scores[inside], weights[inside] = 0, 1
        if face[2] < SMALLEST or (best < TEACHER_SCORE and _visible(face) < WHOLE_SHARE):
            weights[inside] = 0
            continue
        if best >= TEACHER_SCORE:
            scores[inside] = np.minimum(teacher_scores[inside] * max(1.0, 0.95 / best), 1.0)
        else:
            side = next(side for below, side in STRIDE_BELOW if face[2] < below)
            distance = np.where(cells[:, 2] == side, away, np.inf)
            middle = distance <= max(0.4, distance.min())
            weights[inside] = 0
            scores[middle], weights[middle] = 0.95, 1
            inside |= middle
        faces[inside] = face
    return scores, weights, faces


def _distance(cells: Array, box: Array, margin: float = 0.0) -> Array:
    """Return the distance of cells from the middle of a box, 1 at the edges of the box with a relative margin."""
    off = np.abs(cells[:, :2] - box[:2] - box[2:4] / 2) / (box[2:4] * (0.5 + margin))
    return np.asarray(off.max(1), np.float32)


def moved_faces(faces: Array, matrix: Pixels, turn: float, *, mirrored: bool) -> Array:
    """Return faces after an affine map with a known rotation. Each box encloses the rotated ellipse inscribed in it."""
    linear, scale = matrix[:, :2], float(np.linalg.norm(matrix[:, 0]))
    centres = (faces[:, :2] + faces[:, 2:4] / 2) @ linear.T + matrix[:, 2]
    cosine, sine = abs(np.cos(turn)), abs(np.sin(turn))
    width, height = scale * faces[:, 2], scale * faces[:, 3]
    sides = np.stack([np.hypot(cosine * width, sine * height), np.hypot(sine * width, cosine * height)], 1)
    points = faces[:, 4:].reshape(-1, 5, 2) @ linear.T + matrix[:, 2]
    ordered = points[:, MIRRORED] if mirrored else points
    return np.hstack([centres - sides / 2, sides, ordered.reshape(-1, 10)]).astype(np.float32)


def _pyramid(image: Image) -> list[Image]:
    levels = [image]
    while min(levels[-1].shape[:2]) > 2 * SMALLEST and len(levels) < 5:
        half = [max(1, length // 2) for length in levels[-1].shape[1::-1]]
        levels.append(np.asarray(cv2.resize(levels[-1], half, interpolation=cv2.INTER_AREA), np.uint8))
    return levels


def _with_warped(
    under: Image, levels: Sequence[Image], matrix: Pixels, scale: float
) -> tuple[Image, npt.NDArray[np.uint8]]:
    """Return a crop with a picture pasted over it by an affine map, and a mask of the picture, 0 or 1."""
    level = int(np.clip(np.round(-np.log2(scale)), 0, len(levels) - 1))
    from_level = matrix @ np.diag([2.0**level, 2.0**level, 1.0])
    over = cv2.warpAffine(levels[level], from_level, (CROP, CROP), under.copy(), borderMode=cv2.BORDER_TRANSPARENT)
    mask = cv2.warpAffine(np.ones(levels[level].shape[:2], np.uint8), from_level, (CROP, CROP), flags=cv2.INTER_NEAREST)
    return np.asarray(over, np.uint8), np.asarray(mask, np.uint8)


def _visible(face: Array) -> float:
    """Return the share of a face's box that is inside the crop."""
    seen = np.clip(face[:2] + face[2:4], 0, CROP) - np.clip(face[:2], 0, CROP)
    return float(seen.prod() / face[2:4].prod())


def _share(mask: npt.NDArray[np.uint8], face: Array) -> float:
    """Return the share of a face's box that a mask covers."""
    (left, top), (right, bottom) = (np.clip(at, 0, CROP).astype(int) for at in (face[:2], face[:2] + face[2:4] + 1))
    return float(mask[top:bottom, left:right].mean()) if right > left and bottom > top else 1.0


def _write(image: Image, draw: np.random.Generator) -> None:
    """Write large letters across an image, since the pictures without a face contain little print."""
    size, line = draw.uniform(0.4, 3.0), "".join(map(chr, draw.integers(65, 91, 6)))
    at, colour = draw.integers(-20, CROP, 2).tolist(), draw.integers(0, 256, 3).tolist()
    cv2.putText(image, line, at, cv2.FONT_HERSHEY_DUPLEX, size, colour, max(1, round(size * draw.uniform(1, 5))))


def _backlit(image: Pixels, faces: Array, draw: np.random.Generator) -> Image:
    mask = np.zeros((CROP, CROP), np.float32)
    for face in faces:
        cv2.ellipse(mask, ((*(face[:2] + face[2:4] / 2),), (*(1.6 * face[2:4] + 2),), 0.0), 1.0, -1)
    share = feathered(mask, max(1.0, 0.3 * float(np.median(faces[:, 2]))))
    lit = image * draw.uniform(1.0, 1.7) + draw.uniform(0, 50)
    return as_bytes(lit * (1 - share) + image * share * np.float32(draw.uniform(0.25, 0.7)))


def _covered(image: Pixels, face: Array, hand: Image | None, draw: np.random.Generator) -> Image:
    """Paste a hand over the edge of a face, or without one a card of one colour."""
    angle, size = draw.uniform(0, 2 * np.pi), float(face[2] * draw.uniform(0.5, 1.1))
    centre = face[:2] + face[2:4] / 2 + face[2:4] * draw.uniform(0.5, 0.85) * np.array([np.cos(angle), np.sin(angle)])
    mask = np.zeros((CROP, CROP), np.float32)
    shape = ((*map(float, centre),), (size, size * draw.uniform(0.6, 1.4)), float(draw.uniform(0, 180)))
    if hand is None:
        cv2.fillConvexPoly(mask, np.round(cv2.boxPoints(shape)).astype(np.int32), 1.0)
        over: Pixels = np.full_like(image, 255) * draw.uniform(0.2, 1.0, 3)
    else:
        cv2.ellipse(mask, shape, 1.0, -1)
        scale = 1.3 * size / min(hand.shape[:2])
        linear = scale * rotation(draw.normal(0, 0.5))
        over = cv2.warpAffine(hand, leading(linear, np.array(hand.shape[1::-1]) / 2, centre), (CROP, CROP))
    return as_bytes(pasted(over, feathered(mask, max(0.6, 0.04 * size)), image))
