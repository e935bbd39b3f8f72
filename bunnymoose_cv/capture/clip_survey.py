"""Survey of a clip's packets: its end, and places to begin reading if its own time stamps cannot be used for seeking.

Clips that were joined byte by byte (`cat a.ts b.ts`) restart their stamps in the middle. Raw streams have no stamps.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import av

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from av.container import InputContainer

DAMAGES: Final = (av.FFmpegError, IndexError)
"""Errors at which a damaged clip ends. PyAV raises IndexError for a packet of a stream missing from the header."""

RAW_FORMATS: Final = frozenset({"h264", "hevc", "m4v", "mjpeg", "mpegvideo", "mpjpeg", "obu"})
"""Formats that hold only the output of an encoder, or of a network camera, without stamps and without an index."""

_BEGUN_ANYWHERE: Final = frozenset({"h264", "mjpeg"})
"""Codecs that can be decoded from any key frame on without losing a frame before it."""

_USUAL_RATE: Final = 25.0
"""Frame rate that FFmpeg assumes for a stream that does not state it."""

_LEAPING_FORMATS: Final = frozenset({"mpegts", "mpeg"})
"""Broadcast formats, in which stamps may also jump forward without a pause in the picture."""

_BACK_S: Final = 0.2
_ON_S: Final = 10.0
"""Smallest jumps of the stamps, backward and forward, that begin another part."""

_FOLLOWING: Final = 8
"""Number of packets that must agree before a jump counts as the beginning of a part."""


class KeyFrame(NamedTuple):
    """A key frame, by the number of its packet in the file.

    Attributes:
        time_s: time on the clock of the whole clip.
        offset_s: seconds to add to the stamps of its part.
    """

    packet: int
    time_s: float
    offset_s: float


class Survey(NamedTuple):
    """Survey of one track.

    Attributes:
        end_s: end of the last packet, on the clock of the whole clip.
        parts: number of the first packet of each further part → seconds to add to its stamps.
        keys: key frames to begin at; empty if the container can seek.
        end_byte: offset in the file just after the last packet.
    """

    end_s: float
    parts: dict[int, float]
    keys: Sequence[KeyFrame]
    end_byte: int

    def key_before(self, time_s: float) -> KeyFrame | None:
        """Return the last key frame at or before a time, or None if the container can seek."""
        earlier = [key for key in self.keys if key.time_s <= time_s]
        return earlier[-1] if earlier else next(iter(self.keys), None)


class _Stamps(NamedTuple):
    """Stamps of a packet in seconds: decoding time (None if it is not stated), start and end of display."""

    decoded_s: float | None
    shown_s: float
    end_s: float
    is_key: bool


def raw_rate(container: InputContainer, track: av.VideoStream) -> float | None:
    """Return the frame rate of a stream without stamps, or None for all others."""
    return float(track.guessed_rate or _USUAL_RATE) if container.format.name in RAW_FORMATS else None


def take_survey(container: InputContainer, track: av.VideoStream, start_s: float) -> Survey:
    """Examine all packets of a track without decoding any. `start_s` is the time of the first frame."""
    format_name, rate, end_byte = container.format.name, raw_rate(container, track), 0
    stamps: list[_Stamps | None] = []
    with suppress(*DAMAGES):
        for number, packet in enumerate(container.demux(track)):
            stamps.append(_stamps_of(packet) if rate is None else _counted(number, rate, packet))
            end_byte = max(end_byte, (packet.pos or 0) + packet.size)
    leaps = format_name in _LEAPING_FORMATS
    joints = set(find_joints([None if stamp is None else stamp.decoded_s for stamp in stamps], leaps=leaps))
    end_s, shown_s, offset_s, step_s = start_s, start_s, 0.0, 1 / float(track.guessed_rate or _USUAL_RATE)
    parts: dict[int, float] = {}
    keys: list[KeyFrame] = []
    for number, stamp in enumerate(stamps):
        if stamp is None:
            continue
        if number in joints:
            offset_s = parts[number] = max(end_s, shown_s + step_s) - stamp.shown_s
        shown_s = stamp.shown_s + offset_s
        end_s = max(end_s, stamp.end_s + offset_s)
        may_begin = number == 0 or (stamp.is_key and (joints or format_name in _BEGUN_ANYWHERE))
        if may_begin and (joints or rate is not None):
            keys.append(KeyFrame(number, shown_s, offset_s))
    return Survey(end_s, parts, keys, end_byte)


def _stamps_of(packet: av.Packet[Any]) -> _Stamps | None:
    shown = packet.dts if packet.pts is None else packet.pts
    if shown is None or packet.time_base is None:
        return None
    tick_s = float(packet.time_base)
    decoded_s, shown_s = None if packet.dts is None else packet.dts * tick_s, shown * tick_s
    return _Stamps(decoded_s, shown_s, shown_s + (packet.duration or 0) * tick_s, packet.is_keyframe)


def _counted(number: int, rate: float, packet: av.Packet[Any]) -> _Stamps | None:
    """Return the stamps of a raw stream's packet, or None for the empty one at its end."""
    if not packet.size:
        return None
    return _Stamps(number / rate, number / rate, (number + 1) / rate, packet.is_keyframe)


def find_joints(decoded_s: Sequence[float | None], *, leaps: bool) -> Iterator[int]:
    """Find the packets at which the stamps of joined clips restart, or also jump forward (`leaps`).

    Decoding times rise within a part. A few that are out of line are damage, or frames displayed in another order.
    """
    stamped = [(number, time_s) for number, time_s in enumerate(decoded_s) if time_s is not None]
    before_s = stamped[0][1] if stamped else 0.0
    for index, (number, time_s) in enumerate(stamped):
        goes_back, goes_on = time_s < before_s - _BACK_S, leaps and time_s > before_s + _ON_S
        if goes_back or goes_on:
            following_s = [later_s for _, later_s in stamped[index + 1 : index + 1 + _FOLLOWING]]
            low_s, high_s = (-math.inf, before_s) if goes_back else (before_s + _ON_S, math.inf)
            if len(following_s) < _FOLLOWING or not all(low_s < later_s < high_s for later_s in following_s):
                continue
            yield number
        before_s = time_s
