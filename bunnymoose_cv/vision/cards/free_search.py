"""Search for cards on a table without a mat, by outlines of their size and shape and by votes of matched keypoints.

Both find only coarse places. A card in a pile lacks a clean outline, and is aligned later by matching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_alignment import root_sift
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, FRAME_CORNERS
from bunnymoose_cv.vision.cards.card_settings import KEYPOINT_VOTES, OUTLINES
from bunnymoose_cv.vision.detections import keep_first
from bunnymoose_cv.vision.geometry import shrink

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_alignment import Keypoints
    from bunnymoose_cv.vision.cards.card_frame import Corners


def find_cards(image: Image, vocabulary: Keypoints) -> list[Corners]:
    """Return coarse corners of possible cards, likeliest first, each of shape (4, 2), short side first."""
    voted = _voted(image, vocabulary)
    outlined = _of_size(list(_outlined(image)), voted, KEYPOINT_VOTES.other_size)
    return keep_first((*voted, *outlined), _lie_on_one_another)[: KEYPOINT_VOTES.most]


def find_outlines(image: Image) -> list[Corners]:
    """Return the corners of single cards, found only by their outlines, each of shape (4, 2), short side first."""
    every = list(_outlined(image))
    outlined = [corners for corners in every if not any(_is_within(corners, other) for other in every)]
    return keep_first(_of_size(outlined, outlined, OUTLINES.size_range), _lie_on_one_another)


def _is_within(corners: Corners, other: Corners) -> bool:
    """Return whether a rectangle frames the artwork in the middle of a larger rectangle, as on a printed card."""
    around = _short_side(other)
    apart = float(np.linalg.norm(corners.mean(0) - other.mean(0)))
    return apart < OUTLINES.middle * around and _short_side(corners) < OUTLINES.frame * around


def _of_size(
    several: Sequence[Corners], others: Sequence[Corners], size_range: tuple[float, float]
) -> Sequence[Corners]:
    """Return the rectangles whose short side is within a range, relative to the median of others if there are any."""
    if not others:
        return several
    side, (lowest, highest) = float(np.median([_short_side(corners) for corners in others])), size_range
    return [corners for corners in several if lowest < _short_side(corners) / side < highest]


def _lie_on_one_another(corners: Corners, other: Corners) -> bool:
    side = max(_short_side(corners), _short_side(other))
    return bool(np.linalg.norm(corners.mean(0) - other.mean(0)) <= OUTLINES.same * side)


def _short_side(corners: Corners) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]))


def _outlined(image: Image) -> Iterator[Corners]:
    """Yield rectangles of a card's proportions, found in lightness, colour and saturation."""
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


def _card_like(contour: npt.NDArray[np.int32], image_area: int) -> Corners | None:
    """Return the corners of a contour that fills a rectangle of a card's proportions, short side first, or None."""
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


def _voted(image: Image, vocabulary: Keypoints) -> list[Corners]:
    """Return the corners of cards on whose middle, size and turn several matched keypoints agree."""
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
    """Return the strongest matches: indices of keypoints and of words. One drawing may be in two sizes."""
    partitioned = np.argpartition(-similar, min(KEYPOINT_VOTES.words, similar.shape[1] - 1), axis=1)
    words = partitioned[:, : KEYPOINT_VOTES.words]
    strength = np.take_along_axis(similar, words, 1)
    good = (strength > KEYPOINT_VOTES.similar) & (strength > strength.max(1, keepdims=True) - KEYPOINT_VOTES.as_good)
    asked, rank = np.nonzero(good)
    strongest = np.argsort(-strength[asked, rank])[: KEYPOINT_VOTES.most_matches]
    return asked[strongest], words[asked, rank][strongest]


def _placed(enrolled: npt.NDArray[np.float32], places: npt.NDArray[np.float32], scale: float) -> Corners:
    """Return the corners of the card that matches agree on, by a turn, a shift and a scale."""
    reach = KEYPOINT_VOTES.fitted_within * CROP_SIZE[1] * scale
    onto, _ = cv2.estimateAffinePartial2D(enrolled, places, method=cv2.RANSAC, ransacReprojThreshold=reach)
    fitted = 0.0 if onto is None else float(np.hypot(onto[0, 0], onto[1, 0]))
    corners = (FRAME_CORNERS - enrolled.mean(0)) * scale + places.mean(0)
    # Votes from a single spot collapse the card to that spot.
    if onto is not None and 1 / KEYPOINT_VOTES.collapsed < fitted / scale < KEYPOINT_VOTES.collapsed:
        corners = FRAME_CORNERS @ onto[:, :2].T + onto[:, 2]
    return np.asarray(corners, np.float32)


def _clusters(
    middles: npt.NDArray[np.float64], scale: npt.NDArray[np.floating[Any]], turn: npt.NDArray[np.floating[Any]]
) -> Iterator[npt.NDArray[np.bool_]]:
    """Yield greedy clusters of votes that are near in middle, size and turn, largest first."""
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
