"""Poses as people type them: a name, then the notation in large or small letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.player_names import player_and_rest
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Sequence

_TONGUE_OUT = re.compile(r"\bT$")
"""The one small letter of the notation, after it was made large with the others."""


def player_and_pose(typed: str, players: Sequence[str]) -> tuple[str, Pose]:
    """Read who shows what.

    Args:
        typed: a name, then a pose in the notation, in small letters too.

    Raises:
        InputError: nobody is called so, or there is no such pose.
    """
    told = player_and_rest(typed, players)
    if told is None:
        raise InputError(Phrase("Nobody is called so: begin with one of {names}.", names=", ".join(players)))
    player, pose = told
    return player, Pose.parse(_TONGUE_OUT.sub("t", pose.upper()))
