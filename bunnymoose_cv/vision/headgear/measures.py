"""Measures of one hand, with the thresholds between which neither word applies.

The quantities are the rulebook's own. `reasons.py` puts them into words. In a closer view the same numbers are shown as
gauges with the same thresholds, so that words and gauges cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, SupportsFloat

import numpy as np

from bunnymoose_cv.vision.hands import hand_geometry as measure
from bunnymoose_cv.vision.headgear.hand_features import (
    above_mouth,
    face_distances,
    features_at_head,
    outline_distance,
    with_hair,
)
from bunnymoose_cv.vision.settings import MEASURES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Points


class Quantity(Enum):
    """Measured quantity with two thresholds. Each value is the name of its field in `HandMeasures`."""

    THUMB = "thumb"
    PARTING = "parting"
    STRAIGHTNESS = "straightness"
    POINTING = "pointing"
    TEMPLE = "temple"
    GAP = "gap"
    HEIGHT = "height"


LIMITS: Final[Mapping[Quantity, tuple[float, float]]] = {
    quantity: MEASURES.words[quantity.value] for quantity in Quantity
}
"""Thresholds of each quantity: one word applies below the first, the other above the second."""


class Zone(Enum):
    """Zone of a value relative to its two thresholds."""

    BELOW = "below"
    BETWEEN = "between"
    ABOVE = "above"

    @classmethod
    def of(cls, quantity: Quantity, value: float) -> Zone:
        """Return the zone of a quantity's value."""
        low, high = LIMITS[quantity]
        if value < low:
            return cls.BELOW
        return cls.ABOVE if value > high else cls.BETWEEN


@dataclass(frozen=True, slots=True)
class HandMeasures:
    """Measures of one hand; None for a quantity that cannot be measured.

    A hand without a head has None for the last seven.

    Attributes:
        out: the fingers that are out of the fist, from 1 (the index finger) to 4 (the little finger).
        thumb: distance in space from the thumb's tip to the little finger's root, palms. In the image the tip may be on
            the palm.
        parting: mean angle in the image between neighbouring fingers that are out, degrees.
        straightness: mean distance from root to tip of the fingers that are out, as a share of the path along their
            joints.
        bend: mean bend of the fingers that are out, degrees.
        pointing: angle between the fingers and the upright of the head, or of the image, degrees.
        temple: distance of the thumb's tip from the temple, eye distances.
        height: height of the hand's middle above the eyes, eye distances.
        gap: distance of the nearest joint from the head's outline, hair included, eye distances; 0 inside.
        thumb_behind: distance of the thumb's tip from that outline less the distance of the nearest fingertip, eye
            distances; more than 0 if the thumb points away from the head.
        face: distance of the nearest joint of a finger or the palm from an eye, the nose or the mouth, eye distances.
        above_mouth: height of the palm's middle above the mouth, eye distances.
        within: share of the joints within the head's outline, 0 to 1.
    """

    out: tuple[int, ...]
    thumb: float
    parting: float | None
    straightness: float | None
    bend: float | None
    pointing: float
    temple: float | None = None
    height: float | None = None
    gap: float | None = None
    thumb_behind: float | None = None
    face: float | None = None
    above_mouth: float | None = None
    within: float | None = None

    def value(self, quantity: Quantity) -> float | None:
        """Return the measured value of a quantity."""
        value: float | None = getattr(self, quantity.value)
        return value

    def zone(self, quantity: Quantity) -> Zone | None:
        """Return the zone of a quantity relative to its thresholds; None if it was not measured."""
        value = self.value(quantity)
        return None if value is None else Zone.of(quantity, value)


def measures_at_head(hand: HandLandmarks, head: Head, side: Side) -> HandMeasures:
    """Measure a hand at a head. Its direction is relative to the head's tilt."""
    placed = head.measure(hand.points)
    at_head = features_at_head(hand, head, side)
    (distances,) = outline_distance(at_head.at_head, with_hair(at_head.outline))
    thumb, *fingers = distances[measure.TIPS]
    middle = placed[[0, 5, 9, 13, 17]].mean(0)
    return replace(
        _measures(hand, placed),
        temple=_rounded(np.linalg.norm(placed[4] - head.temple(side))),
        height=_rounded(middle[1]),
        gap=_rounded(max(0.0, distances.min())),
        thumb_behind=_rounded(thumb - min(fingers)),
        face=_rounded(face_distances(at_head).min()),
        above_mouth=_rounded(above_mouth(at_head)[0]),
        within=_rounded((distances < 0).mean()),
    )


def measures_alone(hand: HandLandmarks) -> HandMeasures:
    """Measure a hand without a head. Its direction is relative to the upright image."""
    return _measures(hand, hand.points[:, :2] * np.array([1, -1], np.float32))


def _measures(hand: HandLandmarks, upward: Points) -> HandMeasures:
    """Return the measures of a hand without its place. The second axis of `upward` points up."""
    reach = measure.reach(hand.points[None])[0]
    out = tuple(finger for finger in range(measure.INDEX, measure.LITTLE + 1) if reach[finger] > MEASURES.finger_out)
    between = [finger - measure.INDEX for finger in out if finger + 1 in out]
    fingers = measure.directions(upward[None])[0, 2:]
    return HandMeasures(
        out=out,
        thumb=_rounded(measure.thumb_apart(hand.world[None])[0, 3]),
        parting=_rounded(measure.parting_degrees(hand.points[None])[0][between].mean()) if between else None,
        straightness=_rounded(measure.straightness(hand.points[None])[0][list(out)].mean()) if out else None,
        bend=_rounded(measure.bend_degrees(hand.points[None])[0][[each - 1 for each in out]].mean()) if out else None,
        pointing=_rounded(np.degrees(np.arctan2(abs(fingers[0]), fingers[1]))),
    )


def _rounded(value: SupportsFloat) -> float:
    """Round to three digits, so that words, gauges and records agree."""
    return round(float(value), 3)
