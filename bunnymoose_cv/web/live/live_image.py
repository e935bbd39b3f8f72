"""Live image of the table for all pages at once: one JPEG for each reading while anybody watches.

Rests while Bam is being judged, and what is on its way waits: then the whole computer belongs to the referee. Pixels
are as the camera sees them; pages mirror them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.jpeg_encoding import encode_jpeg
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.stream_places import StreamPlaces

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host

WIDTH: Final = 960
"""Of the image that is sent, pixels; smaller ones are sent as they are."""

JPEG_QUALITY: Final = 78
"""JPEG quality of the image that is sent: at this width some 35 kB and 2 to 4 ms of one core."""

STEP_S: Final = 0.1
"""No more than ten images a second."""

STANDS_STILL: Final = 3
"""After so many steps without a new image the last one is sent again: Chromium shows one only when another comes."""

BOUNDARY: Final = b"frame"
MEDIA_TYPE: Final = f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}"


class LiveImage:
    """Live image for everybody. Belongs to the server's loop."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self._host = host
        self.places = StreamPlaces(limits.streams, limits.streams_of_one)
        self._watchers = 0
        self._number: int | None = None
        self._part = b""
        self._came = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None

    async def parts(self, visitor: Visitor, *, waits: bool = False) -> AsyncIterator[bytes]:
        """Yield the parts of a motion JPEG stream: the newest image first, then each new one.

        A browser that is slow misses some. Each part ends with the boundary, since browsers show an image only then.
        They end when the visitor may no longer see them; with darkness when another stream takes their place.

        Args:
            waits: whether a free place alone is taken.
        """
        place = self.places.take(visitor, waits=waits)
        if place is None:
            return  # others came since that was asked: the browser asks once more
        with place:
            self._watchers += 1
            if self._looking is None:
                self._looking = asyncio.create_task(self._look())
            try:
                yield b"--" + BOUNDARY + b"\r\n"
                sent: int | None = None
                waited = 0
                if self._number is None:
                    yield _NOTHING_YET
                while place.is_held and visitor.may(Action.SEE):
                    if self._number is not None and self._number != sent:
                        sent, waited = self._number, 0
                        yield self._part
                    elif sent is not None and (waited := waited + 1) == STANDS_STILL:
                        yield self._part
                    async with self._came:
                        await self._came.wait()
                if not place.is_held:
                    yield _LOST
            finally:
                self._watchers -= 1

    async def _look(self) -> None:
        """Make an image of each look while somebody watches; wakes the watchers so that they see when to stop."""
        try:
            while self._watchers:
                if not self._rests:
                    await self._take()
                if not self._rests:  # Bam may have been said meanwhile
                    async with self._came:
                        self._came.notify_all()
                await asyncio.sleep(STEP_S)
        finally:
            self._looking = None

    @property
    def _rests(self) -> bool:
        return self._host.session is not None and self._host.session.state.judging

    async def _take(self) -> None:
        latest_reading = self._host.latest_reading
        if latest_reading is None or latest_reading.number == self._number:
            return
        self._part = _part(await asyncio.to_thread(_packed, latest_reading.reading.image))
        self._number = latest_reading.number


def _part(content: bytes) -> bytes:
    """A JPEG as one part of the answer, with the boundary after it."""
    head = f"Content-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n".encode()
    return b"".join((head, content, b"\r\n--", BOUNDARY, b"\r\n"))


def _packed(image: Image) -> bytes:
    """An image as a JPEG of the size that pages show."""
    height, width = image.shape[:2]
    if width > WIDTH:
        image = cv2.resize(image, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return encode_jpeg(image, JPEG_QUALITY)


_LOST: Final = 2 * _part(_packed(np.zeros((18, 32, 3), np.uint8)))
"""Darkness at the end of a stream whose place another one has; the page knows it by its width (parts.js)."""

_NOTHING_YET: Final = 2 * _part(_packed(np.zeros((9, 16, 3), np.uint8)))
"""Darkness, until there is something to see. Twice: Chromium takes a page for loaded with the second part alone."""
