"""Films for every browser: H.264 in MP4, with sound, by an encoder of the system or by x264.

Frames have their own times, so any frame rate is possible, even a variable one. Films are written atomically. The wheel
of PyAV contains libx264 and libx265 (GPL-2.0 or later); see docs/explanation/architecture.md.
"""

from __future__ import annotations

from collections import deque
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import av
import av.filter
import numpy as np
from av.video.reformatter import ColorRange, Colorspace

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.image_geometry import fit_frame
from bunnymoose_cv.capture.sound import Sound, resampled
from bunnymoose_cv.core.atomic_files import part_of, put_in_place, replaceable
from bunnymoose_cv.core.errors import InputError, reason_of
from bunnymoose_cv.core.input_file import is_visible
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt


ENCODERS: Final = ("h264_videotoolbox", "h264_mf", "h264_nvenc", "h264_amf", "libopenh264", "libx264", "mpeg4")
"""Encoders by preference: of macOS, Windows, graphics cards, Cisco (BSD-2-Clause) and x264; the last, not H.264, is
always available."""

_OPTIONS: Final = {"libx264": {"crf": "20", "preset": "veryfast", "threads": "1"}}
"""Options by encoder. One thread, so that the game is not slowed down."""

_BITS_PER_PIXEL_S: Final = 4
"""Bit rate of encoders without constant quality: 8 Mbit/s at 1080p."""

SOUND_BITS_PER_S: Final = 96_000

_BUFFER_S: Final = 0.5
"""Time at the peak rate that the rate control may run ahead."""

_IMAGES_SHARE: Final = 0.9
"""Share of a size limit for the images; the rest is for the container and overshoots of the encoder."""


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """Maximum size and duration of a film for a phone, whose noise is filtered."""

    most_bytes: int
    longest_s: float

    @property
    def bits_per_s(self) -> int:
        """Peak rate of the images that keeps the file within the limit."""
        images = _IMAGES_SHARE * 8 * self.most_bytes - SOUND_BITS_PER_S * self.longest_s
        return round(images / (self.longest_s + _BUFFER_S))

    def allows(self, image_bytes: int, time_s: float) -> bool:
        """Return whether another image may be encoded at a time of the film, given the bytes of the earlier ones."""
        return 8 * image_bytes <= self.bits_per_s * (time_s + _BUFFER_S)


def opens(name: str, width: int, height: int) -> bool:
    """Return whether an encoder starts at a size; for many listed ones the device or the driver is missing."""
    try:
        context = av.CodecContext.create(name, "w")
        if not isinstance(context, av.VideoCodecContext):
            return False
        context.width, context.height, context.pix_fmt = width, height, "yuv420p"
        context.time_base, context.max_b_frames = _TIME_BASE, 0
        context.bit_rate = bit_rate(name, width, height)
        context.open()
    except (OSError, ValueError, av.FFmpegError):
        return False
    return True


def choose_encoder(width: int, height: int) -> str:
    """Return the first encoder by preference that starts, or the last one if none does."""
    return next((name for name in ENCODERS if opens(name, width, height)), ENCODERS[-1])


def options_of(name: str, limit: SizeLimit | None = None) -> dict[str, str]:
    """Return the options for opening an encoder."""
    options = _OPTIONS.get(name, {})
    if limit is None:
        return options
    rate = {"maxrate": str(limit.bits_per_s), "bufsize": str(round(limit.bits_per_s * _BUFFER_S))}
    return {**options, **rate}


def bit_rate(name: str, width: int, height: int, limit: SizeLimit | None = None) -> int:
    """Return the bit rate to request from an encoder; 0 if it has constant quality."""
    if name in _OPTIONS:
        return 0
    wanted = _BITS_PER_PIXEL_S * width * height
    return wanted if limit is None else min(wanted, limit.bits_per_s)


_TIME_BASE: Final = Fraction(1, 60_000)
"""Time base of the frames: the frame intervals of all usual rates, and the millisecond, are multiples of it."""

_LAST_FRAME_S: Final = 0.04
_SOUND_RATE: Final = 48_000

_NOISE_FILTER: Final = ("atadenoise", ":".join(f"{plane}a=0.08:{plane}b=0.7" for plane in range(3)))
"""Average over nine frames of what differs by less than a twelfth of the range: noise of a camera in dim light."""

_STAMP: Final = "comment"
"""Field of the container for the content of the film, by which an outdated film of a corrected round is recognized."""


class FilmError(InputError):
    """Film that cannot be written."""


