"""Caption along the lower edge of an image."""

from __future__ import annotations

import numpy as np
import pytest

from bunnymoose_cv.drawing.caption import draw_caption


@pytest.mark.parametrize(
    "text", ["Blue moved", "2 · Marie-Antoinette: rabbit ahead 12 · Jean-Christophe: -- --, put right by all"]
)
def test_a_caption_fits_and_leaves_the_image_above_it(text: str) -> None:
    image = np.full((240, 320, 3), 120, np.uint8)
    captioned = draw_caption(image, text)
    assert (captioned[:190] == image[:190]).all()
    assert (image == 120).all()
    columns = np.nonzero((captioned[200:] > 200).any(axis=(0, 2)))[0]
    assert len(columns) > 30
    assert columns[-1] < 318


def test_an_empty_caption_leaves_a_image_like_it() -> None:
    image = np.full((240, 320, 3), 120, np.uint8)
    captioned = draw_caption(image, "")
    assert captioned is not image
    assert (captioned == image).all()
