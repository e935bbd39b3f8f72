"""Geometry of decoded frames: which track is seen, with square pixels, upright, and at one size.

Containers and encoders say it in several places, and it may change in the middle of a clip or a stream.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import cv2
import numpy as np
from av.sidedata.sidedata import Type as SideData
from av.stream import Disposition

from bunnymoose_cv.capture.decoding import pixels

if TYPE_CHECKING:
    import av
    from av.container import InputContainer

    from bunnymoose_cv.capture.frame import Image

_SQUARE: Final = Fraction(1)
_MOST_STRETCHED: Final = 4
"""Largest aspect of pixels, one way or the other, that is believed; an anamorphic film has 2."""

Matrix: TypeAlias = tuple[int, ...] | None
"""Display matrix: nine numbers (ISO/IEC 14496-12, tkhd); None for a frame that is upright."""


def picture_track(container: InputContainer) -> av.VideoStream | None:
    """Return the track that players show: the default one that can be decoded, and never cover art; None for sound."""
    tracks = [track for track in container.streams.video if not track.disposition & Disposition.attached_pic]
    decodable = [track for track in tracks if track.codec_context is not None]
    default = [track for track in decodable if track.disposition & Disposition.default]
    return next(iter(default or decodable or tracks), None)


class Geometry(NamedTuple):
    """Width over height of a frame's pixels, and how it is turned or mirrored."""

    aspect: Fraction
    matrix: Matrix


class TrackGeometry:
    """Geometry of a track's frames, which are all shown to it in their order."""

    def __init__(self, track: av.VideoStream, matrices: dict[int, Matrix]) -> None:
        """Begin with the first frame.

        Args:
            matrices: the display matrix of each rotation that was met; shared by all readings of a source.
        """
        self._codec = track.codec_context
        self._stated = track.sample_aspect_ratio
        self._is_coded = self._stated == self._codec.sample_aspect_ratio
        self._matrices = matrices
        self._rotation: int | None = None

    @property
    def aspect(self) -> Fraction:
        """The aspect that the container states, else that of the newest frame; square if it is not credible."""
        aspect = (self._codec.sample_aspect_ratio if self._is_coded else self._stated) or _SQUARE
        return aspect if 1 / _MOST_STRETCHED <= aspect <= _MOST_STRETCHED else _SQUARE

    def of(self, frame: av.VideoFrame) -> Geometry:
        """Return the geometry of the next frame; some encoders state a rotation with key frames alone."""
        if self._rotation is None or frame.rotation or frame.key_frame:
            self._rotation = frame.rotation
        if self._rotation not in self._matrices:
            self._matrices[self._rotation] = _display_matrix(frame)
        return Geometry(self.aspect, self._matrices[self._rotation])


def _display_matrix(frame: av.VideoFrame) -> Matrix:
    """Return the display matrix of a frame.

    A frame that was asked for what lies beside it stays in memory until Python looks for circles, so of all that are
    turned alike one is asked.
    """
    beside: Any = frame.side_data  # PyAV's types know of motion vectors only
    stated = beside.get(SideData.DISPLAYMATRIX)
    return None if stated is None else tuple(np.frombuffer(stated, np.int32).tolist())


def seen_size(width: int, height: int, aspect: Fraction) -> tuple[int, int]:
    """Return the size of an image with square pixels: none are lost."""
    wider = float(aspect)
    return max(1, round(width * max(wider, 1.0))), max(1, round(height / min(wider, 1.0)))


def upright_image(frame: av.VideoFrame, geometry: Geometry) -> Image:
    """Return a frame as it is to be seen: with square pixels, turned, mirrored, or both."""
    image = pixels(frame)
    if geometry.aspect != 1:
        size = seen_size(image.shape[1], image.shape[0], geometry.aspect)
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    return _turn(image, geometry.matrix)


def _turn(image: Image, matrix: Matrix) -> Image:
    """Turn an image by quarters, mirror it, or both.

    By a matrix a b u c d v x y w what lies at (x, y) is seen at (a x + c y, b x + d y); only the signs of the larger
    ones are looked at. Where a mirror is told of, FFmpeg's own angle says nothing.
    """
    if matrix is None:
        return image
    a, b, _, c, d, *_ = matrix
    if abs(b) > abs(a):
        image, right, down = image.transpose(1, 0, 2), c, b
    else:
        right, down = a, d
    return np.ascontiguousarray(image[:: -1 if down < 0 else 1, :: -1 if right < 0 else 1])
