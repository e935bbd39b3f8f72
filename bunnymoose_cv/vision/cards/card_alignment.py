"""Alignment of a crop with the enrolled faces: by matched keypoints, and by a grid if a crop is small, blurred or dark.

Keypoints have RootSIFT descriptors (Arandjelović and Zisserman, 2012). The grid is normalised correlation over shifts,
turns and both ways up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, FRAME_CORNERS, HALF_TURN, Homography, moved, rectified
from bunnymoose_cv.vision.cards.card_settings import MATCHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image


class Keypoints(NamedTuple):
    """Keypoints, of one image or of several faces.

    Attributes:
        places: positions, shape (n, 2), pixels.
        angles: orientations, degrees clockwise.
        sizes: diameters, pixels.
        descriptors: RootSIFT descriptors of unit length, shape (n, 128).
    """

    places: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float32]
    descriptors: npt.NDArray[np.float32]

    @classmethod
    def zeros(cls, *shape: int) -> Self:
        """Return keypoints to be filled, an array of this shape."""
        return cls(*(np.zeros((*shape, *each), np.float32) for each in ((2,), (), (), (128,))))

    def at(self, index: Any) -> Self:
        """Return some of the keypoints, by any index of an array."""
        return type(self)(*(array[index] for array in self))

    def same_as(self, others: Keypoints) -> npt.NDArray[np.bool_]:
        """Return the mask of keypoints that are equal in look and place, shape (others, these)."""
        alike = others.descriptors @ self.descriptors.T > MATCHING.alike
        near = np.abs(others.places[:, None] - self.places[None, :]).max(2, initial=0) < MATCHING.same_place
        return np.asarray(alike & near, np.bool_)


def root_sift(grey: Image, most: int, contrast: float) -> Keypoints:
    """Find the strongest keypoints, about `most`: ties in strength may add more."""
    found, descriptors = cv2.SIFT.create(nfeatures=most, contrastThreshold=contrast).detectAndCompute(grey, None)
    if descriptors is None:
        descriptors = np.zeros((0, 128), np.float32)
    return Keypoints(
        np.array([point.pt for point in found], np.float32).reshape(-1, 2),
        np.array([point.angle for point in found], np.float32),
        np.array([point.size for point in found], np.float32),
        np.sqrt(descriptors / np.maximum(descriptors.sum(1, keepdims=True), 1e-6)).astype(np.float32),
    )


SCALE: Final = 0.75
"""Scale of the crops in which keypoints are found, of enrolled faces and of images: 3 pixels per millimetre."""


class Alignment(NamedTuple):
    """Map from a card's frame to the frame in which a crop was cut, and the number of matches that agree with it."""

    onto: Homography
    inliers: int


def keypoints_of(crop: Image, most: int, margin: float = 0.0) -> Keypoints:
    """Find the strongest keypoints of a crop of `SCALE`. Places, sizes and the margin are in the card's frame."""
    grey = np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8)
    found = root_sift(grey, most, MATCHING.contrast).at(slice(most))
    return found._replace(places=found.places / SCALE - margin, sizes=found.sizes / SCALE)


