"""Reasons in words for a headgear, from the measures of its hand.

The facts are the rulebook's own: thumb, fingers, their parting and bending, their direction, the place of the hand, and
whether it counts only by tolerance. The thresholds here only choose words. A value between two thresholds has words of
its own ("half bent"). A fact that contradicts the verdict, because the joints of a partly hidden hand were misplaced,
is replaced by the networks' own description, so that the words always agree with the verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Spread
from bunnymoose_cv.vision.headgear.measures import Quantity, Zone
from bunnymoose_cv.vision.settings import MEASURES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.vision.headgear.measures import HandMeasures


NAMES = (Phrase("thumb"), Phrase("index"), Phrase("middle"), Phrase("ring"), Phrase("little"))
"""Names of the fingers."""

EARS = ((1, 2), (1, 2, 3, 4))
"""Fingers that make an ear: index and middle, or all four, which may also be an antler by the thumb."""

EYE_DISTANCE_CM = 6
"""Typical distance between the eyes, for words about a place."""


class Fact(NamedTuple):
    """Measured fact about a hand; `agrees` is False if it contradicts the headgear that is shown."""

    words: Phrase
    agrees: bool = True


def reasons_at_head(measured: HandMeasures, shown: Headgear) -> tuple[Phrase, ...]:
    """Return the reasons for a hand at a head."""
    placing = [_pointing_at_head(measured, shown), *_placing(measured, shown)]
    if shown is None:
        there = _why_not_there(measured) is None
        return _of_nothing(measured, placing, looks_real=there and measured.out in EARS)
    return _told([*_hand_facts(measured, shown), *placing], _seen_at_head(shown))


def reasons_alone(measured: HandMeasures, shown: Headgear) -> tuple[Phrase, ...]:
    """Return the reasons for a hand without a head, as measured by `measures_alone`."""
    pointing = _pointing_alone(measured, shown)
    if shown is None:
        return _of_nothing(measured, [pointing], looks_real=measured.out in EARS)
    instead = Phrase("all joints together show {seen}", seen=_seen(shown))
    return _told([*_hand_facts(measured, shown), pointing], instead)


def reasons_without_hand(shown: Headgear) -> tuple[Phrase, ...]:
    """Return the reasons if no joints were found and only the image decides."""
    if shown is None:
        return (Phrase("the picture shows no antler and no ear on this side"),)
    return (_seen_at_head(shown),)


def _told(facts: Sequence[Fact], instead: Phrase) -> tuple[Phrase, ...]:
    """Return the facts that agree with the headgear. Facts that do not are replaced by the networks' answer."""
    agreeing = tuple(fact.words for fact in facts if fact.agrees)
    return agreeing if len(agreeing) == len(facts) else (instead, *agreeing)


def _of_nothing(hand: HandMeasures, others: Sequence[Fact], *, looks_real: bool) -> tuple[Phrase, ...]:
    """Return the facts of a hand that is not headgear. Its shape is omitted if the joints alone look like headgear."""
    shape = [Fact(Phrase("this is no antler and no ear"))] if looks_real else _hand_facts(hand, None)
    return tuple(fact.words for fact in (*shape, *others))


def _seen(shown: Antler | Ear) -> Phrase:
    """Return the networks' answer in words."""
    match shown:
        case Antler(Spread.WIDE, Direction.UP):
            return Phrase("a thumb out, fingers parted, pointing up")
        case Antler(Spread.WIDE, Direction.DOWN):
            return Phrase("a thumb out, fingers parted, pointing down")
        case Antler(Spread.COMPACT, Direction.UP):
            return Phrase("a thumb out, fingers together, pointing up")
        case Antler():
            return Phrase("a thumb out, fingers together, pointing down")
        case Ear(form=Form.STRAIGHT):
            return Phrase("straight fingers of an ear")
        case Ear():
            return Phrase("curled fingers of an ear")


