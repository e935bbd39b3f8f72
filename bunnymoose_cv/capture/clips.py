"""Clip reader: frames with their times, a stretch of them, the one at a moment, the sound.

Times are seconds from the clip's first frame, as the file stamps them, so the frame rate may be any and may change. So
may size, shape and rotation. Clips that were joined follow each other. What is damaged is left out, the rest is given.
"""

from __future__ import annotations

import io
import re
from contextlib import suppress
from functools import cached_property
from itertools import count
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import av

from bunnymoose_cv.capture.clip_survey import DAMAGES, RAW_FORMATS, Survey, find_joints, raw_rate, take_survey
from bunnymoose_cv.capture.decoding import decoded, drained
from bunnymoose_cv.capture.dimensions import check_dimensions
from bunnymoose_cv.capture.frame import Frame, Image, UnreadableError
from bunnymoose_cv.capture.frame_geometry import (
    Geometry,
    Matrix,
    TrackGeometry,
    picture_track,
    seen_size,
    upright_image,
)
from bunnymoose_cv.capture.sound import Sound, one_channel
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import open_regular
from bunnymoose_cv.core.room_in_memory import has_room_in_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.container import InputContainer

_OPTIONS: Final = {
    # Containers that hold the film themselves: no playlists or scripts, which could lead out of the house.
    "format_whitelist": ",".join(("mov,matroska,avi,mpegts,mpeg,asf,flv,ogg,ivf", *sorted(RAW_FORMATS))),
    "protocol_whitelist": "file",
}
OPENING_S: Final = 15.0
"""Timeout of FFmpeg, for opening a file and for each piece of it."""

_HALF_A_STAMP_S: Final = 0.0005
"""Containers round their stamps to a millisecond, so times nearer than this are the same."""