class KeypointIndex:
    """Keypoints of every enrolled face, matched all at once."""

    def __init__(self, crops: Sequence[Image]) -> None:
        self._faces = Keypoints.zeros(len(crops), MATCHING.per_face)
        size = round(CROP_SIZE[0] * SCALE), round(CROP_SIZE[1] * SCALE)
        for face, crop in enumerate(crops):
            small = np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_AREA), np.uint8)
            for kept, found in zip(self._faces, keypoints_of(small, MATCHING.per_face), strict=True):
                kept[face, : len(found)] = found
        self._flat = np.ascontiguousarray(self._faces.descriptors.reshape(-1, 128).T)

    def vocabulary(self) -> Keypoints:
        """Collect the strongest keypoints of all faces, used to find cards but not to distinguish them.

        Keypoints that are equal in look and place are kept once. A drawing in two sizes is kept twice; otherwise half
        of its matches would vote for a card of another size.
        """
        kept = Keypoints.zeros(0)
        for face in range(len(self._faces.places)):
            own = self._faces.at((face, slice(MATCHING.words_per_face)))
            own = own.at(own.sizes > 0)
            new = own.at(~kept.same_as(own).any(1))
            kept = Keypoints(*map(np.concatenate, zip(kept, new, strict=True)))
        return kept

    def align(self, crop: Image, margin: float) -> Alignment | None:
        """Align the card in a crop of `SCALE` that shows it roughly upright or upside down; None if too few match."""
        query, faces = keypoints_of(crop, MATCHING.per_crop, margin), len(self._faces.places)
        if len(query.places) < MATCHING.fewest or not faces:
            return None
        similar = (query.descriptors @ self._flat).reshape(len(query.places), faces, MATCHING.per_face)
        best = similar.argmax(2)
        strength = np.take_along_axis(similar, best[..., None], 2)[..., 0]
        asked, face = np.nonzero(strength > MATCHING.similar)
        if len(asked) < MATCHING.fewest:
            return None
        enrolled = best[asked, face]
        there = self._faces.places[face, enrolled]
        turn = (query.angles[asked] - self._faces.angles[face, enrolled] + 180) % 360 - 180
        return _Votes(query.places[asked], there, face, turn, strength[asked, face] - MATCHING.similar).alignment(faces)


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """Matches of keypoints: place in the crop's frame, place on the face, face, turn in degrees, and weight."""

    seen: npt.NDArray[np.float32]
    enrolled: npt.NDArray[np.float32]
    face: npt.NDArray[np.intp]
    turn: npt.NDArray[np.float32]
    weight: npt.NDArray[np.float32]

    def alignment(self, faces: int) -> Alignment | None:
        """Vote for a shift by face and way up, then fit the map of the faces with most votes."""
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
        fitted = []
        for face in np.argsort(-peaks.max(1))[: MATCHING.tried]:
            way, right, down = map(int, np.unravel_index(int(peaks[face].argmax()), counts.shape[1:]))
            near = fits & (self.face == face) & (turned == bool(way))
            near &= (np.abs(cell[:, 0] + 0.5 - right) <= 1.5) & (np.abs(cell[:, 1] + 0.5 - down) <= 1.5)
            fitted.append(_fitted(self.enrolled[near], self.seen[near]))
        return max(filter(None, fitted), key=lambda alignment: alignment.inliers, default=None)


def _fitted(enrolled: npt.NDArray[np.float32], seen: npt.NDArray[np.float32]) -> Alignment | None:
    """Fit the map that most matches agree on: projective if there are many, otherwise a turn, a shift and a scale."""
    if len(enrolled) < MATCHING.fewest:
        return None
    similarity, kept = cv2.estimateAffinePartial2D(enrolled, seen, ransacReprojThreshold=MATCHING.near)
    if similarity is None or kept.sum() < MATCHING.fewest:
        return None
    onto, inliers = np.vstack([similarity, (0, 0, 1)]).astype(np.float64), int(kept.sum())
    if len(enrolled) >= MATCHING.fewest_projective:
        found, kept = cv2.findHomography(enrolled, seen, cv2.USAC_MAGSAC, MATCHING.near_projective)
        if found is not None and kept.sum() >= MATCHING.fewest_projective:
            projective = np.asarray(found, np.float64)
            if is_card_shaped(projective):
                return Alignment(projective, int(kept.sum()))
    return Alignment(onto, inliers) if is_card_shaped(onto) else None


def is_card_shaped(onto: Homography) -> bool:
    """Return whether a map keeps a card about as large, square and level as it was, upright or upside down."""
    corners = moved(FRAME_CORNERS, onto)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners, oriented=True) < 0:
        return False
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1) / np.array(CROP_SIZE * 2)
    right, down = np.abs(corners[1] - corners[0])
    lowest, highest = MATCHING.sides
    is_even = lowest < sides.min() and sides.max() < highest and sides.max() / sides.min() < MATCHING.uneven
    return bool(is_even and down < MATCHING.level * right)


