"""Search of hands in crops at a head; whole images are read in test_reader.py."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.hands.hand_search import BESIDE, CLOSER, find_hands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.detections import HandLandmarks
    from tests.unit.vision.conftest import MakeHand, MakeHead


@dataclass
class UpsideDownHands:
    """Workers and landmarkers that see a hand in crops that are turned by 180 degrees alone."""

    hand: HandLandmarks
    sizes: list[int] = field(default_factory=list)

    def begin(self, look: Callable[[Any, Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        return iter([look(self, item) for item in items])

    def hands(self, crop: Image) -> list[HandLandmarks]:
        self.sizes.append(crop.shape[0])
        return [self.hand] if crop[0].mean() > crop[-1].mean() else []


def test_a_hand_seen_upside_down_is_turned_back_in_the_image_and_in_space(
    make_head: MakeHead, make_hand: MakeHand
) -> None:
    image = np.repeat(np.linspace(0, 255, 600).astype(np.uint8), 800 * 3).reshape(600, 800, 3)  # bright below
    seen = make_hand(BESIDE.size / 2, BESIDE.size / 2)
    workers: Any = UpsideDownHands(seen)
    hands = find_hands((make_head(400),), image, workers, load_settings().people)
    assert len(workers.sizes) == 1 + 2 * len(CLOSER)
    for hand in hands:
        assert np.allclose(hand.world, seen.world * [-1, -1, 1])
        fingers, seen_fingers = (each.points[12, :2] - each.points[0, :2] for each in (hand, seen))
        assert fingers @ seen_fingers < -0.99 * np.linalg.norm(fingers) * np.linalg.norm(seen_fingers)
    assert len(hands) == 2
