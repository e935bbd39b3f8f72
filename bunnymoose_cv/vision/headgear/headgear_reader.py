"""Headgear reader: classify both sides of a head from hand joints and side crops.

`models/headgear.onnx` classifies the joints of a detected hand, `models/side.onnx` the crop of a side of the head.
`fusion.py` combines their logits, `reasons.py` gives the reasons.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.fusion import shipped_fusion
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, features, features_alone, features_at_head
from bunnymoose_cv.vision.headgear.headgear_reading import (
    FIELDS_OF_KIND,
    NO_HAND,
    HeadgearProbabilities,
    HeadgearReading,
)
from bunnymoose_cv.vision.headgear.measures import measures_alone, measures_at_head
from bunnymoose_cv.vision.headgear.reasons import reasons_alone, reasons_at_head, reasons_without_hand
from bunnymoose_cv.vision.headgear.side_net import SideNet, cut_side, share_in_image
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet
from bunnymoose_cv.vision.settings import HEADGEAR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import HeadgearSettings
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.fusion import LogitFusion, Logits, Probabilities
    from bunnymoose_cv.vision.headgear.measures import HandMeasures


SIDES = tuple(Side)
"""Order of both sides in every array."""


class HandNet:
    """The net for hands by their joints, run by OpenCV. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._net = OnnxNet(bundled("models/headgear.onnx"))

    def logits(self, hands: HandFeatures) -> Logits:
        """Logits of at least one hand."""
        return self._net.run(features(hands))


class HeadgearReader:
    """Classifier of headgears. Belongs to one thread at a time."""

    def __init__(
        self, settings: HeadgearSettings, side_net: SideNet | None = None, fusion: LogitFusion | None = None
    ) -> None:
        """Load the nets.

        Args:
            settings: what is clear.
            side_net: the shipped one unless told; one that has not seen some people measures how they are read.
            fusion: likewise.
        """
        self._settings = settings
        self._hand_net = HandNet()
        self._side_net = side_net or SideNet()
        self._fusion = fusion or shipped_fusion()

    def read(self, image: Image, player: Player) -> dict[Side, HeadgearReading]:
        """Read the headgear on both sides of a player's head.

        Args:
            image: shape (height, width, 3), blue-green-red, unmirrored; what the player was found in.
            player: with the hands that were found.
        """
        found = self._probabilities(image, player, self._of_each(image, player))
        return {
            side: reading_of(player, side, probabilities, self._settings)
            for side, probabilities in zip(SIDES, found, strict=True)
        }

    def _probabilities(self, image: Image, player: Player, found: Probabilities) -> list[HeadgearProbabilities]:
        """Probabilities of both sides; where both can be seen, with their pairwise prior."""
        seen = [_can_be_seen(image, player, side) for side in SIDES]
        if all(seen):
            left, right = np.split(found, len(SIDES))
            both = len(player.hands) == len(SIDES)
            found = np.concatenate(self._fusion.on_one_head(left, right, hands_found=both))
        return [
            HeadgearProbabilities(*map(float, row)) if can_be_seen else NO_HAND
            for row, can_be_seen in zip(found, seen, strict=True)
        ]

    def _of_each(self, image: Image, player: Player) -> Probabilities:
        """Probabilities of each side by itself, shape (2, 7)."""
        side = self._side_net.logits([cut_side(image, player.head, side) for side in SIDES])
        held = np.array([side in player.hands for side in SIDES])
        joined = self._fusion.of_side(side)
        if held.any():
            joined[held] = self._fusion.of_hand_and_side(self._by_joints(player), side[held])
        return joined

    def _by_joints(self, player: Player) -> Logits:
        """Logits of the detected hands, at least one, in the order of their sides."""
        held = [side for side in SIDES if side in player.hands]
        hands = [features_at_head(player.hands[side], player.head, side) for side in held]
        return self._hand_net.logits(HandFeatures.join(hands))

    def read_alone(self, hands: Iterable[HandLandmarks]) -> tuple[HeadgearReading, ...]:
        """Read hands by themselves, without a head; the place of an ear means nothing."""
        hands = tuple(hands)
        if not hands:
            return ()
        answers = self._fusion.of_hand(
            self._hand_net.logits(HandFeatures.join([features_alone(hand) for hand in hands]))
        )
        probabilities = [HeadgearProbabilities(*map(float, row)) for row in answers]
        placeless = [replace(one, top=1.0) for one in probabilities]  # so that it lowers no confidence
        measures = [measures_alone(hand) for hand in hands]
        return tuple(
            HeadgearReading(one, one.unclear(self._settings), reasons_alone(measured, one.headgear), measured)
            for measured, one in zip(measures, placeless, strict=True)
        )


def reading_of(
    player: Player, side: Side, probabilities: HeadgearProbabilities, settings: HeadgearSettings
) -> HeadgearReading:
    """A reading with its reasons from probabilities, of one frame or put together from several."""
    hand = player.hands.get(side)
    measures = None if hand is None else measures_at_head(hand, player.head, side)
    return reading_by(measures, probabilities, settings, head_is_sure=player.head.sure)


def reading_by(
    measures: HandMeasures | None,
    probabilities: HeadgearProbabilities,
    settings: HeadgearSettings,
    *,
    head_is_sure: bool,
) -> HeadgearReading:
    """A reading with its reasons from probabilities and the measures of the hand; None where no hand was found."""
    shown = probabilities.headgear
    unclear = probabilities.unclear(settings)
    if measures is None:
        unclear = unclear if head_is_sure else FIELDS_OF_KIND[probabilities.kind]
        return HeadgearReading(probabilities, unclear, reasons_without_hand(shown))
    return HeadgearReading(probabilities, unclear, reasons_at_head(measures, shown), measures)


def _can_be_seen(image: Image, player: Player, side: Side) -> bool:
    return side in player.hands or share_in_image(image, player.head, side) >= HEADGEAR.visible_share
