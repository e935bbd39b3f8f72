"""Comparison of an aligned crop with every enrolled face, and of two faces in the region of their differences."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_markers import MARKER_CORNERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

SIZE: Final = (126, 176)
"""Width and height of an aligned crop: two pixels per millimetre."""

BLURS: Final = (0.0, 1.2, 2.4, 4.0)
"""Blurs of the templates: standard deviations in pixels of an aligned crop."""

_HIGH_PASS: Final = 22.0
_SOFT: Final = 0.8
_EDGE: Final = 4
_SHIFT: Final = 4
_REGION_MARGIN: Final = 3
_REGION_SHARE: Final = 0.35
_CUT_OFF: Final = 2


_LEFT, _TOP, _RIGHT, _BOTTOM = (round(float(edge)) for edge in (*MARKER_CORNERS[0] / 2, *MARKER_CORNERS[2] / 2))
_MARKER: Final = (
    slice(_TOP - _REGION_MARGIN, _BOTTOM + _REGION_MARGIN),
    slice(_LEFT - _REGION_MARGIN, _RIGHT + _REGION_MARGIN),
)
"""Rows and columns of a printed marker in an aligned crop, including its white margin."""


class PairComparison(NamedTuple):
    """Correlations of a crop with two faces, -1 to 1, in the region where these differ."""

    first: float
    second: float

    @property
    def margin(self) -> float:
        """Lead of the first face's correlation; negative if the second face fits better."""
        return self.first - self.second


def flattened(crop: Image) -> npt.NDArray[np.float32]:
    """Remove the illumination of a crop of `SIZE`: return the relative difference from the surroundings by channel."""
    soft = cv2.GaussianBlur(crop.astype(np.float32), (0, 0), _SOFT)
    light = cv2.GaussianBlur(soft, (0, 0), _HIGH_PASS)
    return np.asarray((soft - light) / (light + 24.0), np.float32)


class CardTemplates:
    """Flattened images of all faces at `SIZE`, at each blur.

    Pair comparisons ignore the printed markers of faces that are `marked`, since markers have their own reader.
    """

    def __init__(self, crops: Sequence[Image], marked: Sequence[bool]) -> None:
        self._marked = tuple(marked)
        small = [np.asarray(cv2.resize(crop, SIZE, interpolation=cv2.INTER_AREA), np.uint8) for crop in crops]
        self._sharp = np.array([flattened(crop) for crop in small], np.float32)
        self._unit = [np.array([unit_of(_blur(face, blur)) for face in self._sharp], np.float32) for blur in BLURS]
        self._difference_region = lru_cache(maxsize=4096)(self._find_difference_region)

    def correlations(self, flat: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], float]:
        """Return the correlations of an aligned, flattened crop with every face at the best blur, and that blur."""
        crop = unit_of(flat)
        tried = [unit @ crop for unit in self._unit]
        best = int(np.argmax([scores.max() for scores in tried]))
        return np.asarray(tried[best], np.float32), BLURS[best]

    def face(self, index: int, blur: float) -> npt.NDArray[np.float32]:
        """Return the flattened image of a face, blurred."""
        return _blur(self._sharp[index], blur)

    def compare_pair(self, flat: npt.NDArray[np.float32], first: int, second: int, blur: float) -> PairComparison:
        """Compare a crop with two faces in the region where these differ, each at the shift that fits it best."""
        left, top, right, bottom = self._difference_region(min(first, second), max(first, second))
        padded = cv2.copyMakeBorder(flat, *(_SHIFT,) * 4, cv2.BORDER_REPLICATE)
        searched = padded[top : bottom + 2 * _SHIFT, left : right + 2 * _SHIFT]

        def correlation(index: int) -> float:
            region = np.ascontiguousarray(self.face(index, blur)[top:bottom, left:right])
            return float(cv2.matchTemplate(searched, region, cv2.TM_CCOEFF_NORMED).max())

        return PairComparison(correlation(first), correlation(second))

    def _find_difference_region(self, first: int, second: int) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of the region where two faces differ most."""
        one, other = self._sharp[first], self._sharp[second]
        apart = _excess_over(one, other) + _excess_over(other, one)
        if self._marked[first] and self._marked[second]:
            apart[_MARKER] = 0
        apart = np.asarray(cv2.GaussianBlur(apart, (0, 0), 1.0), np.float32)
        rows, columns = np.nonzero(apart > _REGION_SHARE * apart.max())
        left, top = max(0, columns.min() - _REGION_MARGIN), max(0, rows.min() - _REGION_MARGIN)
        right, bottom = min(SIZE[0], columns.max() + 1 + _REGION_MARGIN), min(SIZE[1], rows.max() + 1 + _REGION_MARGIN)
        return int(left), int(top), int(right), int(bottom)


def _excess_over(face: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return by how much a face exceeds everything that another shows nearby, since two crops never align exactly."""
    around = np.ones((2 * _CUT_OFF + 1, 2 * _CUT_OFF + 1), np.uint8)
    above, below = face - cv2.dilate(other, around), cv2.erode(other, around) - face
    return np.asarray(np.maximum(np.maximum(above, below), 0).sum(2), np.float32)


def _blur(face: npt.NDArray[np.float32], blur: float) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(face, (0, 0), blur), np.float32) if blur else face


def unit_of(flat: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the inner part of a flattened image at half the resolution, as a vector of length 1."""
    inner = flat[_EDGE:-_EDGE, _EDGE:-_EDGE]
    small = cv2.resize(inner, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    vector = (small - small.mean((0, 1))).ravel()
    return np.asarray(vector / (np.linalg.norm(vector) + 1e-6), np.float32)
