"""Clip reader: frames with their times, a stretch of them, the one at a moment, the sound.

Times are seconds from the clip's first frame, as the file stamps them, so the frame rate may be any and may change.
What is damaged is left out and the rest is given.
"""

from __future__ import annotations

import io
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import av
import numpy as np
from av.sidedata.sidedata import Type as SideData

from bunnymoose_cv.capture.decoding import decoded, pixels
from bunnymoose_cv.capture.dimensions import check_dimensions
from bunnymoose_cv.capture.frame import Frame, Image, UnreadableError
from bunnymoose_cv.capture.sound import Sound, one_channel
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import open_regular
from bunnymoose_cv.core.room_in_memory import has_room_in_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.container import InputContainer

_OPTIONS: Final = {
    # Containers that hold the film themselves: no playlists or scripts, which could lead out of the house.
    "format_whitelist": "mov,matroska,avi,mpegts,mpeg,asf,flv,ogg",
    "protocol_whitelist": "file",
}
OPENING_S: Final = 15.0
"""Timeout of FFmpeg, for opening a file and for each piece of it."""

_DAMAGES: Final = (av.FFmpegError, IndexError)
"""Errors at which a damaged clip ends; PyAV finds no stream for a packet of one that its header does not name."""

_HALF_A_STAMP_S: Final = 0.0005
"""Containers round their stamps to a millisecond, so times nearer than this are the same."""


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
        first = next(self._read(), None)
        if first is None:
            raise self._unreadable(f"{name} has no frame that can be read: it is damaged or was cut off")
        frame, self._start_s = first
        self._matrix = _display_matrix(frame)
        upright = self._image(frame)
        self.size = (upright.shape[1], upright.shape[0])

    @cached_property
    def duration_s(self) -> float:
        """Until when the last frame is shown, by what the file holds and not by what its header promises."""
        with self._container() as container:
            return self._end_s(container.demux(container.streams.video[0])) - self._start_s

    def missing_s(self) -> float:
        """Seconds that the header promises and the file does not hold, as of a download that ended early."""
        with self._container() as container:
            stream = container.streams.video[0]
            if stream.duration is not None and stream.time_base is not None:
                return max(0.0, float(stream.duration * stream.time_base) - self.duration_s)
            # Matroska, WebM and FLV promise no more than the end of all streams together.
            promised_s = (container.duration or 0) / av.time_base
            return max(0.0, promised_s - self._end_s(container.demux()))

    def __iter__(self) -> Iterator[Frame]:
        """All frames in their order."""
        return self.frames(0.0, float("inf"))

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """The frames whose time lies from `start_s` to `end_s`, both included; none where there are none."""
        for frame, time_s in self._read_around(start_s):
            if time_s > end_s + _HALF_A_STAMP_S:
                return
            if time_s >= start_s - _HALF_A_STAMP_S:
                yield Frame(self._image(frame), time_s)

    def sounds(self) -> Iterator[Sound]:
        """Sound track in pieces, on the clock of the frames; none where the clip is silent."""
        with self._container() as container, suppress(*_DAMAGES):
            if not container.streams.audio:
                return
            mixer = one_channel()
            for packet in container.demux(container.streams.audio[0]):
                for heard in decoded(packet):
                    if heard.time is not None:
                        for piece in mixer.resample(heard):
                            yield Sound(piece.to_ndarray()[0], piece.sample_rate, heard.time - self._start_s)

    def frame_at(self, time_s: float) -> Frame:
        """The frame that is shown at a moment; where the clip is damaged, the nearest one before.

        Raises:
            InputError: the clip has no such moment.
        """
        self.check_time(time_s)
        shown = None
        for frame, start_s in self._read_around(time_s):
            if shown is not None and start_s > time_s + _HALF_A_STAMP_S:
                break
            shown = frame, start_s
        if shown is None:
            raise UnreadableError(f"{self.name} can no longer be read: did somebody move or change it?")
        return Frame(self._image(shown[0]), shown[1])

    def check_time(self, time_s: float) -> None:
        """Make sure that the clip has this moment.

        Raises:
            InputError: it has not; the sentence says how long the clip is.
        """
        if not 0 <= time_s <= self.duration_s + _HALF_A_STAMP_S:
            raise InputError(f"{self.name} has no moment {time_s:g} s: it lasts from 0 to {self.duration_s:.2f} s")

    def _read_around(self, time_s: float) -> Iterator[tuple[av.VideoFrame, float]]:
        """Frames with their time in the clip, from one at or before a moment to the end."""
        frames = self._read(time_s + self._start_s if time_s > 0 else None)
        first = next(frames, None)
        if first is None or first[1] - self._start_s > time_s:
            # A damaged clip's index leads astray; from the beginning the way is sure.
            frames = self._read()
        else:
            yield first[0], first[1] - self._start_s
        for frame, stamp_s in frames:
            yield frame, stamp_s - self._start_s

    def _read(self, seek_s: float | None = None) -> Iterator[tuple[av.VideoFrame, float]]:
        """Whole frames with the file's own time stamps, from the key frame before `seek_s` or from the start.

        The stamps rise from frame to frame: about damaged places decoders mix the order up, and what comes late is
        left out.
        """
        latest_s = float("-inf")
        with self._container() as container, suppress(*_DAMAGES):
            stream = container.streams.video[0]
            if stream.codec_context is None:
                raise UnreadableError(f"{self.name} has pictures of a kind that cannot be decoded: save it as MP4")
            check_dimensions(self.name, stream.codec_context.width or 1, stream.codec_context.height or 1)
            stream.thread_type = "AUTO"
            if seek_s is not None and stream.time_base is not None:
                container.seek(int(seek_s / stream.time_base), stream=stream)
            for packet in container.demux(stream):
                for frame in decoded(packet):
                    if frame.time is not None and frame.time > latest_s and not frame.is_corrupt:
                        latest_s = frame.time
                        yield frame, latest_s

    def _end_s(self, packets: Iterator[av.Packet[Any]]) -> float:
        """Time at which the last of the packets ends, on the file's own clock."""
        end_s = self._start_s
        with suppress(*_DAMAGES):
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
        if not container.streams.video:
            container.close()
            raise UnreadableError(f"{self.name} has no pictures in it, only sound: give a clip that shows the players")
        return container

    def _image(self, frame: av.VideoFrame) -> Image:
        """A decoded frame, upright.

        Raises:
            UnreadableError: its pixels cannot be converted, as those of some damaged clips.
        """
        try:
            return _turn_upright(frame, self._matrix)
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


