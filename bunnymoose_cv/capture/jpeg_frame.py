"""Frames as JPEGs: encoded here, or as the camera sent them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, overload

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import Frame, UnreadableError
from bunnymoose_cv.capture.image_geometry import AS_IT_IS, View
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


def encode_jpeg(image: NDArray[Any], quality: int) -> bytes:
    """Encode an image as JPEG, with half the colour resolution each way, as webcams do."""
    _, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return content.tobytes()


JPEG_QUALITY: Final = 85
"""Quality of JPEGs encoded here: at 1080p about 220 kB and 5 ms of one core. Landmarks remain the same."""

_BEGINNING, _END = b"\xff\xd8", b"\xff\xd9"
_PADDING: Final = b"\0"
"""Byte with which some cameras pad their JPEGs."""
_GAP: Final = _PADDING * 512
"""Shortest gap that a lost packet leaves. With the tables that cameras use, no image is encoded to such a run."""


@dataclass(frozen=True, slots=True, eq=False)
class JpegFrame:
    """A frame as a JPEG, before it is turned upright."""

    content: bytes
    time_s: float
    view: View = AS_IT_IS

    @property
    def whole(self) -> bool:
        """Return whether the JPEG has both its ends and no gap. Cameras occasionally send torn ones."""
        content = self.content.rstrip(_PADDING)
        return content.startswith(_BEGINNING) and content.endswith(_END) and _GAP not in content

    def frame(self) -> Frame:
        """Decode it, which takes 6 ms at 1080p, or raise an `UnreadableError` if it is not a JPEG."""
        image = None
        with suppress(cv2.error):  # the JPEG is empty, or claims to be huge
            image = cv2.imdecode(np.frombuffer(self.content, np.uint8), cv2.IMREAD_COLOR_BGR)
        if image is None:
            raise UnreadableError(Phrase("The camera sent a picture that cannot be read: plug it in again"))
        return Frame(self.view.upright(image.astype(np.uint8, copy=False)), self.time_s)


def pack(frame: Frame) -> JpegFrame:
    """Encode a frame like `encode_jpeg`, at `JPEG_QUALITY`."""
    return JpegFrame(encode_jpeg(frame.image, JPEG_QUALITY), frame.time_s)


class FrameRun(Sequence[Frame]):
    """Frames in order of time, each decoded only when it is accessed."""

    def __init__(self, packed: Iterable[JpegFrame]) -> None:
        self.packed = tuple(packed)

    def between(self, start_s: float, end_s: float) -> FrameRun:
        """Return the frames from `start_s` to `end_s`, both included."""
        return FrameRun(packed for packed in self.packed if start_s <= packed.time_s <= end_s)

    @property
    def times_s(self) -> tuple[float, ...]:
        """Times of all frames, which need no decoding."""
        return tuple(packed.time_s for packed in self.packed)

    def __len__(self) -> int:
        return len(self.packed)

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> FrameRun: ...
    def __getitem__(self, index: int | slice) -> Frame | FrameRun:
        if isinstance(index, slice):
            return FrameRun(self.packed[index])
        return self.packed[index].frame()
