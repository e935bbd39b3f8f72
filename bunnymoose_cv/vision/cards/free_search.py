"""Search for cards on a table without a mat: outlines of their size and shape, and votes of matched keypoints.

Both give coarse places only. A card of a pile has no clean outline; matching aligns it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, FRAME_CORNERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.keypoint_index import Vocabulary

_OUTLINED_PX: Final = 900
_MATCHED_PX: Final = 1280
_SIDES: Final = (1.12, 2.1)
_FILLED: Final = 0.72
_AREA: Final = (0.003, 0.2)
_SAME: Final = 0.55
_MOST: Final = 12
_SIMILAR: Final = 0.84
_MOST_KEYPOINTS: Final = 3000
_FEWEST_VOTES: Final = 5
_MOST_VOTES: Final = 1500
_WORDS: Final = 3
_AS_GOOD: Final = 0.04
_FRAME: Final = 0.85
"""Ratio of short sides below which a rectangle inside another may be the frame of its image."""

_MIDDLE: Final = 0.35
"""Distance of their middles up to which it is, in short sides of the outer one."""

_OTHER_SIZE: Final = 1.6
"""Ratio of sizes, of the fitted card and of what its keypoints tell, from which the fit is none."""


def find_cards(image: Image, vocabulary: Vocabulary) -> list[npt.NDArray[np.float32]]:
    """Coarse corners of what may be cards, each of shape (4, 2), the long sides second; likeliest first."""
    voted = _voted(image, vocabulary)
    outlined = list(_outlined(image))
    if voted:
        size = float(np.median([_short_side(corners) for corners in voted]))
        outlined = [corners for corners in outlined if 0.6 < _short_side(corners) / size < 1.6]  # noqa: PLR2004
    return _apart((*voted, *outlined))[:_MOST]


def find_outlines(image: Image) -> list[npt.NDArray[np.float32]]:
    """Corners of single cards by their outline alone, each of shape (4, 2), short side first."""
    every = list(_outlined(image))
    outlined = [corners for corners in every if not any(_is_within(corners, other) for other in every)]
    if not outlined:
        return []
    size = float(np.median([_short_side(corners) for corners in outlined]))
    return _apart([corners for corners in outlined if 0.8 < _short_side(corners) / size < 1.25])  # noqa: PLR2004


def _is_within(corners: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> bool:
    """Tell if a rectangle is the frame of an image in the middle of a larger one, such as a printed card's."""
    around = _short_side(other)
    apart = float(np.linalg.norm(corners.mean(0) - other.mean(0)))
    return apart < _MIDDLE * around and _short_side(corners) < _FRAME * around


def _apart(several: Sequence[npt.NDArray[np.float32]]) -> list[npt.NDArray[np.float32]]:
    """Rectangles that do not lie on one another, the first of those that do."""
    chosen: list[npt.NDArray[np.float32]] = []
    for corners in several:
        middle, side = corners.mean(0), _short_side(corners)
        if all(np.linalg.norm(middle - other.mean(0)) > _SAME * max(side, _short_side(other)) for other in chosen):
            chosen.append(corners)
    return chosen


def _short_side(corners: npt.NDArray[np.float32]) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]))


def _outlined(image: Image) -> Iterator[npt.NDArray[np.float32]]:
    """Rectangles of a card's proportions in lightness, colour and saturation."""
    shrink = min(1.0, _OUTLINED_PX / max(image.shape[:2]))
    small = cv2.GaussianBlur(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    saturation = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)[..., 1]
    for channel in (*cv2.split(lab), saturation):
        _, masks = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        edges = cv2.dilate(cv2.Canny(channel, 30, 80), np.ones((3, 3), np.uint8))
        for mask in (masks, cv2.bitwise_not(masks), edges):
            contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
            for contour in contours:
                rectangle = _card_like(np.asarray(contour, np.int32), small.shape[0] * small.shape[1])
                if rectangle is not None:
                    yield rectangle / shrink


def _card_like(contour: npt.NDArray[np.int32], image_area: int) -> npt.NDArray[np.float32] | None:
    """The corners of a contour that fills a rectangle of a card's proportions, short side first."""
    area = cv2.contourArea(contour)
    if not _AREA[0] < area / image_area < _AREA[1]:
        return None
    around = cv2.minAreaRect(contour)
    long, short = max(around[1]), min(around[1])
    if not (short > 0 and _SIDES[0] < long / short < _SIDES[1] and area > _FILLED * long * short):
        return None
    corners = cv2.boxPoints(around)
    first, second = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[1])
    return np.asarray(corners if first <= second else np.roll(corners, 1, 0), np.float32)


