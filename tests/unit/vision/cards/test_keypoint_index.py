"""Vocabulary of keypoints: which of them count as one."""

from __future__ import annotations

import numpy as np

from bunnymoose_cv.vision.cards.card_settings import MATCHING
from bunnymoose_cv.vision.cards.keypoint_index import Vocabulary


def vocabulary(places: list[tuple[float, float]], alike: float = 1.0) -> Vocabulary:
    """Keypoints at places, whose descriptors have a cosine with those of another vocabulary."""
    count = len(places)
    descriptors = np.tile([alike, (1 - alike**2) ** 0.5], (count, 1)).astype(np.float32)
    ones = np.ones(count, np.float32)
    return Vocabulary(np.array(places, np.float32), ones, ones, descriptors)


def test_keypoints_of_one_look_are_one_if_they_are_less_than_twelve_pixels_apart() -> None:
    first = vocabulary([(0, 0)])
    same = first.same_as(vocabulary([(11.9, 0), (0, -11.9), (12.1, 0), (0, 12.1)]))
    assert same[:, 0].tolist() == [True, True, False, False]


def test_keypoints_of_another_look_are_never_one() -> None:
    first = vocabulary([(0, 0)])
    assert first.same_as(vocabulary([(0, 0)], MATCHING.alike + 0.01)).all()
    assert not first.same_as(vocabulary([(0, 0)], MATCHING.alike - 0.01)).any()
