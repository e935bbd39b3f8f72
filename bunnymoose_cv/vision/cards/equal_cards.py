"""Comparison of two enrolment crops: the same face, in whatever light, at whatever turn, or two faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

from bunnymoose_cv.vision.cards import templates
from bunnymoose_cv.vision.cards.card_settings import ENROLMENT

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

_EDGE: Final = 6
_HALF: Final = np.diag([0.5, 0.5, 1.0])
_STOP: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)


@dataclass(frozen=True, slots=True, eq=False)
class CardLook:
    """An enrolment crop prepared for comparing it with others.

    Attributes:
        flat: without its illumination, shape (176, 126, 3).
        unit: unit vector of the whole;  turned: that of the crop upside down.
    """

    flat: npt.NDArray[np.float32]
    unit: npt.NDArray[np.float32]
    turned: npt.NDArray[np.float32]

    @classmethod
    def of(cls, crop: Image) -> Self:
        """Prepare a crop of the card's frame."""
        small = np.asarray(cv2.resize(crop, templates.SIZE, interpolation=cv2.INTER_AREA), np.uint8)
        flat = templates.flattened(small)
        return cls(flat, templates.unit_of(flat), templates.unit_of(flat[::-1, ::-1]))

    def shows_same_as(self, other: CardLook) -> bool:
        """Tell if both show one face, either way up: alike as wholes and in every part of them, once aligned."""
        upright, turned = float(self.unit @ other.unit), float(self.turned @ other.unit)
        if max(upright, turned) < ENROLMENT.may_be_equal:
            return False
        flat = self.flat if upright >= turned else np.ascontiguousarray(self.flat[::-1, ::-1])
        return _are_equal(flat, np.ascontiguousarray(other.flat[_EDGE:-_EDGE, _EDGE:-_EDGE]))


def _are_equal(flat: npt.NDArray[np.float32], inner: npt.NDArray[np.float32]) -> bool:
    """Compare the inner part of a crop with what lies there in another one, by the enhanced correlation coefficient."""
    start = np.array([[1, 0, _EDGE / 2], [0, 1, _EDGE / 2], [0, 0, 1]], np.float32)
    try:
        _, onto = cv2.findTransformECC(_grey(inner), _grey(flat), start, cv2.MOTION_HOMOGRAPHY, _STOP)
    except cv2.error:  # it does not converge where the two have nothing in common
        return False
    size = inner.shape[1], inner.shape[0]
    whole = np.linalg.inv(_HALF) @ onto @ _HALF
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = np.asarray(cv2.warpPerspective(flat, whole, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)
    if float(np.corrcoef(moved.ravel(), inner.ravel())[0, 1]) < ENROLMENT.equal:
        return False
    apart = cv2.GaussianBlur(np.abs(moved - inner).sum(2), (0, 0), 3.0)
    spread = float(np.sqrt(np.square(inner).sum(2).mean()))
    return bool(apart.max() < ENROLMENT.apart * spread)


def _grey(flat: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """A flattened crop at half its size, without colour."""
    return np.asarray(cv2.resize(flat.mean(2), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