_BEGINNINGS: Final = {
    "mov": re.compile(rb"\0\0\0[\x10-\xff]ftyp"),
    "matroska": re.compile(rb"\x1a\x45\xdf\xa3.{1,64}(webm|matroska)", re.DOTALL),
    "flv": re.compile(rb"FLV\x01[\x01\x04\x05]\0\0\0\x09"),
    "asf": re.compile(re.escape(bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c"))),
}
"""Beginning of a further clip in containers of which FFmpeg reads the first, or of Matroska two."""

_TAIL: Final = 64_000_000
"""Length of what is searched for one behind the last packet, in bytes."""


class _Decoded(NamedTuple):
    """A decoded frame, the time at which it is shown, and its geometry."""

    frame: av.VideoFrame
    time_s: float
    geometry: Geometry


class Clip:
    """A clip that can be read again and again, from any place.

    Every reading opens the file anew, so that one never disturbs another and nothing has to be closed.

    Attributes:
        size: width and height in pixels, upright.
    """

    def __init__(self, source: Path | bytes, name: str) -> None:
        """Look at the first frame.

        Args:
            source: the file, or all its bytes.

        Raises:
            UnreadableError: it is missing, may not be read, is no clip, or has no frame that can be read.
        """
        self.name = name
        self._source = source
        self._matrices: dict[int, Matrix] = {}
        first = next(self._read(None), None)
        if first is None:
            raise self._unreadable(f"{name} has no frame that can be read: it is damaged or was cut off")
        self._start_s = first.time_s
        upright = self._image(first)
        self.size = (upright.shape[1], upright.shape[0])

    @cached_property
    def duration_s(self) -> float:
        """Until when the last frame is shown, by what the file holds and not by what its header promises."""
        return self._survey.end_s - self._start_s

    def missing_s(self) -> float:
        """Seconds that the header promises and the file does not hold, as of a download that ended early."""
        with self._container() as container:
            stream = self._track(container)
            if raw_rate(container, stream) is not None:
                return 0.0  # promises nothing
            if stream.duration is not None and stream.time_base is not None:
                return max(0.0, float(stream.duration * stream.time_base) - self.duration_s)
            # Matroska, WebM and FLV promise no more than the end of all streams together.
            promised_s = (container.duration or 0) / av.time_base
            return max(0.0, promised_s - self._end_s(container.demux()))

    def hides_another(self) -> bool:
        """Return whether another clip lies behind this one in the file, which FFmpeg does not reach."""
        with self._container() as container:
            beginning = _BEGINNINGS.get(container.format.name.partition(",")[0])
        return beginning is not None and beginning.search(self._bytes_from(self._survey.end_byte)) is not None

    def _bytes_from(self, start: int) -> bytes:
        if isinstance(self._source, bytes):
            return self._source[start : start + _TAIL]
        with open_regular(self._source) as file:
            file.seek(start)
            return file.read(_TAIL)

    def __iter__(self) -> Iterator[Frame]:
        """All frames in their order."""
        return self.frames(0.0, float("inf"))

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """The frames whose time lies from `start_s` to `end_s`, both included; none where there are none."""
        for each in self._read_around(start_s):
            if each.time_s > end_s + _HALF_A_STAMP_S:
                return
            if each.time_s >= start_s - _HALF_A_STAMP_S:
                yield Frame(self._image(each), each.time_s)

    def sounds(self) -> Iterator[Sound]:
        """Sound track in pieces, on the clock of the frames; none where the clip is silent."""
        offsets_s = self._offsets_of_sound()
        with self._container() as container, suppress(*DAMAGES):
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
        """Number of the first packet of sound in each further part of a joined clip → seconds to add to its stamps."""
        if not self._survey.parts:
            return {}
        stamps_s: list[float | None] = []
        with self._container() as container, suppress(*DAMAGES):
            for packet in container.demux(container.streams.audio[0]):
                ticks, tick_s = packet.dts, packet.time_base
                stamps_s.append(None if ticks is None or tick_s is None else float(ticks * tick_s))
        offsets_s = (offset_s - self._start_s for offset_s in self._survey.parts.values())
        return dict(zip(find_joints(stamps_s, leaps=False), offsets_s, strict=False))

    def frame_at(self, time_s: float) -> Frame:
        """The frame that is shown at a moment; where the clip is damaged, the nearest one before.

        Raises:
            InputError: the clip has no such moment.
        """
        self.check_time(time_s)
        shown = None
        for each in self._read_around(time_s):
            if shown is not None and each.time_s > time_s + _HALF_A_STAMP_S:
                break
            shown = each
        if shown is None:
            raise UnreadableError(f"{self.name} can no longer be read: did somebody move or change it?")
        return Frame(self._image(shown), shown.time_s)

    def check_time(self, time_s: float) -> None:
        """Make sure that the clip has this moment.

        Raises:
            InputError: it has not; the sentence says how long the clip is.
        """
        if not 0 <= time_s <= self.duration_s + _HALF_A_STAMP_S:
            raise InputError(f"{self.name} has no moment {time_s:g} s: it lasts from 0 to {self.duration_s:.2f} s")

    @cached_property
    def _survey(self) -> Survey:
        with self._container() as container:
            return take_survey(container, self._track(container), self._start_s)

    def _read_around(self, time_s: float) -> Iterator[_Decoded]:
        """Frames with their time in the clip, from one at or before a moment to the end."""
        frames = self._read(self._survey, time_s + self._start_s if time_s > 0 else None)
        first = next(frames, None)
        if first is None or first.time_s - self._start_s > time_s:
            # A damaged clip's index leads astray; from the beginning the way is sure.
            frames = self._read(self._survey)
        else:
            yield first._replace(time_s=first.time_s - self._start_s)
        for each in frames:
            yield each._replace(time_s=each.time_s - self._start_s)

    def _read(self, survey: Survey | None, seek_s: float | None = None) -> Iterator[_Decoded]:
        """Whole frames with the file's own time stamps, from the key frame before `seek_s` or from the start.

        The stamps rise from frame to frame: about damaged places decoders mix the order up, and what comes late is
        left out.

        Args:
            survey: None for the first frame alone.
        """
        latest_s = float("-inf")
        with self._container() as container, suppress(*DAMAGES):
            track = self._track(container)
            if track.codec_context is None:
                raise UnreadableError(f"{self.name} has pictures of a kind that cannot be decoded: save it as MP4")
            geometry, coded = TrackGeometry(track, self._matrices), track.codec_context
            check_dimensions(self.name, *seen_size(coded.width, coded.height, geometry.aspect))
            track.thread_type = "AUTO"
            for frame, stamp_s in _decode(container, track, survey, seek_s):
                shape = geometry.of(frame)
                if stamp_s is not None and stamp_s > latest_s and not frame.is_corrupt:
                    latest_s = stamp_s
                    yield _Decoded(frame, latest_s, shape)

    def _end_s(self, packets: Iterator[av.Packet[Any]]) -> float:
        """Time at which the last of the packets ends, on the file's own clock."""
        end_s = self._start_s
        with suppress(*DAMAGES):
            for packet in packets:
                stamp = packet.dts if packet.pts is None else packet.pts
                if stamp is not None and packet.time_base is not None:
                    end_s = max(end_s, float((stamp + (packet.duration or 0)) * packet.time_base))
        return end_s

    def _container(self) -> InputContainer:
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
        if picture_track(container) is None:
            container.close()
            raise UnreadableError(f"{self.name} has no pictures in it, only sound: give a clip that shows the players")
        return container

    def _track(self, container: InputContainer) -> av.VideoStream:
        track = picture_track(container)
        if track is None:
            raise UnreadableError(f"{self.name} can no longer be read: did somebody move or change it?")
        return track

    def _image(self, shown: _Decoded) -> Image:
        """A decoded frame, upright.

        Raises:
            UnreadableError: its pixels cannot be converted, as those of some damaged clips.
        """
        try:
            return upright_image(shown.frame, shown.geometry)
        except MemoryError as error:
            raise self._without_memory() from error
        except (av.FFmpegError, ValueError) as error:
            raise self._unreadable(
                f"{self.name} has pictures of a kind that cannot be shown: save it as MP4"
            ) from error

    def _unreadable(self, sentence: str) -> UnreadableError:
        """The sentence for a clip that cannot be read; FFmpeg names exhausted memory in many ways."""
        return UnreadableError(sentence) if has_room_in_memory() else self._without_memory()

    def _without_memory(self) -> UnreadableError:
        """The sentence for a file that asks for too much, as FFmpeg also says of damaged ones."""
        return UnreadableError(
            f"{self.name} needs more memory than there is: close other programs, or save it again if it is damaged"
        )

    def _open_container(self) -> InputContainer:
        """Open a regular file, or the bytes of one; FFmpeg itself would wait for a pipe's other end."""
        if isinstance(self._source, Path):
            open_regular(self._source).close()
            source = str(self._source.absolute())
            return av.open(source, mode="r", options=_OPTIONS, metadata_errors="replace", timeout=OPENING_S)
        return av.open(io.BytesIO(self._source), mode="r", options=_OPTIONS, metadata_errors="replace")


def _decode(
    container: InputContainer, track: av.VideoStream, survey: Survey | None, seek_s: float | None
) -> Iterator[tuple[av.VideoFrame, float | None]]:
    """Yield the frames of a track with their stamps in seconds, from the key frame before a time or from the start.

    Of joined clips a part begins when all frames of the part before have come.
    """
    key = None if survey is None else survey.key_before(-inf if seek_s is None else seek_s)
    parts = {} if survey is None else survey.parts
    first, offset_s = (0, 0.0) if key is None else (key.packet, key.offset_s)
    if seek_s is not None and key is None and track.time_base is not None:
        if track.codec_context.name == "mjpeg":  # which takes a first image that is lower than announced for a field
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
