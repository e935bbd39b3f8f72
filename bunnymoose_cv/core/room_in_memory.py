"""A probe for exhausted memory, which libraries in other languages report as damage or as a fault of theirs."""

from __future__ import annotations

import mmap
from typing import Final

IMAGE_BYTES: Final = 128 * 1024 * 1024
"""Decoding and reading a large image take about so much."""

MODELS_BYTES: Final = 1024 * 1024 * 1024
"""The models take somewhat more of the address space, and less than half of it of the memory."""


def has_room_in_memory(size_bytes: int = IMAGE_BYTES) -> bool:
    """Tell if the system still grants a block of memory; it is given back untouched."""
    try:
        mmap.mmap(-1, size_bytes).close()
    except (OSError, MemoryError):
        return False
    return True
