"""RootSIFT keypoints: descriptors of unit length, and an image without any."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.vision.cards.root_sift import root_sift


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
