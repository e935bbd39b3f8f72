"""Ring buffers of the last seconds of frames and of sound, within a limit of memory."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.capture.jpeg_frame import FrameRun, JpegFrame, pack
from bunnymoose_cv.capture.sound import Sound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Frame

PACKED_PER_S: Final = 15.0
"""At most so many frames a second are packed by us: enough for the eye and for the freeze, at half the work of 30."""

_CREDIT_S: Final = 1.0
"""Credit of the token bucket, in seconds of the memory limit: room for frames that come in a rush."""

_JOINT_S: Final = 0.05
"""Largest gap between pieces of sound that follow each other: stamps are never as even as the samples."""


class RingBuffer:
    """The frames of the last seconds as JPEGs.

    A camera's own JPEGs are kept as they are; other frames are packed here, at most `PACKED_PER_S` of them. The limit
    holds at every instant. Where frames are so large that the seconds would not fit into it, fewer of them are kept and
    their images stay as good as they are: the seconds before the cue matter more than the rate. One thread adds, any
    may ask.
    """

    def __init__(self, before_s: float, after_s: float, limit_bytes: int) -> None:
        """An empty ring.

        Args:
            before_s: how many seconds before a cue must be there when it comes.
            after_s: for how many seconds after the cue they must not be dropped.
            limit_bytes: the JPEGs of all frames together never have more.
        """
        self._span_s = before_s + after_s
        self._limit_bytes = limit_bytes
        self._bytes_per_s = limit_bytes / (self._span_s + _CREDIT_S)
        self._credit_bytes = self._bytes_per_s * _CREDIT_S
        self._due_s = float("-inf")
        self._newest: Frame | JpegFrame | None = None
        self._held: deque[JpegFrame] = deque()
        self._held_bytes = 0
        self._lock = threading.Lock()

    @property
    def held_bytes(self) -> int:
        """Memory of the JPEGs, bytes."""
        return self._held_bytes

    @property
    def newest(self) -> Frame | JpegFrame | None:
        """The last frame that was added, whether it is kept or not, as it came."""
        return self._newest

    def add(self, frame: Frame | JpegFrame) -> None:
        """Take a frame in; one that is not later than the one before is left out."""
        before, self._newest = self._newest, frame
        if before is not None:
            if frame.time_s <= before.time_s:
                self._newest = before
                return
            earned = (frame.time_s - before.time_s) * self._bytes_per_s
            self._credit_bytes = min(self._credit_bytes + earned, self._bytes_per_s * _CREDIT_S)
        if self._credit_bytes <= 0 or not self._is_due(frame):
            return
        packed = frame if isinstance(frame, JpegFrame) else pack(frame)
        self._credit_bytes -= len(packed.content)
        with self._lock:
            self._make_room(packed)
            if len(packed.content) <= self._limit_bytes:
                self._held.append(packed)
                self._held_bytes += len(packed.content)

    def frames(self, start_s: float, end_s: float) -> FrameRun:
        """The kept frames whose time lies from `start_s` to `end_s`, both included; unpacked when looked at."""
        with self._lock:
            return FrameRun([packed for packed in self._held if start_s <= packed.time_s <= end_s])

    def _is_due(self, frame: Frame | JpegFrame) -> bool:
        """Tell if a frame is worth the work of packing it; a packed one costs nothing."""
        if isinstance(frame, JpegFrame):
            return True
        step_s = 1 / PACKED_PER_S
        if frame.time_s < self._due_s - step_s / 4:  # no stamp is so even that every second of 30 falls on the dot
            return False
        self._due_s = max(self._due_s, frame.time_s - step_s) + step_s
        return True

    def _make_room(self, packed: JpegFrame) -> None:
        """Drop what is too old, and the oldest as long as there is no room for one more."""
        while self._held and (
            self._held[0].time_s < packed.time_s - self._span_s
            or self._held_bytes + len(packed.content) > self._limit_bytes
        ):
            self._held_bytes -= len(self._held.popleft().content)


class SoundRing:
    """The sound of the last seconds; 12 of them are about a megabyte. One thread adds, any may ask."""

    def __init__(self, before_s: float, after_s: float) -> None:
        """An empty ring, for as many seconds as that of the frames."""
        self._span_s = before_s + after_s
        self._held: deque[Sound] = deque()
        self._lock = threading.Lock()

    @property
    def held_bytes(self) -> int:
        """Memory of the samples, bytes."""
        with self._lock:
            return sum(sound.samples.nbytes for sound in self._held)

    def add(self, sound: Sound) -> Sound:
        """Take a piece of sound in.

        Returns:
            The piece as it is kept: where its time is off by less than the twentieth of a second, it follows the piece
            before without a gap.
        """
        with self._lock:
            if self._held:
                before = self._held[-1]
                if before.rate != sound.rate:
                    self._held.clear()
                elif abs(sound.start_s - before.end_s) < _JOINT_S:
                    sound = Sound(sound.samples, sound.rate, before.end_s)
            self._held.append(sound)
            while self._held[0].end_s < sound.end_s - self._span_s:
                self._held.popleft()
        return sound

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound from `start_s` to `end_s`; silence fills gaps; None where nothing came at all."""
        with self._lock:
            pieces = [piece for piece in self._held if piece.end_s > start_s and piece.start_s < end_s]
        return _join_pieces(pieces, start_s, end_s) if pieces else None


def _join_pieces(pieces: Sequence[Sound], start_s: float, end_s: float) -> Sound:
    rate = pieces[0].rate
    samples = np.zeros(round((end_s - start_s) * rate), np.int16)
    for piece in pieces:
        begin = round((piece.start_s - start_s) * rate)
        heard = piece.samples[max(0, -begin) : max(0, len(samples) - begin)]
        samples[max(0, begin) : max(0, begin) + len(heard)] = heard
    return Sound(samples, rate, start_s)
