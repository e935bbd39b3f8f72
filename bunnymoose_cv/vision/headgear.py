"""What stands on a side of a head: trained nets decide, geometry gives the reasons in words. Owns no pixels.

One net (`models/headgear.onnx`) reads the joints of the hand, another (`models/side.onnx`) the picture of the side,
where a hand may be that MediaPipe did not find; where they doubt, our face net places the head anew, a second side net
(`models/side_again.onnx`) sees the side from there, too, and another (`models/close.onnx`) reads a close look at the
hand. `answers.py` puts together what they say, `reasons.py` finds the words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import reduce
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.bundled import bundled
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Side, Spread
from bunnymoose_cv.vision.answers import NO_ANSWERS, Joining, doubtful
from bunnymoose_cv.vision.close_look import CloseEye, CloseLooks, CloseNet, HandFrame, cut_for_close_look, in_square
from bunnymoose_cv.vision.face_net import FaceNet
from bunnymoose_cv.vision.measured import HandMeasures, measures_alone, measures_at_head
from bunnymoose_cv.vision.our_faces import laid_anew
from bunnymoose_cv.vision.reasons import reasons_alone, reasons_at_head, reasons_without_hand
from bunnymoose_cv.vision.side import SideNet, WhichNet, cut_side, share_in_picture
from bunnymoose_cv.vision.stance import Stances, features, stance_alone, stance_at_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.phrase import Phrase
    from bunnymoose_cv.profile import HeadgearLimits
    from bunnymoose_cv.vision.answers import Answers
    from bunnymoose_cv.vision.head import Head
    from bunnymoose_cv.vision.landmarks import HandLandmarks
    from bunnymoose_cv.vision.people import Player


class Kind(Enum):
    """What a hand makes."""

    ANTLER = "antler"
    EAR = "ear"
    NEITHER = "other"


class Field(Enum):
    """What a reading says of one headgear, field by field."""

    KIND = "kind"
    SPREAD = "spread"
    DIRECTION = "direction"
    FORM = "form"
    PLACE = "place"


FIELDS_OF_KIND: Mapping[Kind, tuple[Field, ...]] = {
    Kind.ANTLER: (Field.KIND, Field.SPREAD, Field.DIRECTION),
    Kind.EAR: (Field.KIND, Field.PLACE, Field.FORM),
    Kind.NEITHER: (Field.KIND,),
}
"""Which fields a kind of headgear has."""


@dataclass(frozen=True, slots=True)
class HeadgearProbabilities:
    """The nets' answer for one side or hand; probabilities from 0 to 1.

    `antler`, `ear` and `neither` add up to 1; `wide`, `up` hold if it is an antler, `straight`, `top` if it is an ear.
    """

    antler: float
    ear: float
    neither: float
    wide: float = 0.5
    up: float = 0.5
    straight: float = 0.5
    top: float = 0.5

    @property
    def kind(self) -> Kind:
        """The likeliest kind."""
        return max((self.antler, Kind.ANTLER), (self.ear, Kind.EAR), (self.neither, Kind.NEITHER), key=lambda p: p[0])[
            1
        ]

    @property
    def spread(self) -> Spread:
        """The likelier spread."""
        return Spread.WIDE if self.wide >= _EVEN else Spread.COMPACT

    @property
    def direction(self) -> Direction:
        """The likelier direction."""
        return Direction.UP if self.up >= _EVEN else Direction.DOWN

    @property
    def form(self) -> Form:
        """The likelier form."""
        return Form.STRAIGHT if self.straight >= _EVEN else Form.FLOPPY

    @property
    def place(self) -> Place:
        """The likelier place."""
        return Place.TOP if self.top >= _EVEN else Place.SIDE

    @property
    def headgear(self) -> Headgear:
        """The likeliest headgear."""
        if self.kind is Kind.ANTLER:
            return Antler(self.spread, self.direction)
        return Ear(self.place, self.form) if self.kind is Kind.EAR else None

    def sureness(self, field: Field) -> float:
        """The probability of the value that is shown for a field, 0.5 (a third for the kind) to 1."""
        if field is Field.KIND:
            return max(self.antler, self.ear, self.neither)
        share = {Field.SPREAD: self.wide, Field.DIRECTION: self.up, Field.FORM: self.straight, Field.PLACE: self.top}
        return max(share[field], 1 - share[field])

    def unclear(self, limits: HeadgearLimits) -> tuple[Field, ...]:
        """The fields of the likeliest kind that are not sure enough to stand alone."""
        return tuple(
            field for field in FIELDS_OF_KIND[self.kind] if self.sureness(field) < float(getattr(limits, field.value))
        )

    @property
    def confidence(self) -> float:
        """The probability that every field of the shown headgear is right."""
        return reduce(lambda product, field: product * self.sureness(field), FIELDS_OF_KIND[self.kind], 1.0)


_EVEN = 0.5


NO_HAND = HeadgearProbabilities(antler=0.03, ear=0.07, neither=0.9)
"""Where the picture ends beside the face and no hand is found there is mostly none; but this is never sure."""


@dataclass(frozen=True, slots=True)
class HeadgearReading:
    """What is read on one side of a head, or of one hand by itself.

    Attributes:
        probabilities: the nets' answer, from which the headgear follows.
        unclear: fields too unsure to stand alone.
        reasons: the measured facts that speak for it, in words.
        measures: what those words tell, in numbers; None where no hand was found.
        left_in_doubt: whether the first look left a doubt that other looks were not asked to take away.
    """

    probabilities: HeadgearProbabilities
    unclear: tuple[Field, ...]
    reasons: tuple[Phrase, ...]
    measures: HandMeasures | None = None
    left_in_doubt: bool = False

    @property
    def sure(self) -> bool:
        """Whether it stands alone in every field, and not at first sight only."""
        return not (self.unclear or self.left_in_doubt)

    @property
    def headgear(self) -> Headgear:
        """The likeliest headgear."""
        return self.probabilities.headgear

    @property
    def confidence(self) -> float:
        """The probability that every field of it is right."""
        return self.probabilities.confidence


SIDES = tuple(Side)
"""In whose order nets look at both sides of a head."""


class HandNet:
    """The net for hands by their joints, run by OpenCV. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(bundled("models/headgear.onnx")))

    def answers(self, stances: Stances) -> Answers:
        """What at least one hand makes, as log odds."""
        self._net.setInput(features(stances))
        return np.asarray(self._net.forward(), np.float32)