def _seen_at_head(shown: Antler | Ear) -> Phrase:
    """Return the networks' answer and the place in words."""
    if isinstance(shown, Ear) and shown.place is Place.TOP:
        return Phrase("the picture shows {seen}, on top of the head", seen=_seen(shown))
    return Phrase("the picture shows {seen}, beside the head", seen=_seen(shown))


def _hand_facts(hand: HandMeasures, shown: Headgear) -> list[Fact]:
    facts = [_thumb(hand, shown), _fingers(hand, shown)]
    if len(hand.out) > 1:
        facts.append(_parting(hand, shown))
    if hand.out:
        facts.append(_bending(hand, shown))
    return facts


def _thumb(hand: HandMeasures, shown: Headgear) -> Fact:
    zone = hand.zone(Quantity.THUMB)
    if zone is Zone.ABOVE and isinstance(shown, Ear) and hand.out == EARS[0]:
        return Fact(Phrase("thumb out, but two fingers make an ear"))
    if zone is Zone.ABOVE:
        return Fact(Phrase("thumb stuck out"), agrees=not isinstance(shown, Ear))
    if zone is Zone.BELOW:
        return Fact(Phrase("thumb tucked in"), agrees=not isinstance(shown, Antler))
    return Fact(Phrase("thumb half out"))


def _fingers(hand: HandMeasures, shown: Headgear) -> Fact:
    fits = {Antler: hand.out == EARS[1], Ear: hand.out in EARS}
    return Fact(_counted([NAMES[finger] for finger in hand.out]), agrees=fits.get(type(shown), True))


def _counted(names: Sequence[Phrase]) -> Phrase:
    """Return the number and names of the fingers that are out."""
    match names:
        case []:
            return Phrase("no finger straight out")
        case [one]:
            return Phrase("one finger out ({one})", one=one)
        case [one, two]:
            return Phrase("two fingers out ({one}, {two})", one=one, two=two)
        case [one, two, three]:
            return Phrase("three fingers out ({one}, {two}, {three})", one=one, two=two, three=three)
        case _:
            return Phrase("four fingers out")


def _parting(hand: HandMeasures, shown: Headgear) -> Fact:
    if hand.parting is None:
        return Fact(Phrase("the fingers that are out are not next to each other"), agrees=shown is None)
    zone = hand.zone(Quantity.PARTING)
    spread = shown.spread if isinstance(shown, Antler) else None
    if zone is Zone.BELOW:
        words = Phrase("fingers {degrees:.0f}° apart, touching", degrees=hand.parting)
        return Fact(words, agrees=spread is not Spread.WIDE)
    if zone is Zone.ABOVE:
        words = Phrase("fingers {degrees:.0f}° apart, parted", degrees=hand.parting)
        return Fact(words, agrees=spread is not Spread.COMPACT)
    return Fact(Phrase("fingers {degrees:.0f}° apart, neither touching nor parted", degrees=hand.parting))


def _bending(hand: HandMeasures, shown: Headgear) -> Fact:
    zone = hand.zone(Quantity.STRAIGHTNESS)
    form = shown.form if isinstance(shown, Ear) else None
    if zone is Zone.ABOVE:
        return Fact(Phrase("fingers straight, bent by {degrees:.0f}°", degrees=hand.bend), form is not Form.FLOPPY)
    if zone is Zone.BETWEEN:
        return Fact(Phrase("fingers half bent, bent by {degrees:.0f}°", degrees=hand.bend))
    upward = isinstance(shown, Antler) and shown.direction is Direction.UP
    words = Phrase("fingers curled, bent by {degrees:.0f}°", degrees=hand.bend)
    return Fact(words, agrees=form is not Form.STRAIGHT and not upward)


