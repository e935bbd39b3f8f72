"""Search for cards on a table without a mat: outlines of their size and shape, and votes of matched keypoints.

Both give coarse places only. A card of a pile has no clean outline; matching aligns it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, FRAME_CORNERS
from bunnymoose_cv.vision.cards.card_settings import KEYPOINT_VOTES, OUTLINES
from bunnymoose_cv.vision.cards.root_sift import root_sift
from bunnymoose_cv.vision.shrink import shrink
from bunnymoose_cv.vision.suppress import keep_first

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.keypoint_index import Vocabulary


def find_cards(image: Image, vocabulary: Vocabulary) -> list[npt.NDArray[np.float32]]:
    """Coarse corners of what may be cards, each of shape (4, 2), the long sides second; likeliest first."""
    voted = _voted(image, vocabulary)
    outlined = list(_outlined(image))
    if voted:
        size = float(np.median([_short_side(corners) for corners in voted]))
        outlined = _of_size(outlined, size, KEYPOINT_VOTES.other_size)
    return keep_first((*voted, *outlined), _lie_on_one_another)[: KEYPOINT_VOTES.most]


def find_outlines(image: Image) -> list[npt.NDArray[np.float32]]:
    """Corners of single cards by their outline alone, each of shape (4, 2), short side first."""
    every = list(_outlined(image))
    outlined = [corners for corners in every if not any(_is_within(corners, other) for other in every)]
    if not outlined:
        return []
    size = float(np.median([_short_side(corners) for corners in outlined]))
    return keep_first(_of_size(outlined, size, OUTLINES.size_range), _lie_on_one_another)


def _is_within(corners: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> bool:
    """Tell if a rectangle is the frame of an image in the middle of a larger one, such as a printed card's."""
    around = _short_side(other)
    apart = float(np.linalg.norm(corners.mean(0) - other.mean(0)))
    return apart < OUTLINES.middle * around and _short_side(corners) < OUTLINES.frame * around


def _of_size(
    several: Sequence[npt.NDArray[np.float32]], side: float, size_range: tuple[float, float]
) -> list[npt.NDArray[np.float32]]:
    """Rectangles whose short side has a length about that of the others."""
    lowest, highest = size_range
    return [corners for corners in several if lowest < _short_side(corners) / side < highest]


def _lie_on_one_another(corners: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> bool:
    side = max(_short_side(corners), _short_side(other))
    return bool(np.linalg.norm(corners.mean(0) - other.mean(0)) <= OUTLINES.same * side)


def _short_side(corners: npt.NDArray[np.float32]) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]))


def _outlined(image: Image) -> Iterator[npt.NDArray[np.float32]]:
    """Rectangles of a card's proportions in lightness, colour and saturation."""
    shrunk, scale = shrink(image, OUTLINES.searched_px)
    small = cv2.GaussianBlur(shrunk, (0, 0), 1.0)
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
                    yield rectangle / scale


def _card_like(contour: npt.NDArray[np.int32], image_area: int) -> npt.NDArray[np.float32] | None:
    """The corners of a contour that fills a rectangle of a card's proportions, short side first."""
    area = cv2.contourArea(contour)
    if not OUTLINES.area[0] < area / image_area < OUTLINES.area[1]:
        return None
    around = cv2.minAreaRect(contour)
    long, short = max(around[1]), min(around[1])
    lowest, highest = OUTLINES.sides
    if not (short > 0 and lowest < long / short < highest and area > OUTLINES.filled * long * short):
        return None
    corners = cv2.boxPoints(around)
    first, second = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[1])
    return np.asarray(corners if first <= second else np.roll(corners, 1, 0), np.float32)


def _voted(image: Image, vocabulary: Vocabulary) -> list[npt.NDArray[np.float32]]:
    """Cards whose middle, size and turn several matched keypoints agree on."""
    grey, shrunk = shrink(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), KEYPOINT_VOTES.searched_px)
    found = root_sift(grey, KEYPOINT_VOTES.most_keypoints, KEYPOINT_VOTES.contrast)
    if not len(found.places) or not len(vocabulary.descriptors):
        return []
    asked, word = _matches(found.descriptors @ vocabulary.descriptors.T)
    if not len(asked):
        return []
    places = found.places[asked] / shrunk
    scale = found.sizes[asked] / vocabulary.sizes[word] / shrunk
    turn = np.radians(found.angles[asked] - vocabulary.angles[word])
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
    words = np.argpartition(-similar, min(KEYPOINT_VOTES.words, similar.shape[1] - 1), axis=1)[
        :, : KEYPOINT_VOTES.words
    ]
    strength = np.take_along_axis(similar, words, 1)
    good = (strength > KEYPOINT_VOTES.similar) & (strength > strength.max(1, keepdims=True) - KEYPOINT_VOTES.as_good)
    asked, rank = np.nonzero(good)
    strongest = np.argsort(-strength[asked, rank])[: KEYPOINT_VOTES.most_matches]
    return asked[strongest], words[asked, rank][strongest]


def _placed(
    enrolled: npt.NDArray[np.float32], places: npt.NDArray[np.float32], scale: float
) -> npt.NDArray[np.float32]:
    """The corners of the card that matches agree on: a turn, a shift and a scale."""
    reach = KEYPOINT_VOTES.fitted_within * CROP_SIZE[1] * scale
    onto, _ = cv2.estimateAffinePartial2D(enrolled, places, method=cv2.RANSAC, ransacReprojThreshold=reach)
    fitted = 0.0 if onto is None else float(np.hypot(onto[0, 0], onto[1, 0]))
    if (
        onto is None or not 1 / KEYPOINT_VOTES.collapsed < fitted / scale < KEYPOINT_VOTES.collapsed
    ):  # votes of one spot collapse a card to it
        corners = (FRAME_CORNERS - enrolled.mean(0)) * scale + places.mean(0)
    else:
        corners = FRAME_CORNERS @ onto[:, :2].T + onto[:, 2]
    return np.asarray(corners, np.float32)


def _clusters(
    middles: npt.NDArray[np.float64], scale: npt.NDArray[np.floating[Any]], turn: npt.NDArray[np.floating[Any]]
) -> Iterator[npt.NDArray[np.bool_]]:
    """Greedy clusters of votes that are near in middle, size and turn; largest first."""
    far = np.abs(np.log(scale[:, None] / scale[None, :])) > KEYPOINT_VOTES.log_scale
    far |= np.cos(turn[:, None] - turn[None, :]) < KEYPOINT_VOTES.cosine
    reach = KEYPOINT_VOTES.middle * CROP_SIZE[1] * scale
    for axis in range(2):
        far |= np.abs(middles[:, None, axis] - middles[None, :, axis]) > reach[:, None]
    near = ~far
    left = np.ones(len(middles), bool)
    for _ in range(KEYPOINT_VOTES.most):
        counts = (near & left[None, :]).sum(1) * left
        best = int(counts.argmax())
        if counts[best] < KEYPOINT_VOTES.fewest:
            return
        voters = near[best] & left
        yield voters
        middle, size = np.median(middles[voters], 0), float(np.median(scale[voters]))
        left &= np.linalg.norm(middles - middle, axis=1) > KEYPOINT_VOTES.cleared * CROP_SIZE[0] * size
