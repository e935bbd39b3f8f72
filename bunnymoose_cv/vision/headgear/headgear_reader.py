"""Headgear reader: classification of both sides of a head.

`models/headgear.onnx` classifies a hand by its joints and their places at the head. Only if it is unsure, it also gets
the output of `models/hand_shape.onnx` for the hand's pixels. `models/side.onnx` classifies the crop of a side: alone if
no hand was found there, or as a second look if the hand is still uncertain.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.hand_features import (
    HandFeatures,
    features,
    features_alone,
    features_at_head,
    with_pixels,
)
from bunnymoose_cv.vision.headgear.hand_shape import HandShapeNet
from bunnymoose_cv.vision.headgear.headgear_reading import (
    FIELDS_OF_KIND,
    NO_HAND,
    HeadgearProbabilities,
    HeadgearReading,
)
from bunnymoose_cv.vision.headgear.logit_scaling import (
    Seen,
    shipped_scaling,
    with_gap,
    with_headgear_odds,
    with_second_look,
    with_thumb,
)
from bunnymoose_cv.vision.headgear.measures import HandMeasures, Quantity, Zone, measures_alone, measures_at_head
from bunnymoose_cv.vision.headgear.reasons import reasons_alone, reasons_at_head, reasons_without_hand
from bunnymoose_cv.vision.headgear.side_net import SideNet, cut_side, share_in_cut, share_in_image
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet
from bunnymoose_cv.vision.settings import HEADGEAR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import HeadgearSettings
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.hand_features import Inputs
    from bunnymoose_cv.vision.headgear.logit_scaling import Logits, LogitScaling, Probabilities
    from bunnymoose_cv.vision.headgear.side_net import SideAnswer

SHIPPED_HAND_NET: Final = bundled("models/headgear.onnx")

_LONGEST_THUMB: Final = 3.0
"""Distance of the thumb's tip from the little finger's root, palms, beyond which joints are wrong. So are those of a
hand that is seen end-on: 1 of 1202 hands of real people, 8 of 557 in the clips of `fixtures/rounds`."""

_SURE_BY_JOINTS: Final = 0.95
"""Confidence by joints from which a hand's pixels are not looked at (docs/experiments/026)."""


class HandNet:
    """Network that classifies hands by joints, place and pixels. It belongs to one thread at a time."""

    def __init__(self, model: Path = SHIPPED_HAND_NET) -> None:
        self._net = OnnxNet(model)

    def logits(self, inputs: Inputs, seen: Seen) -> Logits:
        """Return the logits of one or more hands, shape (n, 7): at a head with or without pixels, or single hands."""
        return self._net.run(inputs, seen.value)