def _voted(image: Image, vocabulary: Vocabulary) -> list[npt.NDArray[np.float32]]:
    """Cards whose middle, size and turn several matched keypoints agree on."""
    shrink = min(1.0, _MATCHED_PX / max(image.shape[:2]))
    grey = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    found, descriptors = cv2.SIFT.create(nfeatures=_MOST_KEYPOINTS, contrastThreshold=0.025).detectAndCompute(
        grey, None
    )
    if descriptors is None or not len(vocabulary.descriptors):
        return []
    rooted = np.sqrt(descriptors / np.maximum(descriptors.sum(1, keepdims=True), 1e-6))
    similar = rooted @ vocabulary.descriptors.T
    asked, word = _matches(similar)
    if not len(asked):
        return []
    places = np.array([point.pt for point in found], np.float32)[asked] / shrink
    scale = np.array([point.size for point in found], np.float32)[asked] / vocabulary.sizes[word] / shrink
    turn = np.radians(np.array([point.angle for point in found], np.float32)[asked] - vocabulary.angles[word])
    enrolled = vocabulary.places[word]
    to_middle = np.array(CROP_SIZE) / 2 - enrolled
    cosine, sine = np.cos(turn), np.sin(turn)
    middles = places + scale[:, None] * np.stack(
        [cosine * to_middle[:, 0] - sine * to_middle[:, 1], sine * to_middle[:, 0] + cosine * to_middle[:, 1]], 1
    )
    return [
        _placed(enrolled[voters], places[voters], float(np.median(scale[voters])))
        for voters in _clusters(middles, scale, turn)
    ]


def _matches(similar: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Keypoints and the words that each is alike to, the strongest matches of all; a drawing may stand in two sizes."""
    words = np.argpartition(-similar, min(_WORDS, similar.shape[1] - 1), axis=1)[:, :_WORDS]
    strength = np.take_along_axis(similar, words, 1)
    good = (strength > _SIMILAR) & (strength > strength.max(1, keepdims=True) - _AS_GOOD)
    asked, rank = np.nonzero(good)
    strongest = np.argsort(-strength[asked, rank])[:_MOST_VOTES]
    return asked[strongest], words[asked, rank][strongest]


def _placed(
    enrolled: npt.NDArray[np.float32], places: npt.NDArray[np.float32], scale: float
) -> npt.NDArray[np.float32]:
    """The corners of the card that matches agree on: a turn, a shift and a scale."""
    reach = 0.025 * CROP_SIZE[1] * scale
    onto, _ = cv2.estimateAffinePartial2D(enrolled, places, method=cv2.RANSAC, ransacReprojThreshold=reach)
    fitted = 0.0 if onto is None else float(np.hypot(onto[0, 0], onto[1, 0]))
    if onto is None or not 1 / _OTHER_SIZE < fitted / scale < _OTHER_SIZE:  # votes of one spot collapse a card to it
        corners = (FRAME_CORNERS - enrolled.mean(0)) * scale + places.mean(0)
    else:
        corners = FRAME_CORNERS @ onto[:, :2].T + onto[:, 2]
    return np.asarray(corners, np.float32)


def _clusters(
    middles: npt.NDArray[np.float64], scale: npt.NDArray[np.float64], turn: npt.NDArray[np.float64]
) -> Iterator[npt.NDArray[np.bool_]]:
    """Greedy clusters of votes that are near in middle, size and turn; largest first."""
    far = np.abs(np.log(scale[:, None] / scale[None, :])) > 0.35  # noqa: PLR2004
    far |= np.cos(turn[:, None] - turn[None, :]) < 0.9  # noqa: PLR2004
    reach = 0.16 * CROP_SIZE[1] * scale
    for axis in range(2):
        far |= np.abs(middles[:, None, axis] - middles[None, :, axis]) > reach[:, None]
    near = ~far
    left = np.ones(len(middles), bool)
    for _ in range(_MOST):
        counts = (near & left[None, :]).sum(1) * left
        best = int(counts.argmax())
        if counts[best] < _FEWEST_VOTES:
            return
        voters = near[best] & left
        yield voters
        middle, size = np.median(middles[voters], 0), float(np.median(scale[voters]))
        left &= np.linalg.norm(middles - middle, axis=1) > 0.5 * CROP_SIZE[0] * size
