"""Films that every browser plays: H.264 in MP4, with sound.

Frames carry their own times, so the rate may be any and may change. A film appears under its name when it is whole.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace

from bunnymoose_cv.capture.dimensions import fit_frame
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.resampling import resampled
from bunnymoose_cv.core.atomic_files import part_of, put_in_place, replaceable
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.video_encoders import bit_rate, choose_encoder, options_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.sound import Sound

_TIME_BASE: Final = Fraction(1, 60_000)
"""The tick of a frame's time: every usual frame rate and the millisecond are whole numbers of it."""

_LAST_FRAME_S: Final = 0.04
_SOUND_RATE: Final = 48_000
_SOUND_BITS_PER_S: Final = 96_000


class FilmError(InputError):
    """Error of a film that cannot be written."""


def write_film(path: Path, frames: Iterable[Frame], sounds: Sequence[Sound] = ()) -> None:
    """Write a film.

    It begins with its first frame, whose time becomes the film's 0; a frame is shown until the next one comes. A frame
    that is not later than the one before is left out. All images are shown at the size of the first, between black bars
    where their shape is another; it loses its last row or column of pixels where it is odd: H.264 has only even ones.

    Args:
        path: the MP4 file to write; one that is there is replaced when the new one is whole.
        sounds: what is heard, on the clock of the frames; they may overlap, and may last longer than the images. What
            would be heard before the first frame is left out.

    Raises:
        FilmError: there is no frame, or the file cannot be written.
    """
    coming = iter(frames)
    first = next(coming, None)
    if first is None:
        raise FilmError(f"{path} would be a film without a picture")
    sound = _mix_sounds(sounds, first.time_s)
    with _writing(path):
        target = replaceable(path)
    try:
        with _writing(path):
            film = _Film(part_of(target), first, sound)
        try:
            for frame in chain([first], coming):
                with _writing(path):
                    film.show(frame)
            with _writing(path):
                film.finish()
        finally:
            film.close()
        with _writing(path):
            put_in_place(target)
    finally:
        with suppress(OSError):
            part_of(target).unlink()


def with_still(frames: Iterable[Frame], still: Image, at_s: float, hold_s: float) -> Iterator[Frame]:
    """Stop a film at a moment and show a still, after which it goes on: `hold_s` seconds later than it would have.

    Args:
        still: what is shown instead, of the same size.
        at_s: the moment, on the clock of the frames.
    """
    held = False
    for frame in frames:
        if frame.time_s >= at_s and not held:
            held = True
            yield Frame(still, at_s)
        yield replace(frame, time_s=frame.time_s + hold_s) if held else frame
    if not held:
        yield Frame(still, at_s)
        yield Frame(still, at_s + hold_s)


class _Film:
    """An MP4 file in the making."""

    def __init__(self, path: Path, first: Frame, sound: npt.NDArray[np.float32]) -> None:
        """Open the file and encode all of its sound, which is little; it is written along with the images."""
        self._container = av.open(path, "w", format="mp4", options={"movflags": "+faststart"})
        self._start_s = first.time_s
        self._last_pts = -1
        self._size = first.size
        width, height = (max(2, side // 2 * 2) for side in first.size)
        encoder = choose_encoder(width, height)
        self._images = cast("av.VideoStream", self._container.add_stream(encoder, options=options_of(encoder)))
        self._images.width, self._images.height = width, height
        self._images.codec_context.bit_rate = bit_rate(encoder, width, height)
        self._images.pix_fmt = "yuv420p"
        self._images.codec_context.time_base = _TIME_BASE
        self._images.codec_context.max_b_frames = 0  # frames out of order make the file end before a last long one
        self._images.codec_context.colorspace = Colorspace.ITU709
        self._images.codec_context.color_range = ColorRange.MPEG
        self._sound_packets = deque(self._encoded(sound))

    def show(self, frame: Frame) -> None:
        """Add a frame, and the sound up to it."""
        pts = round((frame.time_s - self._start_s) / _TIME_BASE)
        if pts <= self._last_pts:
            return
        self._last_pts = pts
        width, height = self._images.width, self._images.height
        seen = fit_frame(frame, self._size).image[:height, :width]
        image = av.VideoFrame.from_ndarray(np.ascontiguousarray(seen), "bgr24").reformat(
            width,
            height,
            "yuv420p",
            dst_colorspace=Colorspace.ITU709,
            dst_color_range=ColorRange.MPEG,
        )
        image.pts, image.time_base = pts, _TIME_BASE
        image.duration = round(_LAST_FRAME_S / _TIME_BASE)
        self._write_sound(frame.time_s - self._start_s)
        self._container.mux(self._images.encode(image))

    def finish(self) -> None:
        """Write what the encoders still hold, and the index."""
        self._container.mux(self._images.encode())
        self._write_sound(float("inf"))
        self._container.close()

    def close(self) -> None:
        """Close the file, finished or not."""
        with suppress(OSError, av.FFmpegError):
            self._container.close()

    def _encoded(self, sound: npt.NDArray[np.float32]) -> Iterator[av.Packet[Any]]:
        if not len(sound):
            return
        stream = self._container.add_stream("aac", rate=_SOUND_RATE, layout="mono", bit_rate=_SOUND_BITS_PER_S)
        frame = av.AudioFrame.from_ndarray(sound[np.newaxis], format="fltp", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = _SOUND_RATE, 0, Fraction(1, _SOUND_RATE)
        yield from stream.encode(frame)
        yield from stream.encode()

    def _write_sound(self, until_s: float) -> None:
        """Write the sound beside the images of the same time, so that a player needn't jump."""
        while self._sound_packets:
            packet = self._sound_packets[0]
            if packet.pts is not None and packet.time_base is not None and packet.pts * packet.time_base > until_s:
                return
            self._container.mux(self._sound_packets.popleft())


def _mix_sounds(sounds: Sequence[Sound], start_s: float) -> npt.NDArray[np.float32]:
    """All sounds in one track that begins at `start_s`: samples from -1 to 1, `_SOUND_RATE` a second."""
    track = np.zeros(0, np.float32)
    for sound in sounds:
        samples = resampled(sound.samples, sound.rate, _SOUND_RATE)
        begin = round((sound.start_s - start_s) * _SOUND_RATE)
        samples, begin = samples[max(0, -begin) :], max(0, begin)
        track = np.pad(track, (0, max(0, begin + len(samples) - len(track))))
        track[begin : begin + len(samples)] += samples
    return np.clip(track, -1, 1)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn what the system says against a file into a sentence."""
    try:
        yield
    except (OSError, av.FFmpegError) as error:
        raise FilmError(
            Phrase("the film {path} cannot be written: {reason}", path=str(path), reason=error.strerror or str(error))
        ) from error