class HeadgearReader:
    """Classifier of headgears. It belongs to one thread at a time.

    Networks and scaling are the shipped ones if None. Evaluations pass those that have not seen some people.
    """

    def __init__(
        self,
        settings: HeadgearSettings,
        hand_net: HandNet | None = None,
        side_net: SideNet | None = None,
        scaling: LogitScaling | None = None,
    ) -> None:
        self._settings = settings
        self._hand_net = hand_net or HandNet()
        self._side_net = side_net or SideNet()
        self._shape_net = HandShapeNet()
        self._scaling = scaling or shipped_scaling()

    def read(
        self, image: Image, player: Player, answers: Mapping[tuple[Head, Side], SideAnswer] | None = None
    ) -> dict[Side, HeadgearReading]:
        """Read the headgear on both sides of a player's head, with the answers that are already known."""
        known = answers or {}
        measured = {side: measures_at_head(hand, player.head, side) for side, hand in player.hands.items()}
        first = self._of_hands(image, player, measured)
        found: Sequence[Probabilities] = [
            self._of_side(image, player, side, first.get(side), known.get((player.head, side))) for side in Side
        ]
        can_be_seen = [
            side in player.hands or share_in_image(image, player.head, side) >= HEADGEAR.visible_share for side in Side
        ]
        if all(can_be_seen):
            found = self._scaling.on_one_head(*found, hands_found=len(player.hands) == len(Side))
        return {
            side: reading_by(
                measured.get(side),
                HeadgearProbabilities.of(row) if seen else NO_HAND,
                self._settings,
                head_is_sure=player.head.sure,
            )
            for side, (row,), seen in zip(Side, found, can_be_seen, strict=True)
        }

    def _of_hands(
        self, image: Image, player: Player, measured: Mapping[Side, HandMeasures]
    ) -> dict[Side, Probabilities]:
        """Return the probabilities of each hand with possible joints, shape (1, 7), with its pixels if needed."""
        hands = {side: hand for side, hand in player.hands.items() if measured[side].thumb <= _LONGEST_THUMB}
        if not hands:
            return {}
        joints = HandFeatures.join([features_at_head(hand, player.head, side) for side, hand in hands.items()])
        inputs = dict(zip(hands, features(joints)[:, None], strict=True))
        found = self._by_hands(Seen.JOINTS, inputs, measured)
        confidences = {side: HeadgearProbabilities.of(row).confidence for side, (row,) in found.items()}
        unsure = {side: hand for side, hand in hands.items() if confidences[side] < _SURE_BY_JOINTS}
        if not unsure:
            return found
        pixels = zip(unsure, self._shape_net.logits_at(image, unsure)[:, None], strict=True)
        inputs = {side: with_pixels(inputs[side], logits) for side, logits in pixels}
        return found | self._by_hands(Seen.HAND, inputs, measured)

    def _by_hands(
        self, seen: Seen, inputs: Mapping[Side, Inputs], measured: Mapping[Side, HandMeasures]
    ) -> dict[Side, Probabilities]:
        """Return the probabilities of hands by their joints, or also by their pixels, shape (1, 7)."""
        logits = self._hand_net.logits(np.concatenate([*inputs.values()]), seen)
        rows = self._scaling.probabilities(seen, logits)[:, None]
        return {side: _placed(row, measured[side]) for side, row in zip(inputs, rows, strict=True)}

    def _of_side(
        self, image: Image, player: Player, side: Side, first: Probabilities | None, answer: SideAnswer | None
    ) -> Probabilities:
        """Return the probabilities of one side, shape (1, 7), from those of its hand, or from pixels alone."""
        if first is None:
            by_crop = self._by_crop(Seen.SIDE, answer or self.look_at_side(image, player.head, side))
            return with_headgear_odds(by_crop, _odds_of_missed_hand(player, side))
        if not HeadgearProbabilities.of(first[0]).unclear(self._settings):
            return first
        answer = answer or self.look_at_side(image, player.head, side)
        return with_second_look(first, self._by_crop(Seen.SECOND_LOOK, answer))

    def look_at_side(self, image: Image, head: Head, side: Side) -> SideAnswer:
        """Return the side network's answer for one side of a head."""
        return self._side_net.answer(cut_side(image, head, side))

    def _by_crop(self, seen: Seen, answer: SideAnswer) -> Probabilities:
        """Return the probabilities of one side by its crop alone, shape (1, 7)."""
        return self._scaling.probabilities(seen, answer.logits)

    def read_alone(self, hand: HandLandmarks) -> HeadgearReading:
        """Read a hand without a head. The place of an ear has no meaning in this reading."""
        (row,) = self._scaling.probabilities(
            Seen.LONE_HAND, self._hand_net.logits(features(features_alone(hand)), Seen.LONE_HAND)
        )
        # The place is certain, so that it does not lower a confidence.
        placeless = replace(HeadgearProbabilities.of(row), top=1.0)
        measured = measures_alone(hand)
        reasons = reasons_alone(measured, placeless.headgear)
        return HeadgearReading(placeless, placeless.unclear(self._settings), reasons, measured)


