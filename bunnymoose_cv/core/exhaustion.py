"""Exhausted resources: probes for memory, and errors for lack of memory or of space for the output.

Native libraries report exhausted memory as a damaged file or as an internal error.
"""

from __future__ import annotations

import errno
import mmap
import sys
from typing import Final

from bunnymoose_cv.core.errors import InputError

IMAGE_BYTES: Final = 128 * 1024 * 1024
"""Approximate memory for decoding and reading a large image."""

MODELS_BYTES: Final = 1024 * 1024 * 1024
"""Approximate address space of the models: they need somewhat more, and less than half of it as memory."""

EVENING_BYTES: Final = 2560 * 1024 * 1024
"""Address space that an evening needs in addition to the program's own when it begins.

Measured: 2,330 MB with four players and two workers (peak of `VmPeak` over two runs), of which 0.5 GB are memory."""


def has_room_in_memory(size_bytes: int = IMAGE_BYTES) -> bool:
    """Return whether the system still grants a block of memory, which is freed untouched."""
    try:
        mmap.mmap(-1, size_bytes).close()
    except (OSError, MemoryError):
        return False
    return True


def has_address_space(size_bytes: int) -> bool:
    """Return whether the process may still map this much, regardless of the computer's memory; nothing is reserved.

    Under a limit on the process (`ulimit -v`), native libraries end the program without a message. Only Linux enforces
    such a limit; on other systems the result is True.
    """
    if sys.platform != "linux":
        return True
    try:
        mmap.mmap(-1, size_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0).close()
    except (OSError, MemoryError):
        return False
    return True


OUT_OF_MEMORY: Final = "There is not enough memory for this: close other programs, or give smaller pictures."

_CV_NO_MEMORY: Final = -4
"""OpenCV's code for an allocation that failed (`cv2.Error.StsNoMem`)."""

_FULL: Final = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Error numbers of a full disk or pipe."""


def is_output_full(error: BaseException) -> bool:
    """Return whether the output cannot be written because its disk is full."""
    return isinstance(error, OSError) and error.errno in _FULL and error.filename is None


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error is Python's or OpenCV's for memory, or any bug while memory is exhausted."""
    if isinstance(error, MemoryError) or getattr(error, "code", None) == _CV_NO_MEMORY:
        return True
    return not isinstance(error, InputError) and not has_room_in_memory()


def expect_room_for_an_evening() -> None:
    """Raise a `MemoryError` if the process has too little address space for an evening."""
    if not has_address_space(EVENING_BYTES):
        raise MemoryError
