"""SIFT keypoints of all enrolled faces, and the alignment of a crop by matching them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, FRAME_CORNERS, Homography, moved
from bunnymoose_cv.vision.cards.card_settings import MATCHING
from bunnymoose_cv.vision.cards.root_sift import Keypoints, root_sift

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

SCALE: Final = 0.75
"""Keypoints are sought in crops of 3 pixels a millimetre: of enrolled faces and of images alike."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """A card found by matching: the map from its frame to the frame that the crop was cut in, and the matches."""

    onto: Homography
    inliers: int


def keypoints_of(crop: Image, most: int, margin: float = 0.0) -> Keypoints:
    """Find the strongest keypoints of a crop of `SCALE`; places and sizes, like its margin, in the card's frame."""
    grey = np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8)
    found = root_sift(grey, most, MATCHING.contrast)
    places, sizes = found.places[:most] / SCALE - margin, found.sizes[:most] / SCALE
    return Keypoints(places, found.angles[:most], sizes, found.descriptors[:most])


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Keypoints of all faces, those that are alike in look, place and size once: to find cards, not to tell them apart.

    One drawing in two sizes stands there twice, else half of its matches would vote for a card of another size.
    """

    places: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float32]
    descriptors: npt.NDArray[np.float32]

    def same_as(self, others: Vocabulary) -> npt.NDArray[np.bool_]:
        """Tell which of other keypoints are alike to which of these, shape (others, these)."""
        alike = others.descriptors @ self.descriptors.T > MATCHING.alike
        near = np.abs(others.places[:, None] - self.places[None, :]).max(2, initial=0) < MATCHING.same_place
        return np.asarray(alike & near, np.bool_)


class KeypointIndex:
    """Keypoints of every enrolled face, matched all at once."""

    def __init__(self, crops: Sequence[Image]) -> None:
        count = len(crops)
        self._places = np.zeros((count, MATCHING.per_face, 2), np.float32)
        self._angles = np.zeros((count, MATCHING.per_face), np.float32)
        self._sizes = np.zeros((count, MATCHING.per_face), np.float32)
        self._descriptors = np.zeros((count, MATCHING.per_face, 128), np.float32)
        for face, crop in enumerate(crops):
            size = round(CROP_SIZE[0] * SCALE), round(CROP_SIZE[1] * SCALE)
            small = np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_AREA), np.uint8)
            found = keypoints_of(small, MATCHING.per_face)
            number = len(found.places)
            self._places[face, :number] = found.places
            self._angles[face, :number] = found.angles
            self._descriptors[face, :number] = found.descriptors
            self._sizes[face, :number] = found.sizes
        self._flat = np.ascontiguousarray(self._descriptors.reshape(-1, 128).T)

    def vocabulary(self) -> Vocabulary:
        """Gather the strongest keypoints of all faces, those that look alike at the same place once."""
        kept = Vocabulary(*(array[:0].reshape(0, *array.shape[2:]) for array in self._arrays()))
        for face in range(len(self._places)):
            usable = np.nonzero(self._sizes[face, : MATCHING.words_per_face] > 0)[0]
            own = Vocabulary(*(array[face, usable] for array in self._arrays()))
            new = ~(kept.same_as(own)).any(1)
            kept = Vocabulary(
                np.concatenate([kept.places, own.places[new]]),
                np.concatenate([kept.angles, own.angles[new]]),
                np.concatenate([kept.sizes, own.sizes[new]]),
                np.concatenate([kept.descriptors, own.descriptors[new]]),
            )
        return kept

    def _arrays(self) -> tuple[npt.NDArray[np.float32], ...]:
        """Places, angles, sizes and descriptors by face."""
        return self._places, self._angles, self._sizes, self._descriptors

    def align(self, crop: Image, margin: float) -> Alignment | None:
        """Find the card in a crop of `SCALE` that shows it roughly upright or upside down; None where too few match."""
        query = keypoints_of(crop, MATCHING.per_crop, margin)
        if len(query.places) < MATCHING.fewest or not len(self._places):
            return None
        similar = (query.descriptors @ self._flat).reshape(len(query.places), len(self._places), MATCHING.per_face)
        best = similar.argmax(2)
        strength = np.take_along_axis(similar, best[..., None], 2)[..., 0]
        asked, face = np.nonzero(strength > MATCHING.similar)
        if len(asked) < MATCHING.fewest:
            return None
        enrolled = best[asked, face]
        there = self._places[face, enrolled]
        turn = (query.angles[asked] - self._angles[face, enrolled] + 180) % 360 - 180
        votes = _Votes(query.places[asked], there, face, turn, strength[asked, face] - MATCHING.similar)
        return votes.alignment(len(self._places))


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """Matches: place in the crop's frame, place on the face, face, turn in degrees, weight."""

    seen: npt.NDArray[np.float32]
    enrolled: npt.NDArray[np.float32]
    face: npt.NDArray[np.intp]
    turn: npt.NDArray[np.float32]
    weight: npt.NDArray[np.float32]

    def alignment(self, faces: int) -> Alignment | None:
        """Vote for a shift by face and way up, then fit the map of the best."""
        upright = np.abs(self.turn) < MATCHING.turn_degrees
        turned = np.abs(self.turn) > 180 - MATCHING.turn_degrees
        shift = self.seen - np.where(turned[:, None], np.array(CROP_SIZE) - self.enrolled, self.enrolled)
        fits = (upright | turned) & (np.abs(shift) < MATCHING.reach).all(1)
        across = int(2 * MATCHING.reach / MATCHING.bin_size)
        cell = np.clip(((shift + MATCHING.reach) / MATCHING.bin_size).astype(int), 0, across - 1)
        counts = np.zeros((faces, 2, across + 1, across + 1), np.float32)
        for beside, below in ((0, 0), (1, 0), (0, 1), (1, 1)):
            where = (self.face[fits], turned[fits].astype(int), cell[fits, 0] + beside, cell[fits, 1] + below)
            np.add.at(counts, where, self.weight[fits])
        peaks = counts.reshape(faces, -1)
        found: Alignment | None = None
        for face in map(int, np.argsort(-peaks.max(1))[: MATCHING.tried]):
            way, right, down = map(int, np.unravel_index(int(peaks[face].argmax()), counts.shape[1:]))
            near = fits & (self.face == face) & (turned == bool(way))
            near &= (np.abs(cell[:, 0] + 0.5 - right) <= 1.5) & (np.abs(cell[:, 1] + 0.5 - down) <= 1.5)
            fitted = _fitted(self.enrolled[near], self.seen[near])
            if fitted is not None and (found is None or fitted.inliers > found.inliers):
                found = fitted
        return found


