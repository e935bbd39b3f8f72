"""Decoding of clips and streams by FFmpeg: upright images with square pixels, of the track that media players show.

Containers and encoders state the geometry in several places, and it may change in the middle of a clip or a stream.
"""

from __future__ import annotations

import errno
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast, overload

import av
import cv2
import numpy as np
from av.sidedata.sidedata import Type as SideData
from av.stream import Disposition

if TYPE_CHECKING:
    from av.container import InputContainer

    from bunnymoose_cv.capture.frame import Image


@overload
def decoded(packet: av.Packet[av.VideoStream]) -> list[av.VideoFrame]: ...
@overload
def decoded(packet: av.Packet[av.AudioStream]) -> list[av.AudioFrame]: ...
def decoded(
    packet: av.Packet[av.VideoStream] | av.Packet[av.AudioStream],
) -> list[av.VideoFrame] | list[av.AudioFrame]:
    """Return the frames, or pieces of sound, that a packet completes; none from a damaged one."""
    try:
        return packet.decode()
    except av.FFmpegError as error:
        check_memory(error)
        return []


def drained(track: av.VideoStream) -> list[av.VideoFrame]:
    """Return the frames that a decoder still holds. It resumes with the next key frame."""
    end = cast("av.Packet[av.VideoStream]", av.Packet())
    end.stream = track
    if track.time_base is not None:
        end.time_base = track.time_base
    frames = decoded(end)
    track.codec_context.flush_buffers()
    return frames


def check_memory(error: OSError | av.FFmpegError) -> None:
    """Raise a `MemoryError` if FFmpeg failed for want of memory, and not because of a damaged file."""
    if error.errno == errno.ENOMEM:
        raise MemoryError from error


def pixels(frame: av.VideoFrame) -> Image:
    """Return the pixels of a decoded frame, neither turned nor scaled."""
    return frame.to_ndarray(format="bgr24").astype(np.uint8, copy=False)


_SQUARE: Final = Fraction(1)
_MOST_STRETCHED: Final = 4
"""Largest pixel aspect, in either direction, that is credible; an anamorphic film has 2."""

Matrix: TypeAlias = tuple[int, ...] | None
"""Display matrix of nine numbers (ISO/IEC 14496-12, tkhd); None for a frame that is upright."""


def picture_track(container: InputContainer) -> av.VideoStream | None:
    """Return the track that media players show: the default one that can be decoded, never cover art; None if none."""
    tracks = [track for track in container.streams.video if not track.disposition & Disposition.attached_pic]
    decodable = [track for track in tracks if track.codec_context is not None]
    default = [track for track in decodable if track.disposition & Disposition.default]
    return next(iter(default or decodable or tracks), None)


class Geometry(NamedTuple):
    """Aspect of a frame's pixels (width over height), and its rotation and mirroring."""

    aspect: Fraction
    matrix: Matrix


class TrackGeometry:
    """Geometry of a track's frames, all of which must be passed to it in order."""

    def __init__(self, track: av.VideoStream, matrices: dict[int, Matrix]) -> None:
        """Begin with the first frame. All readings of a source share the display matrices of its rotations."""
        self._codec = track.codec_context
        self._stated = track.sample_aspect_ratio
        self._is_coded = self._stated == self._codec.sample_aspect_ratio
        self._matrices = matrices
        self._rotation: int | None = None

    @property
    def aspect(self) -> Fraction:
        """The aspect that the container states, or otherwise that of the newest frame; square if it is not credible."""
        aspect = (self._codec.sample_aspect_ratio if self._is_coded else self._stated) or _SQUARE
        return aspect if 1 / _MOST_STRETCHED <= aspect <= _MOST_STRETCHED else _SQUARE

    def of(self, frame: av.VideoFrame) -> Geometry:
        """Return the geometry of the next frame. Some encoders state a rotation only with key frames."""
        if self._rotation is None or frame.rotation or frame.key_frame:
            self._rotation = frame.rotation
        if self._rotation not in self._matrices:
            self._matrices[self._rotation] = _display_matrix(frame)
        return Geometry(self.aspect, self._matrices[self._rotation])


def _display_matrix(frame: av.VideoFrame) -> Matrix:
    """Return the display matrix of a frame.

    The side data of a frame keeps it in memory until Python's garbage collector runs, so only one frame of each
    rotation is asked for it.
    """
    beside: Any = frame.side_data  # PyAV's types know of motion vectors only
    stated = beside.get(SideData.DISPLAYMATRIX)
    return None if stated is None else tuple(np.frombuffer(stated, np.int32).tolist())


def seen_size(width: int, height: int, aspect: Fraction) -> tuple[int, int]:
    """Return the size of an image with square pixels, enlarged so that no pixel is lost."""
    wider = float(aspect)
    return max(1, round(width * max(wider, 1.0))), max(1, round(height / min(wider, 1.0)))


def upright_image(frame: av.VideoFrame, geometry: Geometry) -> Image:
    """Return a frame as it is to be displayed: with square pixels, turned, mirrored, or both."""
    image = pixels(frame)
    if geometry.aspect != 1:
        size = seen_size(image.shape[1], image.shape[0], geometry.aspect)
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    return _turn(image, geometry.matrix)


def _turn(image: Image, matrix: Matrix) -> Image:
    """Turn an image by quarters, mirror it, or both.

    A matrix a b u c d v x y w maps (x, y) to (a x + c y, b x + d y); only the signs of the larger numbers count.
    FFmpeg's own angle means nothing if the matrix mirrors.
    """
    if matrix is None:
        return image
    a, b, _, c, d, *_ = matrix
    if abs(b) > abs(a):
        image, right, down = image.transpose(1, 0, 2), c, b
    else:
        right, down = a, d
    return np.ascontiguousarray(image[:: -1 if down < 0 else 1, :: -1 if right < 0 else 1])
