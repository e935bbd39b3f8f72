"""Survey of a clip's packets: where it ends, and where a reader may begin if its own stamps lead nowhere.

Clips that were joined byte by byte (`cat a.ts b.ts`) begin their stamps again in the middle; raw streams have none.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import av

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from av.container import InputContainer

DAMAGES: Final = (av.FFmpegError, IndexError)
"""Errors at which a damaged clip ends; PyAV finds no stream for a packet of one that its header does not name."""

RAW_FORMATS: Final = frozenset({"h264", "hevc", "m4v", "mjpeg", "mpegvideo", "obu"})
"""Formats that are nothing but what an encoder gives: no stamps, no index."""

_BEGUN_ANYWHERE: Final = frozenset({"h264", "mjpeg"})
"""Codecs in which no frame before a key frame is missing if it is decoded first."""

_USUAL_RATE: Final = 25.0
"""Frame rate of a stream that does not state it, as FFmpeg takes it."""

_LEAPING_FORMATS: Final = frozenset({"mpegts", "mpeg"})
"""Formats of broadcasts, in which stamps may also leap on without a pause in what is seen."""

_BACK_S: Final = 0.2
_ON_S: Final = 10.0
"""Smallest leaps of the stamps, back and on, with which another part begins."""

_FOLLOWING: Final = 8
"""Number of packets that have to follow where a part is believed to begin."""


@dataclass(frozen=True, slots=True)
class KeyFrame:
    """A key frame, by the number of its packet in the file.

    Attributes:
        time_s: on the clock of the whole clip.
        offset_s: seconds to add to the stamps of its part.
    """

    packet: int
    time_s: float
    offset_s: float


@dataclass(frozen=True, slots=True)
class Survey:
    """Survey of one track.

    Attributes:
        end_s: when the last packet ends, on the clock of the whole clip.
        parts: number of the first packet of each further part → seconds to add to its stamps.
        keys: key frames to begin at; empty if the container finds a time by itself.
        end_byte: how far into the file the packets lie.
    """

    end_s: float
    parts: dict[int, float]
    keys: tuple[KeyFrame, ...]
    end_byte: int

    def key_before(self, time_s: float) -> KeyFrame | None:
        """Return the last key frame at or before a time; None if the container finds it by itself."""
        earlier = [key for key in self.keys if key.time_s <= time_s]
        return earlier[-1] if earlier else next(iter(self.keys), None)


class _Stamps(NamedTuple):
    """Stamps of a packet in seconds: when it is decoded, shown and over; the first is None if it is not said."""

    decoded_s: float | None
    shown_s: float
    end_s: float
    is_key: bool


def raw_rate(container: InputContainer, track: av.VideoStream) -> float | None:
    """Return the frame rate of a stream without stamps; None for all others."""
    return float(track.guessed_rate or _USUAL_RATE) if container.format.name in RAW_FORMATS else None


def take_survey(container: InputContainer, track: av.VideoStream, start_s: float) -> Survey:
    """Examine all packets of a track without decoding any.

    Args:
        start_s: time of the first frame, at which a track without packets ends.
    """
    format_name, rate, end_byte = container.format.name, raw_rate(container, track), 0
    stamps: list[_Stamps | None] = []
    with suppress(*DAMAGES):
        for number, packet in enumerate(container.demux(track)):
            stamps.append(_stamps_of(packet) if rate is None else _counted(number, rate, packet))
            end_byte = max(end_byte, (packet.pos or 0) + packet.size)
    leaps = format_name in _LEAPING_FORMATS
    joints = set(find_joints([None if each is None else each.decoded_s for each in stamps], leaps=leaps))
    end_s, shown_s, offset_s, step_s = start_s, start_s, 0.0, 1 / float(track.guessed_rate or _USUAL_RATE)
    parts: dict[int, float] = {}
    keys: list[KeyFrame] = []
    for number, each in enumerate(stamps):
        if each is None:
            continue
        if number in joints:
            offset_s = parts[number] = max(end_s, shown_s + step_s) - each.shown_s
        shown_s = each.shown_s + offset_s
        end_s = max(end_s, each.end_s + offset_s)
        may_begin = number == 0 or (each.is_key and (joints or format_name in _BEGUN_ANYWHERE))
        if may_begin and (joints or rate is not None):
            keys.append(KeyFrame(number, each.shown_s + offset_s, offset_s))
    return Survey(end_s, parts, tuple(keys), end_byte)


def _stamps_of(packet: av.Packet[Any]) -> _Stamps | None:
    shown = packet.dts if packet.pts is None else packet.pts
    if shown is None or packet.time_base is None:
        return None
    tick_s = float(packet.time_base)
    decoded_s = None if packet.dts is None else packet.dts * tick_s
    lasting_s = (packet.duration or 0) * tick_s
    return _Stamps(decoded_s, shown * tick_s, shown * tick_s + lasting_s, packet.is_keyframe)


def _counted(number: int, rate: float, packet: av.Packet[Any]) -> _Stamps | None:
    """Stamps of a packet of a raw stream; None for the empty one at its end."""
    if not packet.size:
        return None
    return _Stamps(number / rate, number / rate, (number + 1) / rate, packet.is_keyframe)


def find_joints(decoded_s: Sequence[float | None], *, leaps: bool) -> Iterator[int]:
    """Find the packets with which the stamps of joined clips begin again.

    A few stamps that are out of line are damage, or frames that are shown in another order.

    Args:
        decoded_s: time of each packet, which rises within a part; None if it is not said.
        leaps: whether a leap on begins another part, too.
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
