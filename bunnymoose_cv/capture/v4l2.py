"""Asks Linux about its cameras: names, sizes, rates (Video for Linux, version 2).

Requests and layouts are those of the kernel's `linux/videodev2.h`, which are the same on every usual processor. Why no
library asks: docs/explanation/decisions/0001-libraries.md.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.capture.camera_mode import CameraMode
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

Ask: TypeAlias = Callable[[int, bytearray], object]
"""Puts a request to the camera, which writes its answer into the block; an `OSError` means that there is none."""

# What is asked, and how the block of each request is laid out up to where we read.
QUERY_CAPABILITIES: Final = 0x80685600
_CAPABILITIES: Final = struct.Struct("=16s32s32sIII12x")  # driver, card, bus, version, of the device, of this node
ENUMERATE_FORMATS: Final = 0xC0405602
_FORMAT: Final = struct.Struct("=III32sI16x")  # index, type, flags, description, pixel format
ENUMERATE_SIZES: Final = 0xC02C564A
_SIZE: Final = struct.Struct("=IIIIIIIII8x")  # index, format, kind; width, height, or: least, most, step of both
ENUMERATE_INTERVALS: Final = 0xC034564B
_INTERVAL: Final = struct.Struct("=IIIIIII24x")  # index, format, size, kind; the shortest interval

_CAPTURES: Final = 0x00000001
_TELLS_OF_THIS_NODE: Final = 0x80000000
_VIDEO_CAPTURE: Final = 1
_DISCRETE: Final = 1


@dataclass(frozen=True, slots=True)
class Node:
    """A camera as Linux has it.

    Attributes:
        number: of /dev/videoN.
        modes: sizes and rates, the largest first.
    """

    number: int
    name: str
    path: Path
    modes: tuple[CameraMode, ...]


def nodes(folder: Path = Path("/dev")) -> Iterator[Node]:
    """All cameras that this user may ask, by their numbers.

    Raises:
        UnreadableError: there are some, and this user may ask none of them.
    """
    import fcntl  # noqa: PLC0415 - not on Windows, which has no such cameras either

    numbered = [(int(path.name[5:]), path) for path in folder.glob("video*") if re.fullmatch(r"video\d+", path.name)]
    refused: Path | None = None
    answered = False
    for number, path in sorted(numbered):
        try:
            file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        except PermissionError:
            refused = refused or path
            continue
        except OSError:
            continue  # pulled out just now, or no device at all
        try:
            told = describe(lambda request, block, file=file: fcntl.ioctl(file, request, block))  # type: ignore[misc]
        finally:
            os.close(file)
        if told is not None:
            answered = True
            name, modes = told
            yield Node(number, name, path, modes)
    if refused is not None and not answered:
        raise UnreadableError(
            Phrase(
                "The camera {path} may not be used by you: “sudo usermod -aG video $USER”, then log in again",
                path=str(refused),
            )
        )


def describe(ask: Ask) -> tuple[str, tuple[CameraMode, ...]] | None:
    """A camera's name and modes; None for what gives no images, such as a camera's second node for its settings."""
    block = bytearray(_CAPABILITIES.size)
    try:
        ask(QUERY_CAPABILITIES, block)
    except OSError:
        return None
    _, card, _, _, device, node = _CAPABILITIES.unpack(block)
    if not (node if device & _TELLS_OF_THIS_NODE else device) & _CAPTURES:
        return None
    return card.partition(b"\0")[0].decode("utf-8", "replace"), CameraMode.sorted(_modes(ask))


def _modes(ask: Ask) -> Iterator[CameraMode]:
    for pixel_format in _formats(ask):
        for width, height in _sizes(ask, pixel_format):
            yield CameraMode(width, height, _highest_rate(ask, pixel_format, width, height))


def _formats(ask: Ask) -> Iterator[int]:
    with suppress(OSError):
        for index in count():
            block = bytearray(_FORMAT.pack(index, _VIDEO_CAPTURE, 0, b"", 0))
            ask(ENUMERATE_FORMATS, block)
            yield _FORMAT.unpack(block)[4]


def _sizes(ask: Ask, pixel_format: int) -> Iterator[tuple[int, int]]:
    with suppress(OSError):
        for index in count():
            block = bytearray(_SIZE.pack(index, pixel_format, *[0] * 7))
            ask(ENUMERATE_SIZES, block)
            _, _, kind, first, second, _, _, highest, _ = _SIZE.unpack(block)
            if kind == _DISCRETE:
                yield first, second
            else:  # any size up to one
                yield second, highest
                return


def _highest_rate(ask: Ask, pixel_format: int, width: int, height: int) -> float:
    """Frames a second; 0 where the camera does not tell."""
    highest = 0.0
    with suppress(OSError):
        for index in count():
            block = bytearray(_INTERVAL.pack(index, pixel_format, width, height, *[0] * 3))
            ask(ENUMERATE_INTERVALS, block)
            *_, kind, seconds, parts = _INTERVAL.unpack(block)
            highest = max(highest, parts / seconds if seconds else 0.0)
            if kind != _DISCRETE:  # the first interval is the shortest, and there is no second answer
                break
    return highest