def _pointing_at_head(hand: HandMeasures, shown: Headgear) -> Fact:
    """Return the direction of the fingers relative to the head."""
    degrees = hand.pointing
    words = {
        Zone.BELOW: Phrase("fingers point up, {degrees:.0f}° from the head’s upright", degrees=degrees),
        Zone.BETWEEN: Phrase("fingers point sideways, {degrees:.0f}° from the head’s upright", degrees=degrees),
        Zone.ABOVE: Phrase("fingers point down, {degrees:.0f}° from the head’s upright", degrees=degrees),
    }
    return _pointing(words, degrees, shown)


def _pointing_alone(hand: HandMeasures, shown: Headgear) -> Fact:
    """Return the direction of the fingers relative to the upright image."""
    degrees = hand.pointing
    words = {
        Zone.BELOW: Phrase("fingers point up, {degrees:.0f}° from the picture’s upright", degrees=degrees),
        Zone.BETWEEN: Phrase("fingers point sideways, {degrees:.0f}° from the picture’s upright", degrees=degrees),
        Zone.ABOVE: Phrase("fingers point down, {degrees:.0f}° from the picture’s upright", degrees=degrees),
    }
    return _pointing(words, degrees, shown)


def _pointing(words: Mapping[Zone, Phrase], degrees: float, shown: Headgear) -> Fact:
    zone, opposite = Zone.of(Quantity.POINTING, degrees), {Direction.UP: Zone.ABOVE, Direction.DOWN: Zone.BELOW}
    return Fact(words[zone], agrees=not isinstance(shown, Antler) or zone is not opposite[shown.direction])


def _placing(hand: HandMeasures, shown: Headgear) -> list[Fact]:
    """Return the positions of thumb and hand relative to the head."""
    words = {
        Zone.ABOVE: Phrase("hand above the head"),
        Zone.BETWEEN: Phrase("hand beside the head"),
        Zone.BELOW: Phrase("hand below the eyes"),
    }
    height = hand.zone(Quantity.HEIGHT) or Zone.BETWEEN
    belies = {Place.TOP: Zone.BELOW, Place.SIDE: Zone.ABOVE}
    facts = [Fact(words[height], agrees=not isinstance(shown, Ear) or height is not belies[shown.place])]
    if (off := _why_not_there(hand)) is not None:
        return [*facts, Fact(off, agrees=shown is None)]
    return [_thumb_at_temple(hand), *facts] if isinstance(shown, Antler) else facts


def _why_not_there(hand: HandMeasures) -> Phrase | None:
    """Return the reason why the place of a hand does not count, or None if it counts or the hand is without a head."""
    if hand.gap is None or hand.face is None or hand.above_mouth is None or hand.within is None:
        return None
    over_face, lying = MEASURES.not_there
    off = Phrase("hand about {cm:.0f} cm off the head, too far to count", cm=hand.gap * EYE_DISTANCE_CM)
    causes = (
        (hand.zone(Quantity.GAP) is Zone.ABOVE, off),
        (hand.face < over_face, Phrase("hand over the face, which does not count")),
        (hand.above_mouth < 0, Phrase("hand below the mouth, which does not count")),
        (hand.within > lying, Phrase("hand lying along the head, which does not count")),
        (_points_away(hand), Phrase("thumb turned away from the head, which does not count")),
    )
    return next((words for applies, words in causes if applies), None)


def _points_away(hand: HandMeasures) -> bool:
    """Return whether the thumb of an open hand is farther from the head than the fingers."""
    is_open = hand.out == EARS[1] and hand.zone(Quantity.THUMB) is not Zone.BELOW
    return is_open and hand.thumb_behind is not None and hand.thumb_behind > MEASURES.words["thumb_behind"][1]


def _thumb_at_temple(hand: HandMeasures) -> Fact:
    """Return the distance of an antler's thumb from the temple, which need not be touched."""
    if hand.temple is None or hand.zone(Quantity.TEMPLE) is Zone.BELOW:
        return Fact(Phrase("thumb at the temple"))
    return Fact(Phrase("thumb about {cm:.0f} cm off the temple", cm=hand.temple * EYE_DISTANCE_CM))
