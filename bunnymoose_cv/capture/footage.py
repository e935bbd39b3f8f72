"""Footage of a round: a clip, a camera's ring buffer of the last seconds, or seconds that are held from it."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Final, Protocol, Self

import numpy as np

from bunnymoose_cv.capture.jpeg_frame import FrameRun, JpegFrame, pack
from bunnymoose_cv.capture.sound import Sound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.frame import Frame


PACKED_PER_S: Final = 15.0
"""Highest rate of frames encoded here: enough for the eye and for the freeze, at half the work of 30."""

_CREDIT_S: Final = 1.0
"""Credit of the token bucket, in seconds of the memory limit: room for bursts of frames."""

_JOINT_S: Final = 0.05
"""Largest gap between consecutive pieces of sound, whose stamps are never as even as the samples."""


class RingBuffer:
    """The frames of the last seconds as JPEGs.

    A camera's own JPEGs are kept as they are. Other frames are encoded here, at most `PACKED_PER_S` of them. The memory
    limit holds at every instant. If frames are too large for it, fewer of them are kept, at the same image quality: the
    seconds before the cue matter more than the rate. One thread adds; any thread may read.

    Attributes:
        newest: the last frame that was added, as it came, whether it is kept or not.
        held_bytes: memory of the JPEGs.
    """

    def __init__(self, before_s: float, after_s: float, limit_bytes: int) -> None:
        """Begin with an empty ring.

        Args:
            before_s: seconds before a cue that must be available when it comes.
            after_s: seconds after the cue for which they must not be dropped.
            limit_bytes: limit of `held_bytes`.
        """
        self.newest: Frame | JpegFrame | None = None
        self.held_bytes = 0
        self._before_s, self._span_s = before_s, before_s + after_s
        self._awaited_s = inf
        self._limit_bytes = limit_bytes
        self._bytes_per_s = limit_bytes / (self._span_s + _CREDIT_S)
        self._credit_bytes = self._bytes_per_s * _CREDIT_S
        self._due_s = -inf
        self._held: deque[JpegFrame] = deque()
        self._lock = threading.Lock()

    def add(self, frame: Frame | JpegFrame) -> None:
        """Add a frame, unless it is not later than the one before."""
        before = self.newest
        if before is not None:
            if frame.time_s <= before.time_s:
                return
            earned = (frame.time_s - before.time_s) * self._bytes_per_s
            self._credit_bytes = min(self._credit_bytes + earned, self._bytes_per_s * _CREDIT_S)
        self.newest = frame
        if self._credit_bytes <= 0 or not self._is_due(frame):
            return
        packed = frame if isinstance(frame, JpegFrame) else pack(frame)
        self._credit_bytes -= len(packed.content)
        with self._lock:
            self._make_room(packed)
            if len(packed.content) <= self._limit_bytes:
                self._held.append(packed)
                self.held_bytes += len(packed.content)

    def keep_for(self, cue_s: float) -> None:
        """Keep the frames before and after a cue until it has been judged, within the memory limit.

        A busy computer may judge it late. With several cues the earliest counts; infinity releases the frames.
        """
        with self._lock:
            self._awaited_s = cue_s if cue_s == inf else min(cue_s, self._awaited_s)

    def frames(self, start_s: float, end_s: float) -> FrameRun:
        """Return the kept frames from `start_s` to `end_s`, both included. They are decoded when accessed."""
        with self._lock:
            return FrameRun(self._held).between(start_s, end_s)

    def _is_due(self, frame: Frame | JpegFrame) -> bool:
        """Return whether a frame is worth encoding. JPEGs always are, since they cost nothing."""
        if isinstance(frame, JpegFrame):
            return True
        step_s = 1 / PACKED_PER_S
        if frame.time_s < self._due_s - step_s / 4:  # stamps are uneven, so not exactly every second one of 30 is due
            return False
        self._due_s = max(self._due_s, frame.time_s - step_s) + step_s
        return True

    def _make_room(self, packed: JpegFrame) -> None:
        """Drop frames that are too old, and the oldest ones until one more frame fits."""
        needed_s = min(packed.time_s - self._span_s, self._awaited_s - self._before_s)
        while self._held and (
            self._held[0].time_s < needed_s or self.held_bytes + len(packed.content) > self._limit_bytes
        ):
            self.held_bytes -= len(self._held.popleft().content)


class SoundRing:
    """The sound of the last seconds; 12 s are about a megabyte. One thread adds; any thread may read."""

    def __init__(self, before_s: float, after_s: float) -> None:
        self._span_s = before_s + after_s
        self._held: deque[Sound] = deque()
        self._lock = threading.Lock()

    def add(self, sound: Sound) -> Sound:
        """Add a piece of sound, and return it as it is kept: right after the piece before if it is off by little."""
        with self._lock:
            if self._held:
                before = self._held[-1]
                if before.rate != sound.rate:
                    self._held.clear()
                elif abs(sound.start_s - before.end_s) < _JOINT_S:
                    sound = replace(sound, start_s=before.end_s)
            self._held.append(sound)
            while self._held[0].end_s < sound.end_s - self._span_s:
                self._held.popleft()
        return sound

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound from `start_s` to `end_s`, with gaps as silence, or None without any sound."""
        with self._lock:
            pieces = list(self._held)
        return _cut_sound(pieces, start_s, end_s)


