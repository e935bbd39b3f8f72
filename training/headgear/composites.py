"""Stored crops of sides as shown in training: with composited hands, and as from other cameras and lights.

The photographed hands of `../shared/hands` are segmented and composited at temples and crowns of real heads.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import numpy.typing as npt

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.vision.geometry import shrink
from bunnymoose_cv.vision.hands.hand_search import find_lone_hand
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from bunnymoose_cv.vision.headgear.side_net import SIZE, WINDOW
from bunnymoose_cv.vision.nets.worker_pool import Workers
from training.augmentation import PALM, PHOTOGRAPHED, as_bytes, drawn_hand, feathered, moved_by, pasted
from training.content_cache import code_of, keyed, pickled_once
from training.evaluate.hand_labels import HandLabels
from training.geometry import leading, rotation, similarity
from training.headgear.examples import ANTLER, EAR, NEITHER, UNKNOWN
from training.headgear.gather import STORED_SIZE, STORED_WINDOW, WORK
from training.paths import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from training.headgear.examples import Sides

Array = npt.NDArray[np.float64]

TABLE: Final = SHARED / "hands/hands.csv"
LARGEST_PX: Final = 180
SMALLEST_PALM_PX: Final = 14
THUMB_OUT: Final = 0.42
"""Distance from the thumb tip to the index finger of a flat hand, in palms, above which its thumb is out."""

TRIES: Final = 8
EYE_PX: Final = STORED_SIZE / STORED_WINDOW
THUMB_TIP, WRIST, MIDDLE_ROOT = 4, 0, 9
_FINGERS: Final = ((0, 1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16), (17, 18, 19, 20))


class HandShape(Enum):
    """Class of a photographed hand."""

    WIDE = "wide antler"
    COMPACT = "compact antler"
    EAR = "straight ear"
    NEITHER = "neither"


_SHAPES: Final = {Kind.ANTLER: HandShape.WIDE, Kind.EAR: HandShape.EAR, Kind.NEITHER: HandShape.NEITHER}
"""Class of each kind; labels with the thumb out require parted fingers."""


class Placement(Enum):
    """Purpose of a composite: a headgear, another hand at the head, or a headgear's hand away from its place."""

    HEADGEAR = "headgear"
    NEITHER = "neither"
    OFF_PLACE = "off place"


SHARES: Final = (
    (HandShape.WIDE, Placement.HEADGEAR, 0.20),
    (HandShape.COMPACT, Placement.HEADGEAR, 0.13),
    (HandShape.EAR, Placement.HEADGEAR, 0.25),
    (HandShape.NEITHER, Placement.NEITHER, 0.30),
    (HandShape.WIDE, Placement.OFF_PLACE, 0.04),
    (HandShape.COMPACT, Placement.OFF_PLACE, 0.04),
    (HandShape.EAR, Placement.OFF_PLACE, 0.04),
)
"""Share of each kind of composite. Nearly half show no headgear, so that a seam does not reveal the class."""


@dataclass(frozen=True, slots=True, eq=False)
class CutOutHand:
    """A segmented hand: image, mask (0 to 255) of the same size, joints in its pixels, class."""

    image: Image
    mask: npt.NDArray[np.uint8]
    joints: Array
    shape: HandShape


def cached_hands() -> list[CutOutHand]:
    """Return the segmented photographed hands, from the cache if possible."""
    photographs = sorted(TABLE.parent.rglob("*.jpg"))
    file = keyed(WORK / "cut_out_hands.pickle", TABLE, photographs, code_of(__file__))
    return pickled_once(file, lambda: cut_out_hands(TABLE))


def cut_out_hands(table: Path) -> Iterator[CutOutHand]:
    """Segment the hands of `hands.csv` that are large enough and have a label that decides their class."""
    with Workers() as workers, table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            image = read_image(table.parent / row["file"])
            hand = find_lone_hand(image, workers)
            if hand and (cut_out := _cut_out(image, hand.points[:, :2].astype(float), row)):
                yield cut_out


