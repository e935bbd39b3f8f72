"""Bytes of a file that may be read until a deadline: decoders written in Python may loop over every byte of it."""

from __future__ import annotations

import io
import time


class ReadTimeoutError(Exception):
    """Deadline of a read that has passed."""


class TimedBytes(io.BytesIO):
    """A file in memory that stops whoever reads it for too long.

    Args:
        limit_s: seconds from now until the deadline.
    """

    def __init__(self, content: bytes, limit_s: float) -> None:
        super().__init__(content)
        self.extend(limit_s)

    def extend(self, limit_s: float) -> None:
        """Move the deadline to some seconds from now."""
        self._deadline_s = time.monotonic() + limit_s

    def read(self, size: int | None = -1, /) -> bytes:
        """Read as of any file.

        Raises:
            ReadTimeoutError: the deadline has passed.
        """
        if time.monotonic() > self._deadline_s:
            raise ReadTimeoutError
        return super().read(size)
