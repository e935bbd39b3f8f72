"""Decoding of the packets of clips and streams by FFmpeg."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, cast, overload

import av
import numpy as np

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image


@overload
def decoded(packet: av.Packet[av.VideoStream]) -> list[av.VideoFrame]: ...
@overload
def decoded(packet: av.Packet[av.AudioStream]) -> list[av.AudioFrame]: ...
def decoded(
    packet: av.Packet[av.VideoStream] | av.Packet[av.AudioStream],
) -> list[av.VideoFrame] | list[av.AudioFrame]:
    """The frames, or the pieces of sound, that a packet completes; none out of a damaged one."""
    try:
        return packet.decode()
    except av.FFmpegError as error:
        check_memory(error)
        return []


def drained(track: av.VideoStream) -> list[av.VideoFrame]:
    """Return the frames that a decoder still holds; it begins again with the next key frame."""
    end = cast("av.Packet[av.VideoStream]", av.Packet())
    end.stream = track
    if track.time_base is not None:
        end.time_base = track.time_base
    frames = decoded(end)
    track.codec_context.flush_buffers()
    return frames


def check_memory(error: OSError | av.FFmpegError) -> None:
    """Tell exhausted memory from a damaged file.

    Raises:
        MemoryError: memory is exhausted.
    """
    if error.errno == errno.ENOMEM:
        raise MemoryError from error


def pixels(frame: av.VideoFrame) -> Image:
    """A decoded frame as it lies in the file."""
    return frame.to_ndarray(format="bgr24").astype(np.uint8, copy=False)
