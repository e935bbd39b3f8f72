"""Alignment of small, blurred or dark crops: normalised correlation over shifts, turns and both ways up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, HALF_TURN, Homography, rectified

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

_SIZE: Final = (28, 39)
_TURNS: Final = (-6.0, -3.0, 0.0, 3.0, 6.0)
_REFINED_SIZE: Final = (63, 88)


class GridAlignment:
    """All faces at a ninth of their frame, correlated with every shift of a crop at once."""

    def __init__(self, crops: Sequence[Image]) -> None:
        small = [_flat(np.asarray(cv2.resize(crop, _SIZE, interpolation=cv2.INTER_AREA), np.uint8)) for crop in crops]
        both = [*small, *(face[::-1, ::-1] for face in small)]
        self._unit = np.array([_normalised(face.reshape(1, -1))[0] for face in both], np.float32)
        self._faces = [
            _grey(np.asarray(cv2.resize(crop, _REFINED_SIZE, interpolation=cv2.INTER_AREA), np.uint8)) for crop in crops
        ]

    def align(self, image: Image, frame_to_image: Homography, margin: float) -> Homography:
        """Find the shift, turn and way up at which some face fits best; the map from the card's frame to the image."""
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
        """Fit shift, turn and stretch by the enhanced correlation coefficient; the coarse map where that fails."""
        scale = _REFINED_SIZE[0] / CROP_SIZE[0]
        margin = 4 / scale
        crop = _grey(rectified(image, frame_to_image, scale, margin))
        onto = np.array([[1, 0, 4], [0, 1, 4]], np.float32)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 25, 1e-3)
        try:
            _, fitted = cv2.findTransformECC(self._faces[face], crop, onto, cv2.MOTION_AFFINE, stop)
        except cv2.error:  # it does not converge where the two have nothing in common
            return frame_to_image
        shape = np.diag([scale, scale, 1])
        away = np.array([[1, 0, -4], [0, 1, -4], [0, 0, 1]])
        refined = np.linalg.inv(shape) @ away @ np.vstack([fitted, (0, 0, 1)]) @ shape
        return np.asarray(frame_to_image @ refined, np.float64)


def _turn(degrees: float) -> Homography:
    """A turn around the middle of the card's frame."""
    middle = CROP_SIZE[0] / 2, CROP_SIZE[1] / 2
    return np.vstack([cv2.getRotationMatrix2D(middle, degrees, 1), (0, 0, 1)])


def _flat(crop: Image) -> npt.NDArray[np.float32]:
    soft = crop.astype(np.float32)
    light = cv2.GaussianBlur(soft, (0, 0), 8)
    return np.asarray((soft - light) / (light + 16), np.float32)


def _grey(crop: Image) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.2))


def _normalised(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows of colours without their mean, of length 1."""
    colours = rows.reshape(len(rows), -1, 3)
    centred = (colours - colours.mean(1, keepdims=True)).reshape(len(rows), -1)
    return np.asarray(centred / (np.linalg.norm(centred, axis=1, keepdims=True) + 1e-6), np.float32)
