"""The measured facts of a hand in words that players understand. Owns no decision: the nets make it.

The facts are the rulebook's own (RULES.md section 1): thumb, fingers, their parting and bending, where they point,
where the hand stands. Limits here only choose words; between two of them the words say so ("half bent"). A fact that
speaks against what is shown, because the joints of a half hidden hand were guessed wrong, is not told: in its place
stands what the nets see, so that the words always agree with the verdict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Headgear, Place, Spread
from bunnymoose_cv.vision import hand as measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.head import Head
    from bunnymoose_cv.vision.landmarks import HandLandmarks, Points

NAMES = ("thumb", "index", "middle", "ring", "little")
COUNTS = ("no finger straight", "one finger", "two fingers", "three fingers", "four fingers")

STRAIGHT, BENT = 0.97, 0.9
"""Straightness above which a finger is straight, below which it is curled (90 of 100 rendered ones lie outside)."""

FINGER_OUT = 1.45
"""Reach above which a finger is out of the fist, straight or curled."""

THUMB_OUT, THUMB_TUCKED = 1.0, 0.7
"""Distance of the thumb's tip from the root of the little finger, palms: beyond it is out, below it tucked in."""

TOUCHING, PARTED = 4.5, 9.0
"""Degrees between neighbouring fingers: below they touch, above they clearly part (spikes)."""

AT_TEMPLE, OFF_TEMPLE = 0.5, 0.9
"""Distance of the thumb's tip from the temple, eye distances: nearer it touches, farther it is drawn away (spikes)."""

ABOVE_EYES = 1.6
"""A hand whose middle stands higher than this above the eyes, in eye distances, is above the head."""

EARS = ([measure.INDEX, measure.MIDDLE], [measure.INDEX, measure.MIDDLE, measure.RING, measure.LITTLE])
"""The fingers that make an ear."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something measured.

    Attributes:
        words: for people.
        agrees: whether it may be true of what is shown.
    """

    words: str
    agrees: bool = True


def reasons_at_head(hand: HandLandmarks, head: Head, side: Side, shown: Headgear) -> tuple[str, ...]:
    """The facts of a hand that stands at a head; the head's tilt is taken out of every direction.

    Args:
        hand: its joints.
        head: where it stands.
        side: on which side.
        shown: what the nets say that it is.
    """
    placed = head.measure(hand.points)
    placing = _placing(placed, head, side, shown)
    if shown is None:
        temple = float(np.linalg.norm(placed[4] - head.temple(side)))
        looks_real = _looks_like_ear(hand) or (_looks_like_antler(hand) and temple < OFF_TEMPLE)
        return _of_nothing(hand, looks_real, [_pointing(placed, "the head", None), *placing])
    facts = [*_hand_facts(hand, shown), _pointing(placed, "the head", shown), *placing]
    return _told(facts, f"the picture shows {_seen_at_head(shown)}")


def reasons_alone(hand: HandLandmarks, shown: Headgear) -> tuple[str, ...]:
    """The facts of a hand by itself, directions against the upright picture."""
    upright = hand.points[:, :2] * np.array([1, -1], np.float32)
    pointing = _pointing(upright, "the picture", shown)
    if shown is None:
        return _of_nothing(hand, _looks_like_ear(hand) or _looks_like_antler(hand), [pointing])
    return _told([*_hand_facts(hand, shown), pointing], f"all joints together show {_seen(shown)}")


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


def _of_nothing(hand: HandLandmarks, looks_real: bool, others: Sequence[Fact]) -> tuple[str, ...]:  # noqa: FBT001 - two callers, above
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


def _looks_like_antler(hand: HandLandmarks) -> bool:
    return len(_out(hand)) == 4 and _thumb_apart(hand) >= THUMB_TUCKED  # noqa: PLR2004 - four fingers


def _looks_like_ear(hand: HandLandmarks) -> bool:
    return _out(hand) in EARS and _thumb_apart(hand) <= THUMB_OUT


def _hand_facts(hand: HandLandmarks, shown: Headgear) -> list[Fact]:
    out = _out(hand)
    facts = [_thumb(hand, shown), _fingers(out, shown)]
    if len(out) > 1:
        facts.append(_parting(hand, out, shown))
    if out:
        facts.append(_bending(hand, out, shown))
    return facts


