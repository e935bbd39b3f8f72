"""A stir beside a head, told from noise and from the light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.vision.video.motion import has_moved

if TYPE_CHECKING:
    from bunnymoose_cv.vision.readings import FrameReading


@pytest.mark.parametrize("light", [-40, 40])
def test_noise_and_light_are_no_stir(party: FrameReading, light: int) -> None:
    """A lamp that is switched changes all cells alike, twice as much as a stir has to; a camera adds noise."""
    plain = np.clip(party.image, 50, 205)
    noise = np.random.default_rng(1).normal(light, 6, plain.shape)
    lit = np.clip(plain + noise, 0, 255).astype(np.uint8)
    assert not any(has_moved(plain, each.player.head, lit, each.player.head) for each in party.players)
