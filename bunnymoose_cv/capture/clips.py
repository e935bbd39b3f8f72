"""Clip reader: frames with their times, a stretch of them, the frame at a moment, and the sound.

Times are seconds from the clip's first frame, by the stamps in the file. Any frame rate works, and rate, size, shape
and rotation may change within a clip. The parts of joined clips follow each other. Damaged places are skipped.
"""

from __future__ import annotations

import io
import re
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import count
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import av

from bunnymoose_cv.capture.clip_survey import DAMAGES, RAW_FORMATS, Survey, find_joints, raw_rate, take_survey
from bunnymoose_cv.capture.decoding import (
    Geometry,
    Matrix,
    TrackGeometry,
    decoded,
    drained,
    picture_track,
    seen_size,
    upright_image,
)
from bunnymoose_cv.capture.frame import Frame, UnreadableError
from bunnymoose_cv.capture.image_geometry import check_dimensions
from bunnymoose_cv.capture.sound import Sound, one_channel
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.exhaustion import has_room_in_memory
from bunnymoose_cv.core.input_file import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.container import InputContainer

_FORMATS: Final = frozenset({"mov", "matroska", "avi", "mpegts", "mpeg", "asf", "flv", "ogg", "ivf"}) | RAW_FORMATS
"""Formats that hold the film themselves; playlists and scripts could open other files or addresses."""

_JPEGS: Final = "mjpeg"
_JPEG: Final = b"\xff\xd8"
"""Beginning of a film of JPEGs. FFmpeg also finds the images in documents and archives, which are not films."""

OPENING_S: Final = 15.0
"""Timeout of FFmpeg for opening a file, and for each piece of it."""

_HALF_A_STAMP_S: Final = 0.0005
"""Containers round their stamps to a millisecond, so times closer than this are equal."""

