"""Tell exhausted memory from every other fault."""

from __future__ import annotations

from typing import Final

OUT_OF_MEMORY: Final = "There is not enough memory for this: close other programs, or give smaller pictures."

_CV_NO_MEMORY: Final = -4
"""OpenCV's code for an allocation that failed (`cv2.Error.StsNoMem`)."""


def is_out_of_memory(error: BaseException) -> bool:
    """True for Python's own error and for OpenCV's."""
    return isinstance(error, MemoryError) or getattr(error, "code", None) == _CV_NO_MEMORY