def _cut_sound(pieces: Iterable[Sound], start_s: float, end_s: float) -> Sound | None:
    pieces = [piece for piece in pieces if piece.end_s > start_s and piece.start_s < end_s]
    if not pieces:
        return None
    rate = pieces[0].rate
    samples = np.zeros(round((end_s - start_s) * rate), np.int16)
    for piece in pieces:
        begin = round((piece.start_s - start_s) * rate)
        heard = piece.samples[max(0, -begin) : max(0, len(samples) - begin)]
        samples[max(0, begin) : max(0, begin) + len(heard)] = heard
    return Sound(samples, rate, start_s)


class FilmFootage(Protocol):
    """Images and sound for a film."""

    def frames(self, start_s: float, end_s: float) -> Iterable[Frame]:
        """Yield the frames of a time span; may be called repeatedly."""

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound of a time span; None if none was recorded."""


class Footage(FilmFootage, Protocol):
    """Source of a round's images and sound: a camera's last seconds, or a clip."""

    def wait_for(self, time_s: float, patience_s: float, /) -> bool:
        """Wait until the frames up to a time have arrived; False if they do not."""

    def held(self, start_s: float, end_s: float, /) -> Footage:
        """Return a time span of the footage that remains available when the camera's buffer has moved on."""


@dataclass(frozen=True, slots=True)
class ClipFootage:
    """Clip as the footage of a round; its own time is the clock."""

    clip: Clip

    def wait_for(self, _time_s: float, _patience_s: float) -> bool:
        """Return True at once, as the whole clip is available."""
        return True

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """Yield the frames of a time span."""
        return self.clip.frames(start_s, end_s)

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the clip's own sound of a time span; None if it has none."""
        heard = SoundRing(before_s=inf, after_s=0.0)
        for piece in self.clip.sounds():
            heard.add(piece)
        return heard.sound(start_s, end_s)

    def held(self, _start_s: float, _end_s: float) -> Self:
        """Return the clip unchanged, as all of it remains available."""
        return self


@dataclass(frozen=True, slots=True)
class HeldFootage:
    """Some seconds of images and sound (None without any) that remain available when the ring buffer has moved on."""

    run: FrameRun
    heard: Sound | None

    def wait_for(self, time_s: float, _patience_s: float) -> bool:
        """Return at once whether the footage reaches a time, since nothing more will come."""
        return bool(self.run) and time_s <= self.run.times_s[-1]

    def frames(self, start_s: float, end_s: float) -> FrameRun:
        """Return the images from one time to another, both included. Each is decoded when it is accessed."""
        return self.run.between(start_s, end_s)

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound from one time to another, or None without any."""
        return None if self.heard is None else _cut_sound([self.heard], start_s, end_s)

    def held(self, _start_s: float, _end_s: float) -> Self:
        """Return the footage unchanged."""
        return self