def write_film(
    path: Path,
    frames: Iterable[Frame],
    sounds: Sequence[Sound] = (),
    *,
    limit: SizeLimit | None = None,
    stamp: str = "",
) -> None:
    """Write a film; an existing one is replaced when the new one is complete.

    The time of the first frame becomes the film's 0. A frame is shown until the next one, and dropped if it is not
    later than the one before. All images are fitted into the size of the first, with black bars if their aspect ratio
    differs. An odd last row or column of pixels is cropped, since H.264 requires even sizes.

    Args:
        sounds: the sounds on the clock of the frames. They may overlap, and may last longer than the images; sound
            before the first frame is left out.
        limit: the largest size of the file; None for the full quality of a replay.
        stamp: a text that is stored in the file for `stamp_of`.

    Raises:
        FilmError: a frame is missing, or the file cannot be written.
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
            film = _Film(part_of(target), first, sound, limit, stamp)
        with closing(film):
            for frame in chain([first], coming):
                with _writing(path):
                    film.show(frame)
            with _writing(path):
                film.finish()
        with _writing(path):
            put_in_place(target)
    finally:
        with suppress(OSError):
            part_of(target).unlink()


def stamp_of(path: Path) -> str | None:
    """Return the stamp of a film; None without a film of this program."""
    if not is_visible(path):
        return None
    with suppress(OSError, ValueError, av.FFmpegError), av.open(path, metadata_errors="replace") as container:
        return container.metadata.get(_STAMP)
    return None


def with_still(frames: Iterable[Frame], still: Image, at_s: float, hold_s: float) -> Iterator[Frame]:
    """Stop a film at `at_s` and show a still of the same size for `hold_s` seconds, which delays all later frames."""
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
    """MP4 file that is being written."""

    def __init__(
        self, path: Path, first: Frame, sound: npt.NDArray[np.float32], limit: SizeLimit | None, stamp: str
    ) -> None:
        """Open the file and encode all of its sound, which is little; it is written along with the images."""
        self._container = av.open(path, "w", format="mp4", options={"movflags": "+faststart"})
        if stamp:
            self._container.metadata[_STAMP] = stamp
        self._start_s = first.time_s
        self._last_pts = -1
        self._limit, self._image_bytes = limit, 0
        self._size = first.size
        width, height = (max(2, side // 2 * 2) for side in first.size)
        encoder = choose_encoder(width, height)
        options = options_of(encoder, limit)
        self._images = cast("av.VideoStream", self._container.add_stream(encoder, options=options))
        self._images.width, self._images.height = width, height
        self._images.codec_context.bit_rate = bit_rate(encoder, width, height, limit)
        self._images.pix_fmt = "yuv420p"
        self._images.codec_context.time_base = _TIME_BASE
        self._images.codec_context.max_b_frames = 0  # frames out of order make the file end before a last long one
        self._images.codec_context.colorspace = Colorspace.ITU709
        self._images.codec_context.color_range = ColorRange.MPEG
        self._noise_filter = None if limit is None else _noise_filter(width, height)
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
            width, height, "yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
        )
        image.pts, image.time_base = pts, _TIME_BASE
        self._encode(image)

    def _encode(self, image: av.VideoFrame | None) -> None:
        """Encode the images that the noise filter returns for one more image; None flushes the filter."""
        for seen in _filtered(self._noise_filter, image):
            time_s = float((seen.pts or 0) * _TIME_BASE)
            if self._limit is not None and not self._limit.allows(self._image_bytes, time_s):
                continue  # the rate control of the encoder has failed
            seen.duration = round(_LAST_FRAME_S / _TIME_BASE)
            self._write_sound(time_s)
            self._write_images(self._images.encode(seen))

    def _write_images(self, packets: Sequence[av.Packet[Any]]) -> None:
        self._image_bytes += sum(packet.size for packet in packets)
        self._container.mux(packets)

    def finish(self) -> None:
        """Write what filter and encoders still hold, and the index."""
        self._encode(None)
        self._write_images(self._images.encode())
        self._write_sound(float("inf"))
        self._container.close()

    def close(self) -> None:
        """Close the file, whether it is finished or not."""
        with suppress(OSError, av.FFmpegError):
            self._container.close()

    def _encoded(self, sound: npt.NDArray[np.float32]) -> Iterator[av.Packet[Any]]:
        if not len(sound):
            return
        stream = self._container.add_stream("aac", rate=_SOUND_RATE, layout="mono", bit_rate=SOUND_BITS_PER_S)
        frame = av.AudioFrame.from_ndarray(sound[np.newaxis], format="fltp", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = _SOUND_RATE, 0, Fraction(1, _SOUND_RATE)
        yield from stream.encode(frame)
        yield from stream.encode()

    def _write_sound(self, until_s: float) -> None:
        """Interleave the sound with the images of the same time, so that a media player need not seek."""
        while self._sound_packets:
            packet = self._sound_packets[0]
            if packet.pts is not None and packet.time_base is not None and packet.pts * packet.time_base > until_s:
                return
            self._container.mux(self._sound_packets.popleft())


def _noise_filter(width: int, height: int) -> av.filter.Graph:
    graph = av.filter.Graph()
    form = av.VideoFormat("yuv420p", width, height)
    source = graph.add_buffer(width=width, height=height, format=form, time_base=_TIME_BASE)
    graph.link_nodes(source, graph.add(*_NOISE_FILTER), graph.add("buffersink")).configure()
    return graph


def _filtered(noise_filter: av.filter.Graph | None, image: av.VideoFrame | None) -> Iterator[av.VideoFrame]:
    """Yield the images that are ready after one more; a filter holds some back until it gets None."""
    if noise_filter is None:
        if image is not None:
            yield image
        return
    noise_filter.push(image)
    with suppress(BlockingIOError, EOFError):
        while True:
            yield cast("av.VideoFrame", noise_filter.pull())


def _mix_sounds(sounds: Sequence[Sound], start_s: float) -> npt.NDArray[np.float32]:
    """Mix all sounds into one track that begins at `start_s`: samples from -1 to 1, `_SOUND_RATE` a second."""
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
    """Convert errors while writing into a `FilmError`."""
    try:
        yield
    except (OSError, av.FFmpegError) as error:
        sentence = Phrase("the film {path} cannot be written: {reason}", path=str(path), reason=reason_of(error))
        raise FilmError(sentence) from error


Progress: TypeAlias = "Callable[[float], object]"
"""Callback for the finished share of a film, 0 to 1; the film waits until it returns."""


def with_progress(frames: Iterable[Frame], begin_s: float, end_s: float, report: Progress) -> Iterator[Frame]:
    """Yield the frames, and report the finished share of the film before each one."""
    for frame in frames:
        report(min(1.0, max(0.0, (frame.time_s - begin_s) / (end_s - begin_s))))
        yield frame