_SIZE: Final = (28, 39)
_TURNS: Final = (-6.0, -3.0, 0.0, 3.0, 6.0)
_REFINED_SIZE: Final = (63, 88)


class GridAlignment:
    """All faces at a ninth of their frame's size, correlated with every shift of a crop at once."""

    def __init__(self, crops: Sequence[Image]) -> None:
        small = [_flat(np.asarray(cv2.resize(crop, _SIZE, interpolation=cv2.INTER_AREA), np.uint8)) for crop in crops]
        both = [*small, *(face[::-1, ::-1] for face in small)]
        self._unit = np.array([_normalised(face.reshape(1, -1))[0] for face in both], np.float32)
        self._faces = [
            _grey(np.asarray(cv2.resize(crop, _REFINED_SIZE, interpolation=cv2.INTER_AREA), np.uint8)) for crop in crops
        ]

    def align(self, image: Image, frame_to_image: Homography, margin: float) -> Homography:
        """Find the shift, turn and way up at which a face fits best, and return the map from its frame to the image."""
        scale = _SIZE[0] / CROP_SIZE[0]
        best, chosen, face = -2.0, frame_to_image, 0
        for degrees in _TURNS:
            turned = frame_to_image @ _turn(degrees)
            crop = _flat(rectified(image, turned, scale, margin))
            windows = np.lib.stride_tricks.sliding_window_view(crop, (_SIZE[1], _SIZE[0]), axis=(0, 1))
            patches = windows.transpose(0, 1, 3, 4, 2).reshape(-1, self._unit.shape[1])
            scores = _normalised(patches) @ self._unit.T
            where = int(scores.argmax())
            if scores.flat[where] > best:
                best = float(scores.flat[where])
                patch, face = divmod(where, len(self._unit))
                down, across = divmod(patch, windows.shape[1])
                shift = np.array([[1, 0, across / scale - margin], [0, 1, down / scale - margin], [0, 0, 1]])
                chosen = turned @ shift
        if face >= len(self._faces):
            chosen, face = chosen @ HALF_TURN, face - len(self._faces)
        return self._refined(image, chosen, face)

    def _refined(self, image: Image, frame_to_image: Homography, face: int) -> Homography:
        """Fit shift, turn and stretch by the enhanced correlation coefficient, or keep the coarse map if that fails."""
        scale = _REFINED_SIZE[0] / CROP_SIZE[0]
        margin = 4 / scale
        crop = _grey(rectified(image, frame_to_image, scale, margin))
        onto = np.array([[1, 0, 4], [0, 1, 4]], np.float32)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 25, 1e-3)
        try:
            _, fitted = cv2.findTransformECC(self._faces[face], crop, onto, cv2.MOTION_AFFINE, stop)
        except cv2.error:  # it does not converge if the two have nothing in common
            return frame_to_image
        shape = np.diag([scale, scale, 1])
        away = np.array([[1, 0, -4], [0, 1, -4], [0, 0, 1]])
        refined = np.linalg.inv(shape) @ away @ np.vstack([fitted, (0, 0, 1)]) @ shape
        return np.asarray(frame_to_image @ refined, np.float64)


def _turn(degrees: float) -> Homography:
    """Return a turn around the middle of the card's frame."""
    return np.vstack([cv2.getRotationMatrix2D((CROP_SIZE[0] / 2, CROP_SIZE[1] / 2), degrees, 1), (0, 0, 1)])


def _flat(crop: Image) -> npt.NDArray[np.float32]:
    soft = crop.astype(np.float32)
    light = cv2.GaussianBlur(soft, (0, 0), 8)
    return np.asarray((soft - light) / (light + 16), np.float32)


def _grey(crop: Image) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.2))


def _normalised(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Subtract the mean from rows of colours, and scale each row to length 1."""
    colours = rows.reshape(len(rows), -1, 3)
    centred = (colours - colours.mean(1, keepdims=True)).reshape(len(rows), -1)
    return np.asarray(centred / (np.linalg.norm(centred, axis=1, keepdims=True) + 1e-6), np.float32)
