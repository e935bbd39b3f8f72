"""Oriented gradients and colours of an aligned crop, and the linear discriminant that classifies faces by them.

OpenCV 5 lacks `HOGDescriptor`, but Dalal and Triggs' histograms are a few lines of NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image

SIZE: Final = (63, 88)
"""Width and height of the crop that features are computed from: one pixel per millimetre."""

_BINS: Final = 9
_CELLS: Final = (9, 11)
_VIEWS: Final = 12
_SHRINKAGE: Final = 0.15
_COLOUR_WEIGHT: Final = 0.6


def features_of(crop: Image) -> npt.NDArray[np.float32]:
    """Compute the features of a crop of `SIZE`: 9 × 11 cells with gradients in 9 orientations, and with a colour."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=1), cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=1)
    strength = cv2.magnitude(across, down)
    angle = (np.arctan2(down, across) / np.pi * _BINS) % _BINS
    lower, share = angle.astype(int), angle % 1
    planes = np.zeros((SIZE[1], SIZE[0], _BINS), np.float32)
    rows, columns = np.indices(grey.shape)
    planes[rows, columns, lower % _BINS] = strength * (1 - share)
    planes[rows, columns, (lower + 1) % _BINS] += strength * share
    cells = cv2.resize(planes, _CELLS, interpolation=cv2.INTER_AREA)
    around = cv2.blur(np.square(cells).sum(2), (3, 3), borderType=cv2.BORDER_REFLECT)
    gradients = np.minimum(cells / np.sqrt(around + 4.0)[..., None], 0.6)
    colour = cv2.resize(cv2.cvtColor(crop, cv2.COLOR_BGR2LAB), _CELLS, interpolation=cv2.INTER_AREA).astype(np.float32)
    colour -= colour.mean((0, 1))
    colour /= np.sqrt(np.square(colour).mean((0, 1))) + np.array([12.0, 6.0, 6.0], np.float32)
    return np.concatenate([gradients.ravel(), _COLOUR_WEIGHT * 0.3 * colour.ravel()]).astype(np.float32)


class HogLda:
    """Linear discriminant analysis, trained at enrolment on warped, blurred and relit views of each face."""

    def __init__(self, crops: Sequence[Image]) -> None:
        rng = np.random.default_rng(0)
        views = np.array([[features_of(_view(crop, rng)) for _ in range(_VIEWS)] for crop in crops], np.float32)
        means = views.mean(1)
        within = (views - means[:, None]).reshape(-1, means.shape[1]).astype(np.float64)
        scatter = within.T @ within / len(within)
        floor = _SHRINKAGE * np.trace(scatter) / len(scatter)
        scatter = (1 - _SHRINKAGE) * scatter + floor * np.eye(len(scatter))
        weights = np.linalg.solve(scatter, means.T.astype(np.float64))
        self._weights = weights.astype(np.float32)
        self._offsets = (0.5 * (means.T * weights).sum(0)).astype(np.float32)

    def scores(self, crop: Image) -> npt.NDArray[np.float32]:
        """Return the discriminant of each face for a crop of `SIZE`. They are only comparable with each other."""
        return np.asarray(features_of(crop) @ self._weights - self._offsets, np.float32)


def _view(crop: Image, rng: np.random.Generator) -> Image:
    """Render a face as another camera may show it: with shifted corners, blur, light and noise."""
    height, width = crop.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shaken = corners + rng.normal(0, 0.012 * height, (4, 2)).astype(np.float32)
    onto = np.diag([SIZE[0] / width, SIZE[1] / height, 1]) @ cv2.getPerspectiveTransform(shaken, corners)
    soft = cv2.GaussianBlur(crop, (0, 0), height / SIZE[1] * float(rng.uniform(0.3, 1.4)))
    view = np.asarray(cv2.warpPerspective(soft, onto, SIZE, borderMode=cv2.BORDER_REPLICATE), np.float32)
    ramp = np.linspace(float(rng.uniform(0.8, 1.2)), float(rng.uniform(0.8, 1.2)), SIZE[0], dtype=np.float32)
    colours, strength = rng.uniform(0.88, 1.12, 3).astype(np.float32), np.float32(rng.uniform(0.4, 1.2))
    view = view * ramp[None, :, None] * colours * strength
    view += rng.normal(0, rng.uniform(1, 6), view.shape).astype(np.float32)
    return np.asarray(np.clip(view, 0, 255), np.uint8)
