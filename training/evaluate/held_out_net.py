"""Held-out networks, which have not seen some people: each kept as its difference from the shipped network.

A file holds the differences of all bytes, modulo 256, compressed (xz): two thirds of what the network itself takes. The
shipped network, of the same layers, and the difference give back the very bytes of the network as it was trained.
"""

from __future__ import annotations

import lzma
from typing import Final

import numpy as np

SUFFIX: Final = ".xz"

_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 2, "lp": 1, "pb": 1}]
"""Half-precision numbers are two bytes wide, the upper of which changes little."""


def difference_of(net: bytes, shipped: bytes) -> bytes:
    """Difference of a network's file from that of the shipped one.

    Raises:
        ValueError: they are of different length, so of different layers.
    """
    changed = np.frombuffer(net, np.uint8) - np.frombuffer(shipped, np.uint8)
    return lzma.compress(changed.tobytes(), filters=_FILTERS)


def net_of(difference: bytes, shipped: bytes) -> bytes:
    """The network's file, byte for byte.

    Raises:
        ValueError: the difference belongs to another shipped network.
    """
    changed = np.frombuffer(lzma.decompress(difference), np.uint8)
    return (changed + np.frombuffer(shipped, np.uint8)).tobytes()
