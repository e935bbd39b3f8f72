"""Faults that are nobody's mistake: memory is exhausted, or the output takes no more."""

from __future__ import annotations

import errno
from typing import Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.room_in_memory import EVENING_BYTES, has_address_space, has_room_in_memory

OUT_OF_MEMORY: Final = "There is not enough memory for this: close other programs, or give smaller pictures."

_CV_NO_MEMORY: Final = -4
"""OpenCV's code for an allocation that failed (`cv2.Error.StsNoMem`)."""

_FULL: Final = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Errors of a disk or a pipe that takes no more."""


def is_output_full(error: BaseException) -> bool:
    """Return whether the output cannot be written since its place takes no more."""
    return isinstance(error, OSError) and error.errno in _FULL and error.filename is None


def is_out_of_memory(error: BaseException) -> bool:
    """True for Python's own error, for OpenCV's, and for any fault while no memory is to be had."""
    if isinstance(error, MemoryError) or getattr(error, "code", None) == _CV_NO_MEMORY:
        return True
    return not isinstance(error, InputError) and not has_room_in_memory()


def expect_room_for_an_evening() -> None:
    """Refuse an evening for which the process has too little address space, before anything of it is begun.

    Raises:
        MemoryError: it has too little.
    """
    if not has_address_space(EVENING_BYTES):
        raise MemoryError