def _cut_out(image: Image, joints: Array, row: Mapping[str, str]) -> CutOutHand | None:
    image, scale = shrink(image, LARGEST_PX)
    joints = joints * scale
    palm = (np.linalg.norm(joints[9] - joints[0]) + np.linalg.norm(joints[17] - joints[5])) / 1.6
    shape = _shape_of(joints, row)
    if palm < SMALLEST_PALM_PX or shape is None:
        return None
    return CutOutHand(image, _segmented(image, joints, float(palm)), joints, shape)


def _shape_of(joints: Array, row: Mapping[str, str]) -> HandShape | None:
    """Return the class of a hand by its label, and for a flat hand also by its thumb."""
    kind = HandLabels.of_letters(row["fingers_out"], row["thumb"]).kind
    if kind is not None:
        return _SHAPES[kind]
    if row["label"] in {"stop", "stop_inverted"} and thumb_apart(joints) > THUMB_OUT:
        return HandShape.COMPACT
    return None


def thumb_apart(joints: Array) -> float:
    """Return the distance of the thumb tip from the index finger, in palm lengths."""
    steps = np.linspace(0, 1, 8)[:, None]
    finger = np.concatenate([joints[k] + steps * (joints[k + 1] - joints[k]) for k in (5, 6, 7)])
    palm = np.linalg.norm(joints[[5, 9, 13, 17]] - joints[WRIST], axis=1).mean()
    return float(np.linalg.norm(finger - joints[THUMB_TIP], axis=1).min() / palm)