def _display_matrix(frame: av.VideoFrame) -> tuple[int, ...] | None:
    """Read a clip's display matrix: nine numbers (ISO/IEC 14496-12, tkhd); None where the clip has none.

    A frame that was asked for what lies beside it stays in memory until Python looks for circles, so only the first
    one of a clip is asked.
    """
    beside: Any = frame.side_data  # PyAV's types know of motion vectors only
    stated = beside.get(SideData.DISPLAYMATRIX)
    return None if stated is None else tuple(np.frombuffer(stated, np.int32).tolist())


def _turn_upright(frame: av.VideoFrame, matrix: tuple[int, ...] | None) -> Image:
    """A decoded frame as its clip wants it seen: turned by quarters, mirrored, or both.

    By a matrix a b u c d v x y w what lies at (x, y) is seen at (a x + c y, b x + d y); only the signs of the larger
    ones are looked at. Where a mirror is told of, FFmpeg's own angle says nothing.
    """
    image = pixels(frame)
    if matrix is None:
        return image
    a, b, _, c, d, *_ = matrix
    if abs(b) > abs(a):
        image, right, down = image.transpose(1, 0, 2), c, b
    else:
        right, down = a, d
    return np.ascontiguousarray(image[:: -1 if down < 0 else 1, :: -1 if right < 0 else 1])
