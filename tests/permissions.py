"""Root held to the permissions of files, as everybody else is, so that tests of them hold for root too."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_VERSION: Final = 0x20080522
_OVERRIDES: Final = 0b110
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


@contextmanager
def permissions_held() -> Iterator[None]:
    """Give up the right to pass over permissions in this thread; only Linux gives root such a right alone."""
    if sys.platform != "linux" or os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header, before = (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, before) == 0
    held = (ctypes.c_uint32 * 6)(before[0] & ~_OVERRIDES, *before[1:])
    assert libc.capset(header, held) == 0
    try:
        yield
    finally:
        assert libc.capset(header, before) == 0