def _placed(hand: Probabilities, measured: HandMeasures) -> Probabilities:
    """Lower the odds of headgear of a hand, shape (1, 7), that is far off, or whose thumb points away from the head."""
    near = with_gap(hand, measured.gap or 0.0, measured.thumb)
    return with_thumb(near, measured.thumb_behind or 0.0)


_MOST_OF_A_HAND: Final = 2 / 3
"""Share of a hand's joints in the crop of a side from which the crop shows that hand."""

_ODDS_BESIDE_OTHER_SIDE, _ODDS_BESIDE_NEIGHBOUR = 0.2, 0.05
"""Factors on the odds of headgear at a side without a hand, if its crop shows the hand of the player's other side, or a
neighbour's hand (docs/experiments/025)."""


def _odds_of_missed_hand(player: Player, side: Side) -> float:
    """Return the factor on the odds of headgear at a side whose crop shows a hand that was found elsewhere.

    A hand in front of the forehead is in the crops of both sides, but it is the headgear of one side only; and a
    neighbour's hand may be in the crop, too. Headgear is not ruled out, since MediaPipe may have missed another hand.
    """

    def is_shown(hand: HandLandmarks) -> bool:
        return share_in_cut(hand.points, player.head, side) >= _MOST_OF_A_HAND

    if side in player.hands:
        return 1.0
    if any(map(is_shown, player.neighbours_hands)):
        return _ODDS_BESIDE_NEIGHBOUR
    return _ODDS_BESIDE_OTHER_SIDE if any(map(is_shown, player.hands.values())) else 1.0


def reading_of(
    player: Player,
    side: Side,
    probabilities: HeadgearProbabilities,
    settings: HeadgearSettings,
    headgear_prior: float | None = None,
) -> HeadgearReading:
    """Return a reading with its reasons for the probabilities of one frame, or of several frames together.

    Args:
        headgear_prior: prior of the game, if the reading is the one at Bam.
    """
    hand = player.hands.get(side)
    measures = None if hand is None else measures_at_head(hand, player.head, side)
    if headgear_prior is not None:
        probabilities = at_bam(probabilities, measures, headgear_prior)
    return reading_by(measures, probabilities, settings, head_is_sure=player.head.sure)


_DOUBTFUL_GAP, _IN_DOUBT = 1.2, 0.65
"""Gap from which a hand may be too far off, in eye distances, and the highest probability of headgear that it then has
at Bam. Of 11 real hands with shapes of headgear that are measured 1.25 to 1.4 off, 8 count (docs/experiments/019)."""


def at_bam(
    probabilities: HeadgearProbabilities, measures: HandMeasures | None, headgear_prior: float
) -> HeadgearProbabilities:
    """Apply the prior of the game to the probabilities of a side, and leave a hand in doubt that may be too far off.

    The prior is about the shapes that players show, not about distances. A thumb that is not found may be at the head,
    so only hands with the thumb out are doubtful.

    Args:
        measures: measures of the hand; None without one, and the prior does not apply.
    """
    if measures is None:
        return probabilities
    likely = probabilities.with_headgear_odds(headgear_prior)
    is_far = (measures.gap or 0.0) >= _DOUBTFUL_GAP and measures.zone(Quantity.THUMB) is Zone.ABOVE
    return likely.with_headgear_at_most(_IN_DOUBT) if is_far else likely


def reading_by(
    measures: HandMeasures | None,
    probabilities: HeadgearProbabilities,
    settings: HeadgearSettings,
    *,
    head_is_sure: bool,
) -> HeadgearReading:
    """Return a reading with its reasons for probabilities and the measures of the hand (None if none was found)."""
    shown = probabilities.headgear
    unclear = probabilities.unclear(settings)
    if measures is None:
        unclear = unclear if head_is_sure else FIELDS_OF_KIND[probabilities.kind]
        return HeadgearReading(probabilities, unclear, reasons_without_hand(shown))
    return HeadgearReading(probabilities, unclear, reasons_at_head(measures, shown), measures)