def _out(hand: HandLandmarks) -> list[int]:
    """The fingers that are out of the fist."""
    reach = measure.reach(hand.points[None])[0]
    return [finger for finger in range(measure.INDEX, measure.LITTLE + 1) if reach[finger] > FINGER_OUT]


def _thumb_apart(hand: HandLandmarks) -> float:
    """From the thumb's tip to the little finger's root; in space, for in the picture it may lie before the palm."""
    return float(measure.thumb_apart(hand.world[None])[0, 3])


def _thumb(hand: HandLandmarks, shown: Headgear) -> Fact:
    apart = _thumb_apart(hand)
    if apart > THUMB_OUT:
        return Fact("thumb stuck out", agrees=not isinstance(shown, Ear))
    if apart < THUMB_TUCKED:
        return Fact("thumb tucked in", agrees=not isinstance(shown, Antler))
    return Fact("thumb half out")


def _fingers(out: list[int], shown: Headgear) -> Fact:
    names = f" ({', '.join(NAMES[finger] for finger in out)})" if 0 < len(out) < len(NAMES) - 1 else ""
    fits = {Antler: out == EARS[1], Ear: out in EARS}
    return Fact(f"{COUNTS[len(out)]} out{names}", agrees=fits.get(type(shown), True))


def _parting(hand: HandLandmarks, out: list[int], shown: Headgear) -> Fact:
    between = [finger - measure.INDEX for finger in out if finger + 1 in out]
    if not between:
        return Fact("the fingers that are out are no neighbours", agrees=shown is None)
    degrees = float(measure.parting_degrees(hand.points[None])[0][between].mean())
    spread = shown.spread if isinstance(shown, Antler) else None
    if degrees < TOUCHING:
        return Fact(f"fingers {degrees:.0f}° apart, touching", agrees=spread is not Spread.WIDE)
    if degrees > PARTED:
        return Fact(f"fingers {degrees:.0f}° apart, parted", agrees=spread is not Spread.COMPACT)
    return Fact(f"fingers {degrees:.0f}° apart, neither touching nor parted")


def _bending(hand: HandLandmarks, out: list[int], shown: Headgear) -> Fact:
    points = hand.points[None]
    straightness = float(measure.straightness(points)[0][out].mean())
    degrees = float(measure.bend_degrees(points)[0][[finger - measure.INDEX for finger in out]].mean())
    form = shown.form if isinstance(shown, Ear) else None
    if straightness > STRAIGHT:
        return Fact(f"fingers straight, bent by {degrees:.0f}°", agrees=form is not Form.FLOPPY)
    if straightness > BENT:
        return Fact(f"fingers half bent, bent by {degrees:.0f}°")
    upward = isinstance(shown, Antler) and shown.direction is Direction.UP
    return Fact(f"fingers curled, bent by {degrees:.0f}°", agrees=form is not Form.STRAIGHT and not upward)


def _pointing(upward: Points, against: str, shown: Headgear) -> Fact:
    """Which way the fingers point; `upward` has its second axis up."""
    fingers = measure.directions(upward[None])[0, 2:]
    degrees = float(np.degrees(np.arctan2(abs(fingers[0]), fingers[1])))
    word = "up" if degrees < 60 else "down" if degrees > 120 else "sideways"  # noqa: PLR2004 - thirds of a half turn
    opposite = {Direction.UP: "down", Direction.DOWN: "up"}
    agrees = not isinstance(shown, Antler) or word != opposite[shown.direction]
    return Fact(f"fingers point {word}, {degrees:.0f}° from {against}’s upright", agrees)


def _placing(placed: Points, head: Head, side: Side, shown: Headgear) -> tuple[Fact, Fact]:
    """Where thumb and hand stand against the head."""
    temple = float(np.linalg.norm(placed[4] - head.temple(side)))
    middle = placed[[0, 5, 9, 13, 17]].mean(0)
    where = "above the head" if middle[1] > ABOVE_EYES else "beside the head" if middle[1] > -1 else "below the eyes"
    place = shown.place if isinstance(shown, Ear) else None
    belies = {Place.TOP: "below the eyes", Place.SIDE: "above the head"}
    return (
        Fact(
            f"thumb tip {temple:.1f} eye distances from the temple",
            agrees=not isinstance(shown, Antler) or temple <= OFF_TEMPLE,
        ),
        Fact(f"hand {where}", agrees=place is None or where != belies[place]),
    )
