"""The measured facts of a hand in words that players understand. Owns no decision: the net makes it.

The facts are the rulebook's own (RULES.md section 1): thumb, fingers, their parting and bending, where they point,
where the hand stands. Limits here only choose words; between two of them the words say so ("half bent").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.vision import hand as measure

if TYPE_CHECKING:
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

ABOVE_EYES = 1.6
"""A hand whose middle stands higher than this above the eyes, in eye distances, is above the head."""


def reasons_at_head(hand: HandLandmarks, head: Head, side: Side) -> tuple[str, ...]:
    """The facts of a hand that stands at a head; the head's tilt is taken out of every direction."""
    placed = head.measure(hand.points)
    return (*_hand_facts(hand), _pointing(placed, "the head"), *_placing(placed, head, side))


def reasons_alone(hand: HandLandmarks) -> tuple[str, ...]:
    """The facts of a hand by itself, directions against the upright picture."""
    upright = hand.points[:, :2] * np.array([1, -1], np.float32)
    return (*_hand_facts(hand), _pointing(upright, "the picture"))


def _hand_facts(hand: HandLandmarks) -> tuple[str, ...]:
    points = hand.points[None]
    reach = measure.reach(points)[0]
    out = [finger for finger in range(measure.INDEX, measure.LITTLE + 1) if reach[finger] > FINGER_OUT]
    facts = [_thumb(hand), _fingers(out)]
    if len(out) > 1:
        facts.append(_parting(hand, out))
    if out:
        bend = measure.bend_degrees(points)[0][[finger - measure.INDEX for finger in out]]
        facts.append(_bending(float(measure.straightness(points)[0][out].mean()), float(bend.mean())))
    return tuple(facts)


def _thumb(hand: HandLandmarks) -> str:
    """Thumb out or tucked: from the world joints, for in the picture it may lie in front of the palm."""
    apart = float(measure.thumb_apart(hand.world[None])[0, 3])
    if apart > THUMB_OUT:
        return "thumb stuck out"
    return "thumb tucked in" if apart < THUMB_TUCKED else "thumb half out"


def _fingers(out: list[int]) -> str:
    count = COUNTS[len(out)]
    if 0 < len(out) < 4:  # noqa: PLR2004 - with all four out there is nothing to name
        return f"{count} out ({', '.join(NAMES[finger] for finger in out)})"
    return f"{count} out"


def _parting(hand: HandLandmarks, out: list[int]) -> str:
    between = [finger - measure.INDEX for finger in out if finger + 1 in out]
    if not between:
        return "the fingers that are out are no neighbours"
    degrees = float(measure.parting_degrees(hand.points[None])[0][between].mean())
    word = "touching" if degrees < TOUCHING else "parted" if degrees > PARTED else "neither touching nor parted"
    return f"fingers {degrees:.0f}° apart, {word}"


def _bending(straightness: float, degrees: float) -> str:
    word = "straight" if straightness > STRAIGHT else "half bent" if straightness > BENT else "curled"
    return f"fingers {word}, bent by {degrees:.0f}°"


def _pointing(upward: Points, against: str) -> str:
    """Which way the fingers point; `upward` has its second axis up."""
    fingers = measure.directions(upward[None])[0, 2:]
    degrees = float(np.degrees(np.arctan2(abs(fingers[0]), fingers[1])))
    word = "up" if degrees < 60 else "down" if degrees > 120 else "sideways"  # noqa: PLR2004 - thirds of a half turn
    return f"fingers point {word}, {degrees:.0f}° from {against}’s upright"


def _placing(placed: Points, head: Head, side: Side) -> tuple[str, str]:
    """Where thumb and hand stand against the head."""
    temple = float(np.linalg.norm(placed[4] - head.temple(side)))
    middle = placed[[0, 5, 9, 13, 17]].mean(0)
    where = "above the head" if middle[1] > ABOVE_EYES else "beside the head" if middle[1] > -1 else "below the eyes"
    return f"thumb tip {temple:.1f} eye distances from the temple", f"hand {where}"