_BEGINNINGS: Final = {
    "mov": re.compile(rb"\0\0\0[\x10-\xff]ftyp"),
    "matroska": re.compile(rb"\x1a\x45\xdf\xa3.{1,64}(webm|matroska)", re.DOTALL),
    "avi": re.compile(rb"RIFF.{4}AVI LIST", re.DOTALL),
    "mpegts": re.compile(rb"(?:G.{187}){6}", re.DOTALL),
    "flv": re.compile(rb"FLV\x01[\x01\x04\x05]\0\0\0\x09"),
    "asf": re.compile(re.escape(bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c"))),
}
"""Beginning of a further clip behind the one that FFmpeg reads (of Matroska, two)."""

_READ_ON: Final = frozenset({"avi", "mpegts"})
"""Containers of which FFmpeg reads all joined clips."""

_TAIL: Final = 64_000_000
"""Number of bytes after the last packet that are searched for a further clip."""


class _Decoded(NamedTuple):
    frame: av.VideoFrame
    time_s: float
    geometry: Geometry


class Clip:
    """A clip that can be read again and again, from any place.

    Every reading opens the file again, so that readings do not disturb each other and nothing has to be closed.

    Attributes:
        size: width and height in pixels, upright.
    """

    def __init__(self, source: Path | bytes, name: str) -> None:
        """Read the first frame.

        Raises:
            UnreadableError: it is missing, may not be read, is not a clip, or has no frame that can be read.
        """
        self.name = name
        self._source = source
        self._matrices: dict[int, Matrix] = {}
        self._start_s = 0.0
        first = next(self._read(None), None)
        if first is None:
            raise self._unreadable(f"{name} has no frame that can be read: it is damaged or was cut off")
        self._start_s = first.time_s
        self.size = self._image(first).size

    @cached_property
    def duration_s(self) -> float:
        """Return the end of the last frame, by the packets in the file and not by its header."""
        return self._survey.end_s - self._start_s

    def missing_s(self) -> float:
        """Return how many seconds the header announces but the file lacks, such as after an aborted download."""
        with self._opened() as (container, track):
            if raw_rate(container, track) is not None:
                return 0.0  # announces nothing
            if track.duration is not None and track.time_base is not None:
                return max(0.0, float(track.duration * track.time_base) - self.duration_s)
            # Matroska, WebM and FLV announce no more than the end of all streams together.
            promised_s = (container.duration or 0) / av.time_base
            return max(0.0, promised_s - self._end_s(container.demux()))

    def hides_another(self) -> bool:
        """Return whether the file holds another clip after this one, which FFmpeg does not reach."""
        with self._opened() as (container, _):
            read_on = {container.format.name.partition(",")[0]} & _READ_ON
        behind = self._bytes_from(self._survey.end_byte, _TAIL)
        return any(beginning.search(behind) for name, beginning in _BEGINNINGS.items() if name not in read_on)

    def _bytes_from(self, start: int, count: int) -> bytes:
        if isinstance(self._source, bytes):
            return self._source[start : start + count]
        with open_regular(self._source) as file:
            file.seek(start)
            return file.read(count)

    def __iter__(self) -> Iterator[Frame]:
        """Yield all frames in order."""
        return self.frames(0.0, inf)

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """Yield the frames with times from `start_s` to `end_s`, both included."""
        for frame in self._read_around(start_s):
            if frame.time_s > end_s + _HALF_A_STAMP_S:
                return
            if frame.time_s >= start_s - _HALF_A_STAMP_S:
                yield self._image(frame)

    def sounds(self) -> Iterator[Sound]:
        """Yield the sound track in pieces, on the clock of the frames; nothing if the clip is silent."""
        offsets_s = self._offsets_of_sound()
        with self._opened() as (container, _), suppress(*DAMAGES):
            if not container.streams.audio:
                return
            mixer, offset_s = one_channel(), -self._start_s
            for number, packet in enumerate(container.demux(container.streams.audio[0])):
                offset_s = offsets_s.get(number, offset_s)
                for heard in decoded(packet):
                    if heard.time is not None:
                        for piece in mixer.resample(heard):
                            yield Sound(piece.to_ndarray()[0], piece.sample_rate, heard.time + offset_s)

    def _offsets_of_sound(self) -> dict[int, float]:
        """Map the first sound packet of each further part, by number, to the seconds to add to its stamps."""
        if not self._survey.parts:
            return {}
        stamps_s: list[float | None] = []
        with self._opened() as (container, _), suppress(*DAMAGES):
            for packet in container.demux(container.streams.audio[0]):
                ticks, tick_s = packet.dts, packet.time_base
                stamps_s.append(None if ticks is None or tick_s is None else float(ticks * tick_s))
        offsets_s = (offset_s - self._start_s for offset_s in self._survey.parts.values())
        return dict(zip(find_joints(stamps_s, leaps=False), offsets_s, strict=False))

    def frame_at(self, time_s: float) -> Frame:
        """Return the frame displayed at a moment; in a damaged place, the nearest one before.

        Raises:
            InputError: the clip has no such moment.
        """
        self.check_time(time_s)
        shown = None
        for frame in self._read_around(time_s):
            if shown is not None and frame.time_s > time_s + _HALF_A_STAMP_S:
                break
            shown = frame
        if shown is None:
            raise UnreadableError(f"{self.name} can no longer be read: did somebody move or change it?")
        return self._image(shown)

    def check_time(self, time_s: float) -> None:
        """Raise an `InputError` that says how long the clip is if it has no such moment."""
        if not 0 <= time_s <= self.duration_s + _HALF_A_STAMP_S:
            raise InputError(f"{self.name} has no moment {time_s:g} s: it lasts from 0 to {self.duration_s:.2f} s")

    @cached_property
    def _survey(self) -> Survey:
        with self._opened() as (container, track):
            return take_survey(container, track, self._start_s)

    def _read_around(self, time_s: float) -> Iterator[_Decoded]:
        """Yield frames with their time in the clip, from one at or before a moment to the end."""
        frames = self._read(self._survey, time_s + self._start_s if time_s > 0 else None)
        first = next(frames, None)
        if first is None or first.time_s > time_s:
            # The index of a damaged clip may mislead; reading from the beginning is safe.
            yield from self._read(self._survey)
        else:
            yield first
            yield from frames

    def _read(self, survey: Survey | None, seek_s: float | None = None) -> Iterator[_Decoded]:
        """Yield whole frames, from the key frame before `seek_s` in the file's own time stamps or from the start.

        Their stamps rise. Around damaged places decoders mix up the order, and frames that come too late are left out.
        Only the first frame may be read without the survey.
        """
        latest_s = -inf
        with self._opened() as (container, track), suppress(*DAMAGES):
            if track.codec_context is None:
                raise UnreadableError(f"{self.name} has pictures of a kind that cannot be decoded: save it as MP4")
            geometry, coded = TrackGeometry(track, self._matrices), track.codec_context
            check_dimensions(self.name, *seen_size(coded.width, coded.height, geometry.aspect))
            track.thread_type = "AUTO"
            for frame, stamp_s in _decode(container, track, survey, seek_s):
                shape = geometry.of(frame)
                if stamp_s is not None and stamp_s > latest_s and not frame.is_corrupt:
                    latest_s = stamp_s
                    yield _Decoded(frame, stamp_s - self._start_s, shape)

    def _end_s(self, packets: Iterator[av.Packet[Any]]) -> float:
        """Return the end of the last packet, on the file's own clock."""
        end_s = self._start_s
        with suppress(*DAMAGES):
            for packet in packets:
                stamp = packet.dts if packet.pts is None else packet.pts
                if stamp is not None and packet.time_base is not None:
                    end_s = max(end_s, float((stamp + (packet.duration or 0)) * packet.time_base))
        return end_s

    @contextmanager
    def _opened(self) -> Iterator[tuple[InputContainer, av.VideoStream]]:
        """Open the file and its track of pictures. Raise an `UnreadableError` if that fails."""
        try:
            container = self._open_container()
        except MemoryError as error:
            raise self._without_memory() from error
        except av.FFmpegError as error:
            raise self._unreadable(
                f"{self.name} is no picture and no clip that can be read: "
                "it is something else, or damaged, or was not written to its end"
            ) from error
        except OSError as error:
            raise UnreadableError.of_file(self.name, error) from error
        with container:
            track = picture_track(container)
            if track is None:
                sentence = f"{self.name} has no pictures in it, only sound: give a clip that shows the players"
                raise UnreadableError(sentence)
            yield container, track

    def _image(self, shown: _Decoded) -> Frame:
        """Convert a decoded frame to an upright image. Raise an `UnreadableError` for damaged pixels."""
        try:
            return Frame(upright_image(shown.frame, shown.geometry), shown.time_s)
        except MemoryError as error:
            raise self._without_memory() from error
        except (av.FFmpegError, ValueError) as error:
            raise self._unreadable(
                f"{self.name} has pictures of a kind that cannot be shown: save it as MP4"
            ) from error

    def _unreadable(self, sentence: str) -> UnreadableError:
        """Make the error for a clip that cannot be read; FFmpeg reports exhausted memory in many ways."""
        return UnreadableError(sentence) if has_room_in_memory() else self._without_memory()

    def _without_memory(self) -> UnreadableError:
        """Make the error for exhausted memory, which FFmpeg also reports for damaged files."""
        return UnreadableError(
            f"{self.name} needs more memory than there is: close other programs, or save it again if it is damaged"
        )

    def _open_container(self) -> InputContainer:
        """Open a regular file, or the bytes of one. FFmpeg itself would wait for the other end of a pipe."""
        formats = {_JPEGS} if self._bytes_from(0, len(_JPEG)) == _JPEG else _FORMATS - {_JPEGS}
        return av.open(
            str(self._source.absolute()) if isinstance(self._source, Path) else io.BytesIO(self._source),
            mode="r",
            format=_JPEGS if _JPEGS in formats else None,
            options={"format_whitelist": ",".join(sorted(formats)), "protocol_whitelist": "file"},
            metadata_errors="replace",
            timeout=OPENING_S,
        )


def _decode(
    container: InputContainer, track: av.VideoStream, survey: Survey | None, seek_s: float | None
) -> Iterator[tuple[av.VideoFrame, float | None]]:
    """Yield the frames of a track with their stamps in seconds, from the key frame before a time or from the start.

    A part of joined clips begins when all frames of the part before it have come.
    """
    key, parts = None, dict[int, float]()
    if survey is not None:
        key, parts = survey.key_before(-inf if seek_s is None else seek_s), survey.parts
    first, offset_s = (0, 0.0) if key is None else (key.packet, key.offset_s)
    if seek_s is not None and key is None and track.time_base is not None:
        if track.codec_context.name == "mjpeg":  # it takes a first image that is lower than announced for a field
            decoded(next(container.demux(track)))
        container.seek(int(seek_s / track.time_base), stream=track)
    rate = raw_rate(container, track)
    numbers = count(first)

    def stamped(frame: av.VideoFrame) -> tuple[av.VideoFrame, float | None]:
        if rate is not None:
            return frame, next(numbers) / rate
        return frame, None if frame.time is None else frame.time + offset_s

    for number, packet in enumerate(container.demux(track)):
        if number in parts and number > first:
            yield from map(stamped, drained(track))
        offset_s = parts.get(number, offset_s) if number > first else offset_s
        if number >= first:
            yield from map(stamped, decoded(packet))
