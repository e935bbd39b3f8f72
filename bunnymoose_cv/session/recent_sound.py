"""Recent sound of a video source, kept for a few seconds."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.capture.sound import Sound

if TYPE_CHECKING:
    from bunnymoose_cv.capture.sound import Samples


class RecentSound:
    """Ring buffer of sound. Written by the thread of the sound, read by another."""

    def __init__(self, kept_s: float) -> None:
        self._kept_s = kept_s
        self._pieces: deque[Sound] = deque()
        self._listening = False

    def begin(self) -> None:
        """Forget what was heard, and keep sound from now on."""
        self._pieces.clear()
        self._listening = True

    def end(self) -> None:
        """Keep no further sound."""
        self._listening = False

    def hear(self, samples: Samples, rate: int, time_s: float) -> None:
        """Take one more piece of sound; see `VideoSource.listen_to_sound`."""
        if self._listening:
            self._pieces.append(Sound(samples, rate, time_s))
        while self._pieces and self._pieces[0].start_s < time_s - self._kept_s:
            self._pieces.popleft()

    @property
    def newest(self) -> Sound | None:
        """Newest piece; None where nothing was heard."""
        pieces = tuple(self._pieces)
        return pieces[-1] if pieces else None

    @property
    def whole(self) -> Sound | None:
        """Pieces of the newest one's rate, put together; None where nothing was heard."""
        pieces = tuple(self._pieces)
        if not pieces:
            return None
        rate = pieces[-1].rate
        alike = [piece for piece in pieces if piece.rate == rate]
        return Sound(np.concatenate([piece.samples for piece in alike]), rate, alike[0].start_s)
