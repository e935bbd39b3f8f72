"""Coach: the difference between a reading and the asked pose, as one plain hint at a time.

The readings say which field differs; what was measured on the hand says by what people may have missed it. Hints go
from the coarse to the fine: into the image, left before right, kind before place and direction before form and
spread, the tongue last. A field that is read as asked but unclear gets the hint of one that differs: do it clearly.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Side, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import Field, field_values
from bunnymoose_cv.vision.headgear.measures import HandMeasures, Quantity, Zone, measures_at_head

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.pose_fields import FieldValue, HeadgearField
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import PlayerReading


class Change(Enum):
    """Kinds of advice that people can follow."""

    COME_INTO_IMAGE = "come into picture"
    HAND_TO_TEMPLE = "hand to temple"
    HAND_TO_TOP = "hand to top"
    HAND_TO_SIDE = "hand to side"
    HAND_AWAY = "hand away"
    THUMB_OUT = "thumb out"
    THUMB_TO_TEMPLE = "thumb to temple"
    TUCK_THUMB = "tuck thumb"
    FOUR_FINGERS = "four fingers"
    TWO_FINGERS = "two fingers"
    SPREAD = "spread"
    CLOSE = "close"
    POINT_UP = "point up"
    POINT_DOWN = "point down"
    STRAIGHTEN = "straighten"
    CURL = "curl"
    SHOW_CLEARLY = "show clearly"
    TONGUE_OUT = "tongue out"
    TONGUE_IN = "tongue in"


@dataclass(frozen=True, slots=True)
class Hint:
    """One thing to change.

    Attributes:
        side: on which side of the player's own head; None where it is about no side.
    """

    change: Change
    side: Side | None = None


FIELDS: Final = (Field.KIND, Field.DIRECTION, Field.SPREAD, Field.PLACE, Field.FORM, Field.TONGUE)
"""All fields, the coarse before the fine."""

_FIELDS: Mapping[type[Antler | Ear], tuple[HeadgearField, ...]] = {
    Antler: (Field.DIRECTION, Field.SPREAD),
    Ear: (Field.PLACE, Field.FORM),
}
"""Fields after the kind, the coarse before the fine."""

_CHANGES: Mapping[FieldValue, Change] = {
    Direction.UP: Change.POINT_UP,
    Direction.DOWN: Change.POINT_DOWN,
    Spread.WIDE: Change.SPREAD,
    Spread.COMPACT: Change.CLOSE,
    Place.TOP: Change.HAND_TO_TOP,
    Place.SIDE: Change.HAND_TO_SIDE,
    Form.STRAIGHT: Change.STRAIGHTEN,
    Form.FLOPPY: Change.CURL,
}
"""Change that leads to each value, once the kind is right."""

_EARS = ((1, 2), (1, 2, 3, 4))
"""The fingers that make an ear: index and middle, or all four."""


def hint(asked: Pose, reading: PlayerReading | None) -> Hint | None:
    """Choose the next change.

    Args:
        reading: what is seen; None where nobody is.

    Returns:
        None where what is seen is surely what was asked.
    """
    if reading is None:
        return Hint(Change.COME_INTO_IMAGE)
    for side in Side:
        change = headgear_change(asked.headgear(side), reading.headgear[side], _measures(reading, side))
        if change is not None:
            return Hint(change, side)
    if not reading.tongue.unclear and reading.tongue.tongue is asked.tongue:
        return None
    return Hint(Change.TONGUE_OUT if asked.tongue is Tongue.OUT else Change.TONGUE_IN)


def _measures(reading: PlayerReading, side: Side) -> HandMeasures | None:
    hand = reading.player.hands.get(side)
    return None if hand is None else measures_at_head(hand, reading.player.head, side)


def headgear_change(asked: Headgear, reading: HeadgearReading, hand: HandMeasures | None) -> Change | None:
    """Choose the change of one side.

    Args:
        hand: what was measured; None where no hand was found.
    """
    shown = reading.headgear
    if type(shown) is not type(asked) or (asked is not None and Field.KIND in reading.unclear):
        return _change_of_kind(asked, shown, hand)
    if asked is None:
        return Change.HAND_AWAY if Field.KIND in reading.unclear else None
    wanted, seen = field_values(asked), field_values(shown)
    for field in _FIELDS[type(asked)]:
        if wanted[field] is not seen[field] or field in reading.unclear:
            return _CHANGES[wanted[field]]
    return None


def differing(asked: Pose, reading: PlayerReading) -> frozenset[Field]:
    """Fields that are not surely read as asked; of a wrong kind, the kind alone."""
    return frozenset(_differing(asked, reading))


def fields_of(asked: Pose) -> frozenset[Field]:
    """Fields of a pose."""
    return frozenset({Field.TONGUE, *field_values(asked.left), *field_values(asked.right)})


def _differing(asked: Pose, reading: PlayerReading) -> Iterator[Field]:
    for side in Side:
        wanted, seen = asked.headgear(side), reading.headgear[side]
        if type(wanted) is not type(seen.headgear):
            yield Field.KIND
            continue
        yield from seen.unclear
        shown = field_values(seen.headgear)
        yield from (field for field, value in field_values(wanted).items() if shown[field] is not value)
    if reading.tongue.unclear or reading.tongue.tongue is not asked.tongue:
        yield Field.TONGUE


def _change_of_kind(asked: Headgear, shown: Headgear, hand: HandMeasures | None) -> Change:
    """Change that makes a hand another kind of headgear."""
    if asked is None:
        return Change.HAND_AWAY
    if isinstance(asked, Antler):
        return Change.HAND_TO_TEMPLE if hand is None else _towards_antler(asked, hand)
    place = _CHANGES[asked.place]
    if hand is None:
        return place
    far = shown is None and hand.zone(Quantity.HEIGHT) is Zone.BELOW
    return place if far else _towards_ear(asked, hand)


def _towards_antler(asked: Antler, hand: HandMeasures) -> Change:
    """Find the first mark of an antler that a hand lacks: thumb out, four fingers, at the head."""
    if hand.zone(Quantity.THUMB) is Zone.BELOW:
        return Change.THUMB_OUT
    if len(hand.out) < len(_EARS[1]) and asked.direction is Direction.UP:
        return Change.FOUR_FINGERS  # bent down, fingers may seem to be in
    if hand.zone(Quantity.GAP) is not Zone.BELOW:
        return Change.THUMB_TO_TEMPLE  # at the head the thumb need not touch the temple
    if hand.zone(Quantity.THUMB) is Zone.BETWEEN:
        return Change.THUMB_OUT
    if hand.zone(Quantity.PARTING) is Zone.BETWEEN:
        return _CHANGES[asked.spread]
    return Change.SHOW_CLEARLY


def _towards_ear(asked: Ear, hand: HandMeasures) -> Change:
    """Find the first mark of an ear that a hand lacks: two fingers, or four with the thumb in, and its place."""
    four = hand.out == _EARS[1]
    if four and hand.zone(Quantity.THUMB) is Zone.ABOVE:
        return Change.TUCK_THUMB
    if hand.out not in _EARS and asked.form is Form.STRAIGHT:
        return Change.TWO_FINGERS  # curled, fingers may seem to be in
    misplaced = hand.zone(Quantity.HEIGHT) is (Zone.BELOW if asked.place is Place.TOP else Zone.ABOVE)
    if misplaced or hand.zone(Quantity.GAP) is Zone.ABOVE:
        return _CHANGES[asked.place]
    if four and hand.zone(Quantity.THUMB) is Zone.BETWEEN:
        return Change.TUCK_THUMB
    return Change.TWO_FINGERS if len(hand.out) > len(_EARS[0]) else Change.SHOW_CLEARLY


def hint_words(given: Hint, texts: Texts) -> str:
    """Text of a hint as people read and hear it: `On your left: spread your fingers.`."""
    words = _words(given.change, texts)
    if given.side is None:
        return words
    if given.side is Side.LEFT:
        return texts("On your left: {change}", change=words)
    return texts("On your right: {change}", change=words)


def _words(change: Change, texts: Texts) -> str:
    """Text after `On your left:`, or by itself where it is about no side."""
    return {
        Change.COME_INTO_IMAGE: texts("Sit so that the camera sees your face and both your hands."),
        Change.HAND_TO_TEMPLE: texts("raise your hand and touch your temple with the thumb."),
        Change.HAND_TO_TOP: texts("raise your hand to the top of your head."),
        Change.HAND_TO_SIDE: texts("bring your hand to the side of your head."),
        Change.HAND_AWAY: texts("take your hand away from your head."),
        Change.THUMB_OUT: texts("stick your thumb out."),
        Change.THUMB_TO_TEMPLE: texts("touch your temple with the thumb."),
        Change.TUCK_THUMB: texts("tuck your thumb in."),
        Change.FOUR_FINGERS: texts("stretch out all four fingers."),
        Change.TWO_FINGERS: texts("stretch out two fingers and make a fist of the others."),
        Change.SPREAD: texts("spread your fingers."),
        Change.CLOSE: texts("close your fingers until they touch."),
        Change.POINT_UP: texts("point your fingers up."),
        Change.POINT_DOWN: texts("point your fingers down."),
        Change.STRAIGHTEN: texts("straighten your fingers."),
        Change.CURL: texts("curl your fingers."),
        Change.SHOW_CLEARLY: texts("turn your hand so that the camera sees all of it, and hold still."),
        Change.TONGUE_OUT: texts("Stick your tongue out, past your lips."),
        Change.TONGUE_IN: texts("Take your tongue in and close your lips."),
    }[change]


def field_name(field: Field, texts: Texts) -> str:
    """Name of a part of a pose."""
    return {
        Field.KIND: texts("Antler or ear"),
        Field.DIRECTION: texts("Antler up or down"),
        Field.SPREAD: texts("Antler wide or compact"),
        Field.PLACE: texts("Ear on top or at the side"),
        Field.FORM: texts("Ear straight or floppy"),
        Field.TONGUE: texts("Tongue out or in"),
    }[field]
