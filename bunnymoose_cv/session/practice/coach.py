"""Coach: the difference between a reading and the asked pose, as one plain hint at a time.

The reading says which field differs; the measures of the hand suggest the reason. Hints go from coarse to fine: into
the image, left before right, kind before place and direction before form and spread, the tongue last. A field that is
read as asked but unclear gets the same hint as one that differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Side, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import Field, field_values
from bunnymoose_cv.vision.headgear.measures import HandMeasures, Quantity, Zone, measures_at_head

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.pose_fields import FieldValue, HeadgearField
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import PlayerReading


class Change(Enum):
    """Kinds of advice to a player, each with its text: after `On your left:`, or whole if it has no side."""

    COME_INTO_IMAGE = Phrase("Sit so that the camera sees your face and both your hands.")
    HAND_TO_TEMPLE = Phrase("raise your hand and touch your temple with the thumb.")
    HAND_TO_TOP = Phrase("raise your hand to the top of your head.")
    HAND_TO_SIDE = Phrase("bring your hand to the side of your head.")
    HAND_AWAY = Phrase("take your hand away from your head.")
    THUMB_OUT = Phrase("stick your thumb out.")
    THUMB_TO_TEMPLE = Phrase("touch your temple with the thumb.")
    TUCK_THUMB = Phrase("tuck your thumb in.")
    FOUR_FINGERS = Phrase("stretch out all four fingers.")
    TWO_FINGERS = Phrase("stretch out two fingers and make a fist of the others.")
    SPREAD = Phrase("spread your fingers.")
    CLOSE = Phrase("close your fingers until they touch.")
    POINT_UP = Phrase("point your fingers up.")
    POINT_DOWN = Phrase("point your fingers down.")
    STRAIGHTEN = Phrase("straighten your fingers.")
    CURL = Phrase("curl your fingers.")
    SHOW_CLEARLY = Phrase("turn your hand so that the camera sees all of it, and hold still.")
    TONGUE_OUT = Phrase("Stick your tongue out, past your lips.")
    TONGUE_IN = Phrase("Take your tongue in and close your lips.")


@dataclass(frozen=True, slots=True)
class Hint:
    """One thing to change, at a side of the player's own head; None for advice without a side."""

    change: Change
    side: Side | None = None


FIELD_NAMES: Final = {
    Field.KIND: Phrase("Antler or ear"),
    Field.DIRECTION: Phrase("Antler up or down"),
    Field.SPREAD: Phrase("Antler wide or compact"),
    Field.PLACE: Phrase("Ear on top or at the side"),
    Field.FORM: Phrase("Ear straight or floppy"),
    Field.TONGUE: Phrase("Tongue out or in"),
}
"""Names of the parts of a pose, from coarse to fine."""

_FIELDS: Mapping[type[Antler | Ear], tuple[HeadgearField, ...]] = {
    Antler: (Field.DIRECTION, Field.SPREAD),
    Ear: (Field.PLACE, Field.FORM),
}
"""Fields after the kind, from coarse to fine."""

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
    """Return the next change for a reading (None: no player); None if it surely agrees with the asked pose."""
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
    """Choose the change of one side; a hand that was not found has None as its measures."""
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


def fields_of(asked: Pose) -> frozenset[Field]:
    """Return the fields of a pose."""
    return frozenset({Field.TONGUE, *field_values(asked.left), *field_values(asked.right)})


def differing(asked: Pose, reading: PlayerReading) -> set[Field]:
    """Return the fields that are not surely read as asked; for a wrong kind, only the kind."""
    fields: set[Field] = set()
    for side in Side:
        wanted, read = asked.headgear(side), reading.headgear[side]
        if type(wanted) is not type(read.headgear):
            fields.add(Field.KIND)
            continue
        shown = field_values(read.headgear)
        fields.update(read.unclear, (field for field, value in field_values(wanted).items() if shown[field] != value))
    if reading.tongue.unclear or reading.tongue.tongue is not asked.tongue:
        fields.add(Field.TONGUE)
    return fields


def _change_of_kind(asked: Headgear, shown: Headgear, hand: HandMeasures | None) -> Change:
    """Return the change that makes a hand another kind of headgear."""
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
    """Return the change for the first feature of an antler that a hand lacks: thumb out, four fingers, at the head."""
    if hand.zone(Quantity.THUMB) is Zone.BELOW:
        return Change.THUMB_OUT
    if len(hand.out) < len(_EARS[1]) and asked.direction is Direction.UP:
        return Change.FOUR_FINGERS  # bent down, fingers may seem to be in
    if hand.zone(Quantity.GAP) is not Zone.BELOW:
        return Change.THUMB_TO_TEMPLE  # at the head, the thumb need not touch the temple
    if hand.zone(Quantity.THUMB) is Zone.BETWEEN:
        return Change.THUMB_OUT
    if hand.zone(Quantity.PARTING) is Zone.BETWEEN:
        return _CHANGES[asked.spread]
    return Change.SHOW_CLEARLY


def _towards_ear(asked: Ear, hand: HandMeasures) -> Change:
    """Return the change for the first feature of an ear that a hand lacks: two fingers, or four and no thumb; place."""
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
    """Return the text of a hint, such as `On your left: spread your fingers.`."""
    words = given.change.value
    if given.side is None:
        return texts(words)
    if given.side is Side.LEFT:
        return texts("On your left: {change}", change=words)
    return texts("On your right: {change}", change=words)
