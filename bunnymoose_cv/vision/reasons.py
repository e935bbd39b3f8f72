"""The measured facts of a hand in words that players understand. Owns no decision: the nets make it.

The facts are the rulebook's own (RULES.md section 1): thumb, fingers, their parting and bending, where they point,
where the hand stands. Limits here only choose words; between two of them the words say so ("half bent"). A fact that
speaks against what is shown, because the joints of a half hidden hand were guessed wrong, is not told: in its place
stands what the nets see, so that the words always agree with the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Spread
from bunnymoose_cv.vision.measured import Quantity, Zone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.measured import HandMeasures

NAMES = ("thumb", "index", "middle", "ring", "little")
COUNTS = ("no finger straight", "one finger", "two fingers", "three fingers", "four fingers")

EARS = ((1, 2), (1, 2, 3, 4))
"""The fingers that make an ear: index and middle, or all four."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something measured.

    Attributes:
        words: for people.
        agrees: whether it may be true of what is shown.
    """

    words: str
    agrees: bool = True


def reasons_at_head(measured: HandMeasures, shown: Headgear) -> tuple[str, ...]:
    """The facts of a hand that stands at a head.

    Args:
        measured: by `measures_at_head`.
        shown: what the nets say that it is.
    """
    placing = [_pointing(measured, "the head", shown), *_placing(measured, shown)]
    if shown is None:
        near = measured.zone(Quantity.TEMPLE) is not Zone.ABOVE
        return _of_nothing(measured, _looks_like_ear(measured) or (_looks_like_antler(measured) and near), placing)
    return _told([*_hand_facts(measured, shown), *placing], f"the picture shows {_seen_at_head(shown)}")


def reasons_alone(measured: HandMeasures, shown: Headgear) -> tuple[str, ...]:
    """The facts of a hand by itself, as `measures_alone` measures it."""
    pointing = _pointing(measured, "the picture", shown)
    if shown is None:
        return _of_nothing(measured, _looks_like_ear(measured) or _looks_like_antler(measured), [pointing])
    return _told([*_hand_facts(measured, shown), pointing], f"all joints together show {_seen(shown)}")


def reasons_without_hand(shown: Headgear) -> tuple[str, ...]:
    """What there is to say where no joints were found and the picture alone decides."""
    return (
        ("the picture shows no antler and no ear on this side",)
        if shown is None
        else (f"the picture shows {_seen_at_head(shown)}",)
    )


def _told(facts: Sequence[Fact], instead: str) -> tuple[str, ...]:
    """The facts that agree, and, where others do not, what stands instead."""
    agreeing = tuple(fact.words for fact in facts if fact.agrees)
    return agreeing if len(agreeing) == len(facts) else (instead, *agreeing)


def _of_nothing(hand: HandMeasures, looks_real: bool, others: Sequence[Fact]) -> tuple[str, ...]:  # noqa: FBT001 - two callers, above
    """A hand that is no headgear: its shape says why, unless the joints alone look like one."""
    shape = [Fact("this is no antler and no ear")] if looks_real else _hand_facts(hand, None)
    return tuple(fact.words for fact in (*shape, *others))


def _seen(shown: Antler | Ear) -> str:
    """What the nets see, in words."""
    if isinstance(shown, Antler):
        fingers = "parted" if shown.spread is Spread.WIDE else "together"
        return f"a thumb out, fingers {fingers}, pointing {shown.direction.name.lower()}"
    return f"{'straight' if shown.form is Form.STRAIGHT else 'curled'} fingers, the thumb tucked in"


def _seen_at_head(shown: Antler | Ear) -> str:
    """The same with its place."""
    top = isinstance(shown, Ear) and shown.place is Place.TOP
    return f"{_seen(shown)}, {'on top of' if top else 'beside'} the head"


def _looks_like_antler(hand: HandMeasures) -> bool:
    return hand.out == EARS[1] and hand.zone(Quantity.THUMB) is not Zone.BELOW


def _looks_like_ear(hand: HandMeasures) -> bool:
    return hand.out in EARS and hand.zone(Quantity.THUMB) is not Zone.ABOVE


def _hand_facts(hand: HandMeasures, shown: Headgear) -> list[Fact]:
    facts = [_thumb(hand, shown), _fingers(hand, shown)]
    if len(hand.out) > 1:
        facts.append(_parting(hand, shown))
    if hand.out:
        facts.append(_bending(hand, shown))
    return facts


def _thumb(hand: HandMeasures, shown: Headgear) -> Fact:
    zone = hand.zone(Quantity.THUMB)
    if zone is Zone.ABOVE:
        return Fact("thumb stuck out", agrees=not isinstance(shown, Ear))
    if zone is Zone.BELOW:
        return Fact("thumb tucked in", agrees=not isinstance(shown, Antler))
    return Fact("thumb half out")


def _fingers(hand: HandMeasures, shown: Headgear) -> Fact:
    names = f" ({', '.join(NAMES[finger] for finger in hand.out)})" if 0 < len(hand.out) < len(NAMES) - 1 else ""
    fits = {Antler: hand.out == EARS[1], Ear: hand.out in EARS}
    return Fact(f"{COUNTS[len(hand.out)]} out{names}", agrees=fits.get(type(shown), True))


def _parting(hand: HandMeasures, shown: Headgear) -> Fact:
    if hand.parting is None:
        return Fact("the fingers that are out are no neighbours", agrees=shown is None)
    zone = hand.zone(Quantity.PARTING)
    spread = shown.spread if isinstance(shown, Antler) else None
    if zone is Zone.BELOW:
        return Fact(f"fingers {hand.parting:.0f}° apart, touching", agrees=spread is not Spread.WIDE)
    if zone is Zone.ABOVE:
        return Fact(f"fingers {hand.parting:.0f}° apart, parted", agrees=spread is not Spread.COMPACT)
    return Fact(f"fingers {hand.parting:.0f}° apart, neither touching nor parted")


def _bending(hand: HandMeasures, shown: Headgear) -> Fact:
    zone = hand.zone(Quantity.STRAIGHTNESS)
    form = shown.form if isinstance(shown, Ear) else None
    if zone is Zone.ABOVE:
        return Fact(f"fingers straight, bent by {hand.bend:.0f}°", agrees=form is not Form.FLOPPY)
    if zone is Zone.BETWEEN:
        return Fact(f"fingers half bent, bent by {hand.bend:.0f}°")
    upward = isinstance(shown, Antler) and shown.direction is Direction.UP
    return Fact(f"fingers curled, bent by {hand.bend:.0f}°", agrees=form is not Form.STRAIGHT and not upward)


def _pointing(hand: HandMeasures, against: str, shown: Headgear) -> Fact:
    """Which way the fingers point."""
    words = {Zone.BELOW: "up", Zone.BETWEEN: "sideways", Zone.ABOVE: "down"}
    word = words[Zone.of(Quantity.POINTING, hand.pointing)]
    opposite = {Direction.UP: "down", Direction.DOWN: "up"}
    agrees = not isinstance(shown, Antler) or word != opposite[shown.direction]
    return Fact(f"fingers point {word}, {hand.pointing:.0f}° from {against}’s upright", agrees)


def _placing(hand: HandMeasures, shown: Headgear) -> tuple[Fact, Fact]:
    """Where thumb and hand stand against the head."""
    wheres = {Zone.ABOVE: "above the head", Zone.BETWEEN: "beside the head", Zone.BELOW: "below the eyes"}
    where = wheres[hand.zone(Quantity.HEIGHT) or Zone.BETWEEN]
    place = shown.place if isinstance(shown, Ear) else None
    belies = {Place.TOP: "below the eyes", Place.SIDE: "above the head"}
    away = isinstance(shown, Antler) and hand.zone(Quantity.TEMPLE) is Zone.ABOVE
    return (
        Fact(f"thumb tip {hand.temple:.1f} eye distances from the temple", agrees=not away),
        Fact(f"hand {where}", agrees=place is None or where != belies[place]),
    )
