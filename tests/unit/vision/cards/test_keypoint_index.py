"""RootSIFT keypoints, and which of a vocabulary count as one."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.vision.cards.card_settings import MATCHING
from bunnymoose_cv.vision.cards.keypoint_index import Vocabulary
from bunnymoose_cv.vision.cards.root_sift import root_sift


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


def test_descriptors_have_unit_length_and_stand_beside_their_places() -> None:
    grey = np.random.default_rng(0).integers(0, 256, (90, 120)).astype(np.uint8)
    found = root_sift(grey, 40, 0.02)
    count = len(found.places)
    assert 0 < count <= 41
    assert (found.places.shape, found.angles.shape, found.sizes.shape) == ((count, 2), (count,), (count,))
    assert np.linalg.norm(found.descriptors, axis=1) == pytest.approx(np.ones(count), abs=1e-5)


def test_a_plain_image_has_none() -> None:
    found = root_sift(np.full((90, 120), 128, np.uint8), 40, 0.02)
    assert found.places.shape == (0, 2)
    assert found.descriptors.shape == (0, 128)
