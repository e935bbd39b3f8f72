"""Exemptions: parts of a pose that a player declares as not to be judged."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Exemption(Enum):
    """Declared by a player who cannot show a part of a pose; that part is neither judged nor asked about."""

    LEFT_HAND = "left_hand"
    """Exemption of the left hand: that side counts as the right one."""
    RIGHT_HAND = "right_hand"
    """Exemption of the right hand: that side counts as the left one."""
    TONGUE = "tongue"
    """Exemption of the tongue, which counts as in."""
    DOWN = "down"
    """Exemption of pointing down: an antler counts as pointing up."""


ONE_SIDED: Final = frozenset({Exemption.LEFT_HAND, Exemption.RIGHT_HAND})
"""Exemptions with which both sides count alike."""
