"""Headgear reader: classify both sides of a head.

`models/headgear.onnx` classifies a hand by its joints, their places at the head, and what `models/hand_shape.onnx`
sees in its pixels. `models/side.onnx` classifies the crop of a side: alone if no hand was found there, as a second look
if the first leaves a question. `logit_scaling.py` turns their logits into probabilities, `reasons.py` gives reasons.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, features, features_alone, features_at_head
from bunnymoose_cv.vision.headgear.hand_shape import HandShapeNet
from bunnymoose_cv.vision.headgear.headgear_reading import (
    FIELDS_OF_KIND,
    NO_HAND,
    HeadgearProbabilities,
    HeadgearReading,
)
from bunnymoose_cv.vision.headgear.logit_scaling import Seen, shipped_scaling, with_second_look
from bunnymoose_cv.vision.headgear.measures import measures_alone, measures_at_head
from bunnymoose_cv.vision.headgear.reasons import reasons_alone, reasons_at_head, reasons_without_hand
from bunnymoose_cv.vision.headgear.side_net import SideNet, cut_side, share_in_image
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet
from bunnymoose_cv.vision.settings import HEADGEAR

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import HeadgearSettings
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.logit_scaling import Logits, LogitScaling, Probabilities
from bunnymoose_cv.vision.headgear.measures import HandMeasures

SHIPPED_HAND_NET: Final = bundled("models/headgear.onnx")

SIDES = tuple(Side)
"""Order of both sides in every array."""


class HandNet:
    """Network that classifies hands by joints, place and pixels. Belongs to one thread at a time."""

    def __init__(self, model: Path = SHIPPED_HAND_NET) -> None:
        """Load the network from its file."""
        self._net = OnnxNet(model)

    def logits(self, hands: HandFeatures) -> Logits:
        """Return the logits of at least one hand at a head, shape (n, 7)."""
        return self._net.run(features(hands), "at_head")

    def logits_alone(self, hands: HandFeatures) -> Logits:
        """Return the logits of at least one hand by itself, shape (n, 7)."""
        return self._net.run(features(hands), "alone")


class HeadgearReader:
    """Classifier of headgears. Belongs to one thread at a time."""

    def __init__(
        self,
        settings: HeadgearSettings,
        hand_net: HandNet | None = None,
        side_net: SideNet | None = None,
        scaling: LogitScaling | None = None,
    ) -> None:
        """Load the networks.

        Args:
            hand_net: the shipped network by default; measurements pass a network that has not seen some people.
            side_net: the shipped network by default.
            scaling: by default the shipped one.
        """
        self._settings = settings
        self._hand_net = hand_net or HandNet()
        self._side_net = side_net or SideNet()
        self._shape_net = HandShapeNet()
        self._scaling = scaling or shipped_scaling()

    def read(self, image: Image, player: Player) -> dict[Side, HeadgearReading]:
        """Read the headgear on both sides of a player's head."""
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
            found = np.concatenate(self._scaling.on_one_head(left, right, hands_found=both))
        return [
            HeadgearProbabilities(*map(float, row)) if can_be_seen else NO_HAND
            for row, can_be_seen in zip(found, seen, strict=True)
        ]

    def _of_each(self, image: Image, player: Player) -> Probabilities:
        """Return the probabilities of each side by itself, shape (2, 7)."""
        return np.concatenate([self._of_side(image, player, side) for side in SIDES])

    def _of_side(self, image: Image, player: Player, side: Side) -> Probabilities:
        """Return the probabilities of one side, shape (1, 7)."""
        hand = player.hands.get(side)
        if hand is None:
            return self._by_crop(Seen.SIDE, image, player, side)
        pixels = self._shape_net.logits_at(image, hand.points, side)
        features = features_at_head(hand, player.head, side, pixels)
        first = self._scaling.probabilities(Seen.HAND, self._hand_net.logits(features))
        if not HeadgearProbabilities(*map(float, first[0])).unclear(self._settings):
            return first
        return with_second_look(first, self._by_crop(Seen.SECOND_LOOK, image, player, side))

    def may_hold_hand(self, image: Image, head: Head, side: Side) -> bool:
        """Return whether a side of a head may hold a hand that was not found."""
        return self._side_net.shows_hand(cut_side(image, head, side)) >= HEADGEAR.surely_no_hand

    def _by_crop(self, seen: Seen, image: Image, player: Player, side: Side) -> Probabilities:
        """Return the probabilities of one side by its crop alone, shape (1, 7)."""
        logits = self._side_net.logits([cut_side(image, player.head, side)])
        return self._scaling.probabilities(seen, logits)

    def read_alone(self, hands: Iterable[HandLandmarks]) -> tuple[HeadgearReading, ...]:
        """Read hands by themselves, without a head; the place of an ear means nothing."""
        hands = tuple(hands)
        if not hands:
            return ()
        logits = self._hand_net.logits_alone(HandFeatures.join([features_alone(hand) for hand in hands]))
        rows = self._scaling.probabilities(Seen.LONE_HAND, logits)
        probabilities = [HeadgearProbabilities(*map(float, row)) for row in rows]
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
