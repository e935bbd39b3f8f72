"""Exemptions: parts of a pose that a player declares as not to be judged."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Exemption(Enum):
    """Declared by a player who cannot show a part of a pose; that part is neither judged nor asked about."""

    LEFT_HAND = "left_hand"
    """The left side counts as the right one."""
    RIGHT_HAND = "right_hand"
    """The right side counts as the left one."""
    TONGUE = "tongue"
    """The tongue counts as in."""
    DOWN = "down"
    """An antler counts as pointing up."""


ONE_SIDED: Final = frozenset({Exemption.LEFT_HAND, Exemption.RIGHT_HAND})
"""With one of these both sides count alike."""
