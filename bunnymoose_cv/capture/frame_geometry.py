"""Geometry of decoded frames: which track is seen, with square pixels, upright, and at one size.

Containers and encoders say it in several places, and it may change in the middle of a clip or a stream.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

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


class PixelAspect:
    """Width over height of a track's pixels: as its container says, else as its newest frame is coded."""

    def __init__(self, track: av.VideoStream) -> None:
        self._codec = track.codec_context
        self._stated = track.sample_aspect_ratio
        self._is_coded = self._stated == self._codec.sample_aspect_ratio

    @property
    def now(self) -> Fraction:
        """The aspect of the newest frame; square if it is not credible."""
        aspect = (self._codec.sample_aspect_ratio if self._is_coded else self._stated) or _SQUARE
        return aspect if 1 <= max(aspect, 1 / aspect) <= _MOST_STRETCHED else _SQUARE


def seen_size(width: int, height: int, aspect: Fraction) -> tuple[int, int]:
    """Return the size of an image with square pixels: none are lost."""
    wider = float(aspect)
    return max(1, round(width * max(wider, 1.0))), max(1, round(height / min(wider, 1.0)))


class Upright:
    """Converter of a source's decoded frames to images with square pixels, upright."""

    def __init__(self) -> None:
        self._matrices: dict[int, Matrix] = {}

    def image(self, frame: av.VideoFrame, aspect: Fraction) -> Image:
        """Return a frame as it is to be seen; pixels that are not square are made more, not fewer."""
        image = pixels(frame)
        if aspect != 1:
            size = seen_size(image.shape[1], image.shape[0], aspect)
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        return _turn(image, self._matrix(frame))

    def _matrix(self, frame: av.VideoFrame) -> Matrix:
        """Return the display matrix of a frame.

        A frame that was asked for what lies beside it stays in memory until Python looks for circles, so of all that
        are turned alike one is asked.
        """
        if frame.rotation not in self._matrices:
            beside: Any = frame.side_data  # PyAV's types know of motion vectors only
            stated = beside.get(SideData.DISPLAYMATRIX)
            matrix = None if stated is None else tuple(np.frombuffer(stated, np.int32).tolist())
            self._matrices[frame.rotation] = matrix
        return self._matrices[frame.rotation]


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
