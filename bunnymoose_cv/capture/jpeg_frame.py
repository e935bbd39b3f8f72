"""A frame kept as a JPEG: packed by us, or as the camera itself sent it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, overload

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import Frame, UnreadableError
from bunnymoose_cv.capture.jpeg_encoding import encode_jpeg
from bunnymoose_cv.capture.orientation import AS_IT_IS, View
from bunnymoose_cv.core.phrase import Phrase

JPEG_QUALITY: Final = 85
"""Of the JPEGs we make: at 1080p about 220 kB and 5 ms of one core; landmarks in it are those of the image itself."""

_BEGINNING, _END = b"\xff\xd8", b"\xff\xd9"
_PADDING: Final = b"\0"
"""Some cameras fill their JPEGs up with it."""
_GAP: Final = _PADDING * 512
"""A packet that was lost on the way leaves more; with the tables of cameras no image packs to such a run."""


@dataclass(frozen=True, slots=True, eq=False)
class JpegFrame:
    """A frame as a JPEG, not yet upright."""

    content: bytes
    time_s: float
    view: View = AS_IT_IS

    @property
    def whole(self) -> bool:
        """True where the JPEG has both its ends and no gap; cameras send torn ones now and then."""
        content = self.content.rstrip(_PADDING)
        return content.startswith(_BEGINNING) and content.endswith(_END) and _GAP not in content

    def frame(self) -> Frame:
        """Unpack it; 6 ms at 1080p.

        Raises:
            UnreadableError: it is no JPEG.
        """
        image = None
        with suppress(cv2.error):  # of a JPEG that is empty, or says that it is huge
            image = cv2.imdecode(np.frombuffer(self.content, np.uint8), cv2.IMREAD_COLOR_BGR)
        if image is None:
            raise UnreadableError(Phrase("The camera sent a picture that cannot be read: plug it in again"))
        return Frame(self.view.upright(image.astype(np.uint8, copy=False)), self.time_s)


def pack(frame: Frame) -> JpegFrame:
    """Make a JPEG of a frame; of its colours every second pixel is kept each way, as webcams do."""
    return JpegFrame(encode_jpeg(frame.image, JPEG_QUALITY), frame.time_s)


class FrameRun(Sequence[Frame]):
    """Frames in the order of their times, each unpacked when it is asked for and not before.

    So one may hold a long run and look at a few frames of it: `run.times_s` tells which.
    """

    def __init__(self, packed: Sequence[JpegFrame]) -> None:
        self.packed = tuple(packed)

    @property
    def times_s(self) -> tuple[float, ...]:
        """The time of each frame; nothing is unpacked for it."""
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
