"""A probe for exhausted memory, which libraries in other languages report as damage or as a fault of theirs."""

from __future__ import annotations

import mmap
import sys
from typing import Final

IMAGE_BYTES: Final = 128 * 1024 * 1024
"""Decoding and reading a large image take about so much."""

MODELS_BYTES: Final = 1024 * 1024 * 1024
"""The models take somewhat more of the address space, and less than half of it of the memory."""

EVENING_BYTES: Final = 2560 * 1024 * 1024
"""Address space of an evening beside what the program holds when it begins.

Measured: 2,330 MB with four players and two workers (peak of `VmPeak` over two runs), of which 0.5 GB are memory."""


def has_room_in_memory(size_bytes: int = IMAGE_BYTES) -> bool:
    """Tell if the system still grants a block of memory; it is given back untouched."""
    try:
        mmap.mmap(-1, size_bytes).close()
    except (OSError, MemoryError):
        return False
    return True


def has_address_space(size_bytes: int) -> bool:
    """Tell if the process may still map so much, whatever memory the computer has; nothing is reserved.

    A limit on the process (`ulimit -v`) makes libraries in other languages end the program without a word. Only Linux
    holds a process to one; elsewhere the answer is yes.
    """
    if sys.platform != "linux":
        return True
    try:
        mmap.mmap(-1, size_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()
    except (OSError, MemoryError):
        return False
    return True
