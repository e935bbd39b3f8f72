"""A probe for exhausted memory, which libraries in other languages report as damage or as a fault of theirs."""

from __future__ import annotations

import mmap
from typing import Final

_NEEDED_BYTES: Final = 128 * 1024 * 1024
"""Decoding and reading a large image take about so much."""


def has_room_in_memory() -> bool:
    """Tell if the system still grants a block of memory; it is given back untouched."""
    try:
        mmap.mmap(-1, _NEEDED_BYTES).close()
    except (OSError, MemoryError):
        return False
    return True
