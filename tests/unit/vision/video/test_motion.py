"""A stir beside a head, told from noise and from the light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.vision.video.motion import has_moved

if TYPE_CHECKING:
    from bunnymoose_cv.vision.readings import FrameReading


def test_noise_and_light_are_no_stir(party: FrameReading) -> None:
    noise = np.random.default_rng(1).normal(8, 6, party.picture.shape)
    noisy = np.clip(party.picture + noise, 0, 255).astype(np.uint8)
    assert not any(has_moved(party.picture, each.player.head, noisy, each.player.head) for each in party.players)
