"""Crops of enrolment: equal in other light and either way up, apart where one digit differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE
from bunnymoose_cv.vision.cards.equal_cards import CardLook

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.capture.frame import Image
    from training.cards.laid_cards import Face


def _as_it_is(crop: Image) -> Image:
    return crop


def _upside_down(crop: Image) -> Image:
    return np.ascontiguousarray(crop[::-1, ::-1])


def _tilted_in_warm_light(crop: Image) -> Image:
    corners = np.array([[0, 0], [252, 0], [252, 352], [0, 352]], np.float32)
    cut = np.array([[7, 5], [249, -4], [255, 349], [-3, 357]], np.float32)
    moved = cv2.warpPerspective(
        crop, cv2.getPerspectiveTransform(cut, corners), CROP_SIZE, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.clip(moved * np.array([0.7, 0.85, 1.05]), 0, 255), np.uint8)


def _blurred_and_noisy(crop: Image) -> Image:
    soft = cv2.GaussianBlur(crop, (0, 0), 1.5) + np.random.default_rng(2).normal(0, 5, crop.shape)
    return np.asarray(np.clip(soft, 0, 255), np.uint8)


@pytest.mark.parametrize("change", [_as_it_is, _upside_down, _tilted_in_warm_light, _blurred_and_noisy])
def test_only_the_same_face_is_equal(faces: Sequence[Face], change: Callable[[Image], Image]) -> None:
    crops = {
        face.face: np.asarray(cv2.resize(face.image, CROP_SIZE, interpolation=cv2.INTER_AREA), np.uint8)
        for face in faces
        if face.face in {"TONGUE+2", "TONGUE+3", "L.SF+1", "L.SF+2", "B.S?+1", "B.SF+1", "REVERSE"}
    }
    assert len(crops) == 7
    looks = {face: CardLook.of(crop) for face, crop in crops.items()}
    for face, crop in crops.items():
        again = CardLook.of(change(crop))
        assert [other for other, look in looks.items() if again.shows_same_as(look)] == [face]


def test_a_plain_crop_equals_nothing(faces: Sequence[Face]) -> None:
    plain = CardLook.of(np.full((CROP_SIZE[1], CROP_SIZE[0], 3), 120, np.uint8))
    card = CardLook.of(np.asarray(cv2.resize(faces[0].image, CROP_SIZE), np.uint8))
    assert not plain.shows_same_as(card)
    assert not plain.shows_same_as(plain)
