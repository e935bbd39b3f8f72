"""Live image of the table for all pages: one JPEG for each reading while pages watch.

It pauses while Bam is being judged, since the referee needs the whole computer; images on their way wait. Images are
not mirrored: pages do that.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.capture.jpeg_frame import encode_jpeg
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.live.streams import StreamPlaces

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.limits import Limits
    from bunnymoose_cv.web.live.host import Host

WIDTH: Final = 960
"""Width of the sent image in pixels; smaller images keep their size."""

JPEG_QUALITY: Final = 78
"""JPEG quality of the sent image, which has some 35 kB at this width and takes 2 to 4 ms of one core."""

STEP_S: Final = 0.1
"""Interval of images, at most ten a second."""

STANDS_STILL: Final = 3
"""Steps without a new image, after which the last one is sent again: Chromium shows one only when another follows."""

BOUNDARY: Final = b"frame"
MEDIA_TYPE: Final = f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}"


class LiveImage:
    """Live image of all visitors. Belongs to the server's event loop."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self._host = host
        self.places = StreamPlaces(limits.streams, limits.streams_of_one)
        self._watchers = 0
        self._number: int | None = None
        self._part = b""
        self._stepped = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None

    async def parts(self, visitor: Visitor, *, waits: bool = False) -> AsyncIterator[bytes]:
        """Yield the parts of a motion JPEG stream: the newest image first, then each new one.

        A slow browser misses some. Each part ends with the boundary, since browsers show an image only then. The stream
        ends when the visitor loses access, and ends with a dark image when another stream takes its place.
        """
        place = self.places.take(visitor, waits=waits)
        if place is None:
            return  # other streams have taken the room since it was checked: the browser retries
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
                    async with self._stepped:
                        await self._stepped.wait()
                if not place.is_held:
                    yield _LOST
            finally:
                self._watchers -= 1

    async def _look(self) -> None:
        """Encode an image of each reading while pages watch, and wake their streams, which may have to stop."""
        try:
            while self._watchers:
                latest = self._host.latest_reading
                if latest is not None and latest.number != self._number and not self._rests:
                    self._part = _part(await asyncio.to_thread(_packed, latest.reading.image))
                    self._number = latest.number
                if not self._rests:  # Bam may have been said during the encoding
                    async with self._stepped:
                        self._stepped.notify_all()
                await asyncio.sleep(STEP_S)
        finally:
            self._looking = None

    @property
    def _rests(self) -> bool:
        return self._host.session is not None and self._host.session.state.judging


def _part(content: bytes) -> bytes:
    """Return a JPEG as one part of the response, followed by the boundary."""
    head = f"Content-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n".encode()
    return b"".join((head, content, b"\r\n--", BOUNDARY, b"\r\n"))


def _packed(image: Image) -> bytes:
    """Encode an image as a JPEG in the size that pages show."""
    height, width = image.shape[:2]
    if width > WIDTH:
        image = cv2.resize(image, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return encode_jpeg(image, JPEG_QUALITY)


_LOST: Final = 2 * _part(_packed(np.zeros((18, 32, 3), np.uint8)))
"""Dark image at the end of a stream that lost its place; the page recognizes it by its width (parts.js)."""

_NOTHING_YET: Final = 2 * _part(_packed(np.zeros((9, 16, 3), np.uint8)))
"""Dark image before the first reading, sent twice because Chromium considers a page loaded at the second part."""
