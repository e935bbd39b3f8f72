"""The live picture of the table for all pages at once: one JPEG for each look, whoever watches, none while nobody does.

Rests while Bam is being judged: then the whole computer belongs to the referee. Pixels are as the camera sees them;
pages mirror them. Owns no looking and no drawing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import cv2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.screen.host import Host
    from bunnymoose_cv.screen.limits import Limits

WIDTH: Final = 960
"""Of the picture that is sent, pixels; smaller ones are sent as they are."""

QUALITY: Final = 78
"""Of its JPEG: at this width some 90 kB and 4 ms of one core."""

STEP_S: Final = 0.1
"""No more than ten pictures a second."""

BOUNDARY: Final = b"picture"
MEDIA_TYPE: Final = f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}"


class TooManyWatchersError(Exception):
    """No more live pictures are sent at once."""


class LivePicture:
    """What everybody's live picture is made from. Belongs to the server's loop."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self._host = host
        self._limits = limits
        self._watchers: Counter[str] = Counter()
        self._number: int | None = None
        self._part = b""
        self._came = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def watched_by(self, visitor: str) -> Iterator[None]:
        """Make pictures for one more watcher.

        Raises:
            TooManyWatchersError: there are enough.
        """
        if self._watchers.total() >= self._limits.streams or self._watchers[visitor] >= self._limits.streams_of_one:
            raise TooManyWatchersError
        self._watchers[visitor] += 1
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._watchers[visitor] -= 1
            self._watchers += Counter()  # forgets who watches no more

    async def parts(self, goes_on: Callable[[], bool]) -> AsyncIterator[bytes]:
        """The parts of a picture that is replaced again and again: the newest first, then each new one.

        A browser that is slow misses some. Each part ends with the boundary, since browsers show a picture only then.
        """
        yield b"--" + BOUNDARY + b"\r\n"
        sent: int | None = None
        while goes_on():
            if self._number is not None and self._number != sent:
                sent, part = self._number, self._part
                yield part
            async with self._came:
                await self._came.wait()

    async def _look(self) -> None:
        """Make a picture of each look while somebody watches; wakes the watchers so that they see when to stop."""
        while self._watchers:
            await self._take()
            async with self._came:
                self._came.notify_all()
            await asyncio.sleep(STEP_S)
        self._looking = None

    async def _take(self) -> None:
        sitting, glimpse = self._host.sitting, self._host.glimpse
        if glimpse is None or glimpse.number == self._number or (sitting is not None and sitting.state.judging):
            return
        content = await asyncio.to_thread(_packed, glimpse.reading.picture)
        head = f"Content-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n".encode()
        self._part = b"".join((head, content, b"\r\n--", BOUNDARY, b"\r\n"))
        self._number = glimpse.number


def _packed(picture: Picture) -> bytes:
    """A picture as a JPEG of the size that pages show.

    Args:
        picture: shape (height, width, 3), blue-green-red.
    """
    height, width = picture.shape[:2]
    if width > WIDTH:
        picture = cv2.resize(picture, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return content.tobytes()
