"""Headgear cascade: first-stage networks, second-stage networks where the first is below threshold.

First stage: hand joints (`models/headgear.onnx`) and side crop (`models/side.onnx`). Second stage: head placed again by
the face network, second side network (`models/side_again.onnx`) and refined hand (`models/close.onnx`). `fusion.py`
combines the logits, `reasons.py` gives the reasons.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.bundled import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.faces.face_refiner import replace_head
from bunnymoose_cv.vision.headgear.fusion import NO_LOGITS, LogitFusion, doubtful
from bunnymoose_cv.vision.headgear.hand_features import HandFeatures, features, features_alone, features_at_head
from bunnymoose_cv.vision.headgear.hand_refiner import (
    CloseNet,
    HandFrame,
    HandRefiner,
    RefinedHands,
    cut_for_close_look,
    in_square,
)
from bunnymoose_cv.vision.headgear.measures import measures_alone, measures_at_head
from bunnymoose_cv.vision.headgear.reasons import reasons_alone, reasons_at_head, reasons_without_hand
from bunnymoose_cv.vision.headgear.result import FIELDS_OF_KIND, NO_HAND, HeadgearProbabilities, HeadgearReading
from bunnymoose_cv.vision.headgear.side_net import SideNet, WhichNet, cut_side, share_in_picture
from bunnymoose_cv.vision.nets.face_net import FaceNet
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet
from bunnymoose_cv.vision.settings import HEADGEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.profile import HeadgearLimits
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.fusion import Logits


SIDES = tuple(Side)
"""In whose order nets look at both sides of a head."""


class HandNet:
    """The net for hands by their joints, run by OpenCV. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._net = OnnxNet(bundled("models/headgear.onnx"))

    def answers(self, stances: HandFeatures) -> Logits:
        """What at least one hand makes, as log odds."""
        return self._net.run(features(stances))


class HeadgearReader:
    """Reads headgears. Belongs to one thread at a time."""

    def __init__(self, limits: HeadgearLimits) -> None:
        self._limits = limits
        self._hand_net = HandNet()
        self._side_net, self._second_side_net = (SideNet(which) for which in WhichNet)
        self._face_net = FaceNet()
        self._close_eye = HandRefiner()
        self._close_net = CloseNet()
        self._joining = LogitFusion.load(bundled("models/joining.toml"))

    def read(self, picture: Picture, player: Player, *, second_stage: bool = True) -> dict[Side, HeadgearReading]:
        """What stands on both sides of a player's head.

        Args:
            picture: shape (height, width, 3), blue-green-red, unmirrored; what the player was found in.
            player: with the hands that were found.
            second_stage: whether uncertain sides go through the second stage.
        """
        found = self._of_each(picture, player, second_stage=second_stage)
        needs_second_stage = {SIDES[row] for row in doubtful(found)} if not second_stage else set()
        readings = {
            side: reading_of(player, side, probabilities, self._limits)
            for side, probabilities in zip(SIDES, self._probabilities(picture, player, found), strict=True)
        }
        return {
            side: replace(reading, needs_second_stage=side in needs_second_stage) for side, reading in readings.items()
        }

    def _probabilities(self, picture: Picture, player: Player, found: Logits) -> list[HeadgearProbabilities]:
        """Probabilities of both sides; where both can be seen, each speaks for the other."""
        seen = [_can_be_seen(picture, player, side) for side in SIDES]
        if all(seen):
            left, right = np.split(found, len(SIDES))
            both = len(player.hands) == len(SIDES)
            found = np.concatenate(self._joining.on_one_head(left, right, hands_found=both))
        return [
            HeadgearProbabilities(*map(float, row)) if can_be_seen else NO_HAND
            for row, can_be_seen in zip(found, seen, strict=True)
        ]

    def _of_each(self, picture: Picture, player: Player, *, second_stage: bool) -> Logits:
        """Probabilities of each side by itself: of what sees it at first, and where that doubts of all that can."""
        first = self._side_net.look([cut_side(picture, player.head, side) for side in SIDES]).answers
        hands = np.array([side in player.hands for side in SIDES])
        hand = np.zeros_like(first)
        hand[hands] = self._by_joints(player)
        joined = self._joining.of_side(first)
        joined[hands] = self._joining.of_hand_and_side(hand[hands], first[hands])
        again = doubtful(joined)
        if len(again) and second_stage:
            head = replace_head(self._face_net, picture, player.head)
            anew, close = self._again(picture, head, [SIDES[row] for row in again])
            seen = np.mean([first[again], *anew], 0)
            joined[again] = self._joining.of_side_and_close(seen, close)
            held = hands[again]
            joined[again[held]] = self._joining.of_all(hand[again[held]], seen[held], close[held])
        return joined

    def _again(self, picture: Picture, head: Head, sides: Sequence[Side]) -> tuple[tuple[Logits, Logits], Logits]:
        """What each side net and what the close net says of sides, at least one, of a head that was placed anew.

        The mesh may lean a little otherwise than the head, and where a net doubts, that is often why.
        """
        cuts = [cut_side(picture, head, side) for side in sides]
        first, second = self._side_net.look(cuts), self._second_side_net.look(cuts)
        looks = [
            self._close_eye.look(cut_for_close_look(picture, head, side), HandFrame.around(in_square(own)))
            for side, own in zip(sides, first.joints, strict=True)
        ]
        return (first.answers, second.answers), self._close_net.answers(RefinedHands.join(looks))

    def _by_joints(self, player: Player) -> Logits:
        """What the hand net says of the hands that were found, in the order of their sides."""
        held = [side for side in SIDES if side in player.hands]
        if not held:
            return NO_LOGITS
        stances = [features_at_head(player.hands[side], player.head, side) for side in held]
        return self._hand_net.answers(HandFeatures.join(stances))

    def read_alone(self, hands: Iterable[HandLandmarks]) -> tuple[HeadgearReading, ...]:
        """What hands by themselves make, without a head to stand on; the place of an ear means nothing."""
        hands = tuple(hands)
        if not hands:
            return ()
        answers = self._joining.of_hand(
            self._hand_net.answers(HandFeatures.join([features_alone(hand) for hand in hands]))
        )
        probabilities = [HeadgearProbabilities(*map(float, row)) for row in answers]
        placeless = [replace(one, top=1.0) for one in probabilities]  # so that it lowers no confidence
        measures = [measures_alone(hand) for hand in hands]
        return tuple(
            HeadgearReading(one, one.unclear(self._limits), reasons_alone(measured, one.headgear), measured)
            for measured, one in zip(measures, placeless, strict=True)
        )


def reading_of(
    player: Player, side: Side, probabilities: HeadgearProbabilities, limits: HeadgearLimits
) -> HeadgearReading:
    """A reading with its reasons from probabilities, of one frame or put together from several."""
    hand = player.hands.get(side)
    shown = probabilities.headgear
    unclear = probabilities.unclear(limits)
    if hand is None:
        unclear = unclear if player.head.sure else FIELDS_OF_KIND[probabilities.kind]
        return HeadgearReading(probabilities, unclear, reasons_without_hand(shown))
    measures = measures_at_head(hand, player.head, side)
    return HeadgearReading(probabilities, unclear, reasons_at_head(measures, shown), measures)


def _can_be_seen(picture: Picture, player: Player, side: Side) -> bool:
    return side in player.hands or share_in_picture(picture, player.head, side) >= HEADGEAR.visible_share