def _segmented(image: Image, joints: Array, palm: float) -> npt.NDArray[np.uint8]:
    """Return the mask of a hand by GrabCut, initialised from its joints, or the drawn hand if GrabCut loses it."""
    drawn = [drawn_hand(image.shape[:2], joints, share * palm, _FINGERS) for share in (0.12, 0.27, 0.5)]
    seeds = np.full(image.shape[:2], cv2.GC_BGD, np.uint8)
    for mask, seed in zip(reversed(drawn), (cv2.GC_PR_BGD, cv2.GC_PR_FGD, cv2.GC_FGD), strict=True):
        seeds[mask > 0] = seed
    models = np.zeros((2, 1, 65))
    cv2.grabCut(image, seeds, (0, 0, 0, 0), models[0], models[1], 2, cv2.GC_INIT_WITH_MASK)
    found = np.isin(seeds, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    if not 0.6 < found.sum() / drawn[1].sum() < 1.5:
        found = drawn[1]
    return np.asarray(cv2.medianBlur(found * 255, 3), np.uint8)


_FROM_WRIST: Final = ((0, 1, 2, 3, 4), (0, 5, 6, 7, 8), (0, 9, 10, 11, 12), (0, 13, 14, 15, 16), (0, 17, 18, 19, 20))

FINGER_WIDTH: Final = 0.33
"""Width of a drawn finger in eye distances: a finger has a quarter, and joints are a little off its middle."""

BRIGHTNESS_OFFSET: Final = 20
"""Offset of both mean brightnesses in a ratio, which bounds the gain of dark hands."""


def hand_in_crop(joints: npt.NDArray[np.floating]) -> bool:
    """Return whether a hand's joints, shape (21, 2), are known and inside the stored crop."""
    return bool(np.all(np.isfinite(joints)) and np.all((joints > 0) & (joints < STORED_SIZE - 1)))


def pasted_over(image: Image, joints: npt.NDArray[np.floating], photograph: Image, draw: np.random.Generator) -> Image:
    """Paste the hand of a stored crop over a photograph, and adapt its light.

    There are few photographs of hands at heads. Without these, the network would learn that photographs show none.

    Args:
        image: stored crop.
        joints: joints of its hand, shape (21, 2), pixels.
        photograph: another stored crop.
        draw: random generator.
    """
    width = round(FINGER_WIDTH * EYE_PX * draw.uniform(0.9, 1.2))
    mask = drawn_hand((STORED_SIZE, STORED_SIZE), joints.astype(np.float64), width, _FROM_WRIST)
    share = feathered(mask * np.uint8(255), 1.2).astype(np.float32) / np.float32(255)
    mean, target = (pixels.reshape(-1, 3).mean(0) + BRIGHTNESS_OFFSET for pixels in (image, photograph))
    lit = np.clip((target / mean) ** draw.uniform(0.0, 1.0) * image, 0, 255)
    return np.asarray(pasted(lit, share, photograph), np.uint8)


class Compositor:
    """Compositor of photographed hands and real heads, with hands where rendered players hold theirs.

    Args:
        hands: segmented hands.
        renders: rendered sides, whose joints give the places and sizes of hands of each class.
        draw: random generator.
    """

    def __init__(self, hands: Sequence[CutOutHand], renders: Sides, draw: np.random.Generator) -> None:
        self._draw = draw
        self._hands = {shape: [hand for hand in hands if hand.shape is shape] for shape in HandShape}
        self._joints = renders.joints.astype(np.float64)
        self._values = renders.truth.values
        plain = ~renders.truth.between.any(1) & np.array([hand_in_crop(joints) for joints in self._joints])
        kind, spread, form = self._values[:, 0], self._values[:, 1], self._values[:, 3]
        self._rows = {
            HandShape.WIDE: np.flatnonzero(plain & (kind == ANTLER) & (spread == 1)),
            HandShape.COMPACT: np.flatnonzero(plain & (kind == ANTLER) & (spread == 0)),
            HandShape.EAR: np.flatnonzero(plain & (kind == EAR) & (form == 1)),
            HandShape.NEITHER: np.flatnonzero(plain),
        }

    def over(self, background: Image) -> tuple[Image, tuple[int, ...], Array]:
        """Composite a random hand over a crop of an empty side.

        Returns:
            The crop, its `Truth.values`, and the joints of the hand in its pixels.
        """
        number = int(self._draw.choice(len(SHARES), p=[share for *_, share in SHARES]))
        shape, placement, _ = SHARES[number]
        hand, row, axes = self._fitted(shape)
        anchor = [THUMB_TIP] if shape in {HandShape.WIDE, HandShape.COMPACT} else [5, 9]
        axes = axes * float(np.exp(self._draw.normal(0, 0.1)))
        root = self._joints[row][anchor].mean(0) + self._shift(placement)
        matrix = leading(axes, hand.joints[anchor].mean(0), root)
        values = tuple(self._values[row].tolist()) if placement is Placement.HEADGEAR else _NO_HEADGEAR
        return self._pasted(hand, matrix, background), values, hand.joints @ axes.T + matrix[:, 2]

    def _fitted(self, shape: HandShape) -> tuple[CutOutHand, int, Array]:
        """Draw a hand and a rendered hand. Return the first, the row of the second, and the linear map between them."""
        weights = np.full(21, 0.3)
        weights[list(PALM)] = 1.0
        weights[THUMB_TIP] = 1.5 if shape in {HandShape.WIDE, HandShape.COMPACT} else 0.3
        largest = 1.2 if shape is HandShape.NEITHER else 0.45
        for _ in range(TRIES):
            hand = self._hands[shape][int(self._draw.integers(len(self._hands[shape])))]
            row = int(self._draw.choice(self._rows[shape]))
            target = self._joints[row]
            fits = [similarity(hand.joints, target, weights, mirrored=mirrored) for mirrored in (False, True)]
            axes, error = min(fits, key=lambda fit: fit[1])
            if error < largest * np.linalg.norm(target[MIDDLE_ROOT] - target[WRIST]):
                break
        return hand, row, axes

    def _shift(self, placement: Placement) -> Array:
        """Draw the shift of the hand in pixels of the crop."""
        draw = self._draw
        if placement is Placement.HEADGEAR:
            return draw.normal(0, 0.06, 2) * EYE_PX
        if placement is Placement.NEITHER:
            return draw.normal(0, 0.45, 2) * EYE_PX
        if draw.random() < 0.3:  # into the face
            return EYE_PX * np.array([draw.uniform(-1.8, -0.9), draw.uniform(0.2, 2.2)])
        angle = draw.uniform(-1.2, 1.2)
        return EYE_PX * draw.uniform(1.3, 2.6) * np.array([np.cos(angle), -np.sin(angle)])

    def _pasted(self, hand: CutOutHand, matrix: Array, background: Image) -> Image:
        """Paste the hand over the background, with a brightness between both."""
        mask = cv2.warpAffine(hand.mask, matrix, (STORED_SIZE, STORED_SIZE), flags=cv2.INTER_AREA) / np.float32(255)
        image = moved_by(matrix, hand.image, STORED_SIZE)
        share = feathered(mask, self._draw.uniform(0.5, 1.4))
        if (mask > 0.5).any():
            mean, target = image[mask > 0.5].mean() + BRIGHTNESS_OFFSET, background.mean() + BRIGHTNESS_OFFSET
            image *= (target / mean) ** self._draw.uniform(0, 0.8)
        return as_bytes(pasted(image, share, background))


_NO_HEADGEAR: Final = (NEITHER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)


def central_crops(images: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the crops that the reader would use, from stored crops of shape (n, STORED_SIZE, STORED_SIZE, 3)."""
    window = _window(1.0, 0.0, np.zeros(2))
    return np.stack([_seen_through(window, image) for image in images])


def _window(size: float, turn: float, shift: Array) -> Array:
    """Return the affine map from a stored crop to the network's input, shape (2, 3).

    Args:
        size: factor of the scale.
        turn: rotation in radians.
        shift: shift in eye distances.
    """
    axes = size * SIZE / WINDOW * STORED_WINDOW / STORED_SIZE * rotation(turn)
    return leading(axes, np.full(2, (STORED_SIZE - 1) / 2), (SIZE - 1) / 2 + shift * SIZE / WINDOW)


def _seen_through(window: Array, image: Image) -> Image:
    return np.asarray(cv2.warpAffine(image, window, (SIZE, SIZE), borderValue=(128, 128, 128)), np.uint8)


def augmented(
    image: Image, joints: npt.NDArray[np.float16], other: Image, draw: np.random.Generator
) -> tuple[Image, Array]:
    """Augment a stored crop: another camera, other light, and errors of the face detector.

    Args:
        image: shape (STORED_SIZE, STORED_SIZE, 3).
        joints: joints of its hand, shape (21, 2), pixels.
        other: another stored crop, of which a patch or a faint image is added. Half of them should be photographs, so
            that a photographic look does not reveal that a side is empty.
        draw: random generator.

    Returns:
        The crop as the network's input, and the joints in it.
    """
    window = _window(float(np.exp(draw.normal(0, 0.08))), draw.normal(0, 0.1), draw.normal(0, 0.18, 2))
    cut = _seen_through(window, image)
    if draw.random() < 0.3:
        _patch(cut, other, draw)
    if draw.random() < 0.3:
        share = draw.uniform(0.08, 0.28)
        cut = np.asarray(cv2.addWeighted(cut, 1 - share, other[:SIZE, :SIZE], share, 0), np.uint8)
    return PHOTOGRAPHED(cut, draw), joints.astype(np.float64) @ window[:, :2].T + window[:, 2]


def _patch(cut: Image, other: Image, draw: np.random.Generator) -> None:
    """Paste a part of another image: a strip at the outer edge, like a neighbour, or a small square."""
    if draw.random() < 0.5:
        width = round(SIZE * draw.uniform(0.05, 0.21))
        cut[:, -width:] = other[:SIZE, -width:]
        return
    side = round(SIZE * draw.uniform(0.07, 0.23))
    (x, y), (u, v) = draw.integers(0, SIZE - side, (2, 2))
    cut[y : y + side, x : x + side] = other[v : v + side, u : u + side]
