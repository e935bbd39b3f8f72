"""Exemptions: parts of a pose that are not judged, as declared by the player."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.pose import Antler, Direction, Headgear, Pose, Side

if TYPE_CHECKING:
    from collections.abc import Collection


class Exemption(Enum):
    """Part of a pose that a player has declared to be unable to show; it is neither judged nor asked about."""

    LEFT_HAND = "left_hand"
    """Exemption of the left hand: that side counts as the right one."""
    RIGHT_HAND = "right_hand"
    """Exemption of the right hand: that side counts as the left one."""
    TONGUE = "tongue"
    """Exemption of the tongue, which counts as in."""
    DOWN = "down"
    """Exemption of pointing down: an antler counts as pointing up."""


EXEMPT_SIDES: Final = {Exemption.LEFT_HAND: Side.LEFT, Exemption.RIGHT_HAND: Side.RIGHT}
"""Sides that are not judged, by exemption."""

ONE_SIDED: Final = frozenset(EXEMPT_SIDES)
"""Exemptions with which both sides count alike."""


def are_judged_alike(first: Pose, second: Pose, exempt: Collection[Exemption]) -> bool:
    """Return whether two poses are the same in every part that is judged."""
    sides = (side for exemption, side in EXEMPT_SIDES.items() if exemption not in exempt)
    sides_agree = all(_judged(first.headgear(side), exempt) == _judged(second.headgear(side), exempt) for side in sides)
    return sides_agree and (Exemption.TONGUE in exempt or first.tongue is second.tongue)


def _judged(headgear: Headgear, exempt: Collection[Exemption]) -> Headgear:
    if Exemption.DOWN in exempt and isinstance(headgear, Antler):
        return Antler(headgear.spread, Direction.UP)
    return headgear
