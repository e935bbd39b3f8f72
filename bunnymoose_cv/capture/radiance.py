"""Reader of Radiance images (.hdr, high dynamic range), exposed to eight bits.

OpenCV decodes it; its tone mappings turn the darkest pixel into no number and refuse a black image, so the exposure
is ours: Reinhard and others, Photographic Tone Reproduction for Digital Images, SIGGRAPH 2002, equations 1, 2 and 4.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import Image, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

_BEGINNINGS: Final = (b"#?RADIANCE", b"#?RGBE")
_SIZE: Final = re.compile(rb"\n-Y (\d+) \+X (\d+)\n")
"""The line before the pixels: height and width, the first pixel top left."""

_HEADER: Final = 65_536
_MIDDLE_GREY: Final = 0.18
_DARKEST: Final = 1e-6
_BRIGHTEST: Final = np.float32(1e15)
"""Largest radiance; the square of it is still a number of 32 bits."""

_SCREEN_GAMMA: Final = 2.2


def is_radiance(content: bytes) -> bool:
    """True where a file begins as a Radiance image does."""
    return content.startswith(_BEGINNINGS)


def decode_radiance(content: bytes, name: str, largest_megapixels: int) -> Image:
    """Turn a Radiance image's content into pixels: blue-green-red bytes, shape (height, width, 3).

    Args:
        largest_megapixels: what is larger is refused before any of it is decoded.

    Raises:
        UnreadableError: it is damaged, cut off or too large.
    """
    size = _SIZE.search(content[:_HEADER])
    if size is not None and int(size[1]) * int(size[2]) > largest_megapixels * 1_000_000:
        raise UnreadableError(f"{name} has more than {largest_megapixels} million pixels: save it smaller")
    light = None if size is None else _decode_light(content)
    if light is None:
        raise UnreadableError(f"{name} is damaged or was cut off: save it again where it came from")
    return _expose_light(light)


def _decode_light(content: bytes) -> npt.NDArray[np.float32] | None:
    with _opencv_silent():
        try:
            light = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_UNCHANGED)
        except cv2.error:
            return None
    return None if light is None else np.nan_to_num(np.asarray(light, np.float32))


@contextmanager
def _opencv_silent() -> Iterator[None]:
    """OpenCV writes to stderr about a damaged file; people get a sentence instead."""
    before = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(before)


def _expose_light(light: npt.NDArray[np.float32]) -> Image:
    """The light of a scene as eight bits: its middle becomes middle grey, its brightest spot white."""
    brightness = light @ np.array([0.0722, 0.7152, 0.2126], np.float32)
    middle = float(np.exp(np.log(np.maximum(brightness, _DARKEST)).mean()))
    with np.errstate(over="ignore"):
        scaled = np.minimum(_MIDDLE_GREY / middle * light, _BRIGHTEST)
    white = max(float(scaled.max()), _DARKEST)
    seen = scaled * (1 + scaled / white**2) / (1 + scaled)
    return np.asarray((np.clip(seen, 0, 1) ** (1 / _SCREEN_GAMMA) * 0xFF).round(), np.uint8)