def _fitted(enrolled: npt.NDArray[np.float32], seen: npt.NDArray[np.float32]) -> Alignment | None:
    """The map that most matches agree on: projective where there are many, else a turn, a shift and a scale."""
    if len(enrolled) < MATCHING.fewest:
        return None
    similarity, kept = cv2.estimateAffinePartial2D(
        enrolled, seen, method=cv2.RANSAC, ransacReprojThreshold=MATCHING.near
    )
    if similarity is None or int(kept.sum()) < MATCHING.fewest:
        return None
    onto = np.vstack([similarity, (0, 0, 1)]).astype(np.float64)
    inliers = int(kept.sum())
    if len(enrolled) >= MATCHING.fewest_projective:
        projective, kept = cv2.findHomography(enrolled, seen, cv2.USAC_MAGSAC, MATCHING.near_projective)
        if (
            projective is not None
            and int(kept.sum()) >= MATCHING.fewest_projective
            and is_card_shaped(np.asarray(projective, np.float64))
        ):
            onto, inliers = np.asarray(projective, np.float64), int(kept.sum())
    return Alignment(onto, inliers) if is_card_shaped(onto) else None


def is_card_shaped(onto: Homography) -> bool:
    """Tell if a map leaves a card about as large, as square and as level as it was, upright or upside down."""
    corners = moved(FRAME_CORNERS, onto)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners, oriented=True) < 0:
        return False
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1) / np.array([252, 352, 252, 352])
    top = corners[1] - corners[0]
    level = abs(top[1]) < MATCHING.level * abs(top[0])
    lowest, highest = MATCHING.sides
    even = sides.max() / sides.min() < MATCHING.uneven
    return bool(level and even and (sides > lowest).all() and (sides < highest).all())
