"""Choose the video encoder of a film: one that brings no GPL library where the system has it, else x264.

The wheel of PyAV carries libx264 and libx265 (GPL-2.0 or later); see docs/explanation/architecture.md.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import av

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

OWN_OF_THE_SYSTEM: Final = ("h264_videotoolbox", "h264_mf", "h264_nvenc", "h264_amf", "libopenh264")
"""H.264 by macOS, by Windows, by graphics cards, and by Cisco's library (BSD-2-Clause)."""

ENCODERS: Final = (*OWN_OF_THE_SYSTEM, "libx264", "mpeg4")
"""By preference; the last is no H.264, but opens everywhere."""

_OPTIONS: Final = {"libx264": {"crf": "20", "preset": "veryfast", "threads": "1"}}
"""One thread: a film has time, and the game that goes on beside it has not."""

_BITS_PER_PIXEL_S: Final = 4
"""Encoders that know no constant quality get 8 Mbit/s at 1080p."""


def opens(name: str, width: int, height: int) -> bool:
    """True where an encoder starts at a size: many are listed of which the device or the driver is missing."""
    try:
        context = av.CodecContext.create(name, "w")
        if not isinstance(context, av.VideoCodecContext):
            return False
        context.width, context.height, context.pix_fmt = width, height, "yuv420p"
        context.time_base, context.max_b_frames = Fraction(1, 60_000), 0
        context.bit_rate = bit_rate(name, width, height)
        context.open()
    except (OSError, ValueError, av.FFmpegError):
        return False
    return True


def choose_encoder(
    width: int,
    height: int,
    available: Collection[str] = av.codecs_available,
    starts: Callable[[str, int, int], bool] = opens,
) -> str:
    """The first encoder by preference that is there and starts; the last one where none does."""
    listed = [name for name in ENCODERS if name in available]
    return next((name for name in listed if starts(name, width, height)), ENCODERS[-1])


def options_of(name: str) -> dict[str, str]:
    """The options that an encoder is opened with."""
    return _OPTIONS.get(name, {})


def bit_rate(name: str, width: int, height: int) -> int:
    """The bits a second that an encoder is asked for; 0 where it keeps a constant quality."""
    return 0 if name in _OPTIONS else _BITS_PER_PIXEL_S * width * height
