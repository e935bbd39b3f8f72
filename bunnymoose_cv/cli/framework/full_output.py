"""Tell a full disk or pipe apart from every other fault."""

from __future__ import annotations

import errno
from typing import Final

_FULL: Final = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""A place for output that takes no more."""


def is_output_full(error: BaseException) -> bool:
    """Tell if the output cannot be written since its place takes no more."""
    return isinstance(error, OSError) and error.errno in _FULL and error.filename is None