class HeadgearReader:
    """Reads headgears. Belongs to one thread at a time."""

    def __init__(self, limits: HeadgearLimits) -> None:
        self._limits = limits
        self._hand_net = HandNet()
        self._side_net, self._second_side_net = (SideNet(which) for which in WhichNet)
        self._face_net = FaceNet()
        self._close_eye = CloseEye()
        self._close_net = CloseNet()
        self._joining = Joining.load(bundled("models/joining.toml"))

    def read(self, picture: Picture, player: Player, *, at_first_sight: bool = False) -> dict[Side, HeadgearReading]:
        """What stands on both sides of a player's head.

        Args:
            picture: shape (height, width, 3), blue-green-red, unmirrored; what the player was found in.
            player: with the hands that were found.
            at_first_sight: whether what is in doubt is left so, since it need not be known well.
        """
        found = self._of_each(picture, player, at_first_sight=at_first_sight)
        left_in_doubt = {SIDES[row] for row in doubtful(found)} if at_first_sight else set()
        readings = {
            side: reading_of(player, side, probabilities, self._limits)
            for side, probabilities in zip(SIDES, self._probabilities(picture, player, found), strict=True)
        }
        return {side: replace(reading, left_in_doubt=side in left_in_doubt) for side, reading in readings.items()}

    def _probabilities(self, picture: Picture, player: Player, found: Answers) -> list[HeadgearProbabilities]:
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

    def _of_each(self, picture: Picture, player: Player, *, at_first_sight: bool) -> Answers:
        """Probabilities of each side by itself: of what sees it at first, and where that doubts of all that can."""
        first = self._side_net.look([cut_side(picture, player.head, side) for side in SIDES]).answers
        hands = np.array([side in player.hands for side in SIDES])
        hand = np.zeros_like(first)
        hand[hands] = self._by_joints(player)
        joined = self._joining.of_side(first)
        joined[hands] = self._joining.of_hand_and_side(hand[hands], first[hands])
        again = doubtful(joined)
        if len(again) and not at_first_sight:
            head = laid_anew(self._face_net, picture, player.head)
            anew, close = self._again(picture, head, [SIDES[row] for row in again])
            seen = np.mean([first[again], *anew], 0)
            joined[again] = self._joining.of_side_and_close(seen, close)
            held = hands[again]
            joined[again[held]] = self._joining.of_all(hand[again[held]], seen[held], close[held])
        return joined

    def _again(self, picture: Picture, head: Head, sides: Sequence[Side]) -> tuple[tuple[Answers, Answers], Answers]:
        """What each side net and what the close net says of sides, at least one, of a head that was placed anew.

        The mesh may lean a little otherwise than the head, and where a net doubts, that is often why.
        """
        cuts = [cut_side(picture, head, side) for side in sides]
        first, second = self._side_net.look(cuts), self._second_side_net.look(cuts)
        looks = [
            self._close_eye.look(cut_for_close_look(picture, head, side), HandFrame.around(in_square(own)))
            for side, own in zip(sides, first.joints, strict=True)
        ]
        return (first.answers, second.answers), self._close_net.answers(CloseLooks.join(looks))

    def _by_joints(self, player: Player) -> Answers:
        """What the hand net says of the hands that were found, in the order of their sides."""
        held = [side for side in SIDES if side in player.hands]
        if not held:
            return NO_ANSWERS
        stances = [stance_at_head(player.hands[side], player.head, side) for side in held]
        return self._hand_net.answers(Stances.join(stances))

    def read_alone(self, hands: Iterable[HandLandmarks]) -> tuple[HeadgearReading, ...]:
        """What hands by themselves make, without a head to stand on; the place of an ear means nothing."""
        hands = tuple(hands)
        if not hands:
            return ()
        answers = self._joining.of_hand(self._hand_net.answers(Stances.join([stance_alone(hand) for hand in hands])))
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


SEEN_ENOUGH = 0.5
"""Where less than this share of a head's side lies in the picture, a hand may stand beyond its border."""


def _can_be_seen(picture: Picture, player: Player, side: Side) -> bool:
    return side in player.hands or share_in_picture(picture, player.head, side) >= SEEN_ENOUGH
