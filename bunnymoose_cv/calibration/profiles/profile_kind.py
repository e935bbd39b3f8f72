"""Kinds of profiles, apart from the store so that the command line names them without a numeric library."""

from __future__ import annotations

from enum import Enum


class ProfileKind(Enum):
    """Kinds of profiles, each in a folder of its own."""

    PLAYER = "player"
    TABLE = "table"
