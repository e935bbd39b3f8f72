"""Cameras and network streams as sources, and their opening: every frame is stamped with its arrival time.

JPEGs of a camera or a stream are passed on undecoded, which costs nearly nothing. Other formats are decoded at once.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from base64 import b64encode
from codecs import BOM_UTF8
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPException
from math import inf
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote
from urllib.request import Request, urlopen

import av

from bunnymoose_cv.capture.camera_list import CameraMode
from bunnymoose_cv.capture.decoding import TrackGeometry, decoded, picture_track, upright_image
from bunnymoose_cv.capture.frame import Frame, SourceLostError, UnreadableError
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.live_source import LiveSource, Taken
from bunnymoose_cv.capture.sound import Sound, one_channel
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from av.container import InputContainer
    from av.stream import Stream

    from bunnymoose_cv.capture.camera_list import CameraFound
    from bunnymoose_cv.capture.image_geometry import View
    from bunnymoose_cv.core.address import Address
    from bunnymoose_cv.core.user_settings import CameraSettings


_BACK_S: Final = 1.0
"""Largest step backward of the stamps; a larger one restarts the clock."""

_DRIFT: Final = 0.001
"""Largest drift of a sender's clock. More than any real one, yet a stall of some seconds moves the sound by little."""


class SoundClock:
    """Offset between the sender's stamps and our clock. The result stays even when the network stalls."""

    def __init__(self) -> None:
        self._offset_s = inf
        self._expected_s = -inf

    def start_s(self, stamped_s: float | None, lasting_s: float, arrival_s: float) -> float:
        """Return the time of a piece's first sample. The least delayed piece gives the offset of the clocks."""
        if stamped_s is None:
            return arrival_s - lasting_s
        if stamped_s < self._expected_s - _BACK_S:
            self._offset_s = inf
        self._expected_s = stamped_s + lasting_s
        self._offset_s = min(self._offset_s + _DRIFT * lasting_s, arrival_s - self._expected_s)
        return stamped_s + self._offset_s


OPENING_S: Final = 10.0
"""Timeout of opening in seconds; cameras may take seconds to wake."""

_DEVICES: Final = {"linux": "v4l2", "darwin": "avfoundation", "win32": "dshow"}
_ROOM: Final = {"win32": {"rtbufsize": "64M"}}
"""Size of the driver's buffer on Windows, whose default of 3 MB is less than one raw image at 1080p."""

_JPEG_WISHES: Final = {"linux": {"input_format": "mjpeg"}, "win32": {"vcodec": "mjpeg"}}
"""Options that request a camera's own JPEGs, the only way to 1080p at 30 frames a second over most cables."""

_STAMPING: Final = "video4linux2"
"""Input format for which Linux stamps frames on the monotonic clock, with most drivers."""

_SLOWEST_PER_S: Final = 10.0
"""Lowest useful frame rate. Below it a smaller image is better, since hands must be seen to stop."""

_WHOLE_IMAGES: Final = {"mjpeg", "rawvideo"}
"""Codecs in which the noise of a sensor makes every image different. The others leave out small changes."""

_FAR_OFF_S: Final = 5.0
"""Largest distance of a stamp from now; one farther away belongs to another clock."""


class StreamSource(LiveSource):
    """An open camera or stream."""

    live = True

    def __init__(self, container: InputContainer, title: str, again: str, view: View) -> None:
        """Take over an open container, or raise an `UnreadableError` if it has no images."""
        self.title, self.again = title, again
        self._container, self._view = container, view
        self._stamps = container.format.name.startswith(_STAMPING)
        track = picture_track(container)
        if track is None or track.codec_context is None:
            container.close()
            raise UnreadableError(Phrase("{camera} sends no pictures, only sound: choose another one", camera=title))
        track.thread_type = "SLICE"  # threads that decode a frame each hold frames back
        self.size = view.size_of(track.codec_context.width, track.codec_context.height)
        self._track, self._geometry = track, TrackGeometry(track, {})
        self._stamp: int | None = None
        self._coming = self._read()

    def take(self) -> Taken:
        """See `LiveSource.take`."""
        try:
            return next(self._coming)
        except StopIteration:
            problem = Phrase("{camera} has stopped", camera=self.title)
        except (OSError, av.FFmpegError):
            problem = Phrase("{camera} has stopped sending pictures", camera=self.title)
        raise SourceLostError(problem)  # without FFmpeg's error, whose text contains the password in the address

    def close(self) -> None:
        """Close the camera or the connection."""
        self._coming.close()
        self._container.close()

    def _read(self) -> Generator[Taken]:
        wanted = [self._track, *self._container.streams.audio[:1]]
        mixer, clock = one_channel(), SoundClock()
        for packet in self._packets(wanted):
            arrival_s = self._arrival_s(packet)
            if packet.stream.type == "video":
                yield from self._images(cast("av.Packet[av.VideoStream]", packet), arrival_s)
                continue
            for heard in decoded(cast("av.Packet[av.AudioStream]", packet)):
                for piece in mixer.resample(heard):
                    start_s = clock.start_s(piece.time, piece.samples / piece.sample_rate, arrival_s)
                    yield Sound(piece.to_ndarray()[0], piece.sample_rate, start_s)

    def _packets(self, wanted: Sequence[Stream]) -> Iterator[av.Packet[Any]]:
        """Yield packets. On macOS cameras report that nothing has come yet instead of waiting for it."""
        while True:
            with suppress(BlockingIOError):
                yield from self._container.demux(*wanted)
                return
            time.sleep(0.005)

    def _images(self, packet: av.Packet[av.VideoStream], arrival_s: float) -> Iterator[Frame | JpegFrame]:
        before, self._stamp = self._stamp, packet.pts if packet.dts is None else packet.dts
        rises = before is not None and self._stamp is not None and self._stamp > before
        self.is_renewed = rises and packet.stream.codec_context.name not in _WHOLE_IMAGES
        if packet.stream.codec_context.name == "mjpeg":
            packed = JpegFrame(bytes(packet), arrival_s, self._view)
            if packed.whole:
                yield packed
            return
        for image in decoded(packet):
            geometry = self._geometry.of(image)
            if not image.is_corrupt:
                frame = Frame(self._view.upright(upright_image(image, geometry)), arrival_s)
                self.size = frame.size
                yield frame

    def _arrival_s(self, packet: av.Packet[Any]) -> float:
        """Return the arrival time of a packet on the monotonic clock, by the system's stamp if it is on that clock."""
        now_s = time.monotonic()
        if self._stamps and packet.pts is not None and packet.time_base is not None:
            stamped_s = float(packet.pts * packet.time_base)
            if 0 <= now_s - stamped_s < _FAR_OFF_S:
                return stamped_s
        return now_s


def open_camera(camera: CameraFound, view: View, settings: CameraSettings, again: str) -> StreamSource:
    """Open a camera at the nearest size and rate that it offers. Raise an `UnreadableError` if that fails."""
    mode = nearest_mode(camera.modes, settings)
    asked = {"video_size": f"{mode.width}x{mode.height}", "framerate": f"{mode.frames_per_s:g}"}
    problem: Exception | None = None
    for options in (asked | _JPEG_WISHES.get(sys.platform, {}), asked, dict[str, str]()):
        try:
            container = av.open(
                camera.address,
                format=_DEVICES[sys.platform],
                options=options | _ROOM.get(sys.platform, {}),
                metadata_errors="replace",
                timeout=(OPENING_S, settings.lost_after_s),
            )
            return StreamSource(container, camera.title, again, view)
        except (OSError, av.FFmpegError) as error:
            problem = error
    raise UnreadableError(
        Phrase("{camera} cannot be opened: close other programs that use it, or plug it in again", camera=camera.title)
    ) from problem


def nearest_mode(modes: Sequence[CameraMode], settings: CameraSettings) -> CameraMode:
    """Return the mode to request: the largest size within the settings that is not too slow for the game."""
    target = CameraMode(settings.width, settings.height, settings.frames_per_s)
    fitting = [mode for mode in modes if mode.width <= target.width and mode.height <= target.height]
    quick = [mode for mode in fitting if mode.frames_per_s >= _SLOWEST_PER_S]
    for mode in quick or fitting:
        return replace(mode, frames_per_s=min(mode.frames_per_s or target.frames_per_s, target.frames_per_s))
    return target


_logger = logging.getLogger(__name__)

_OPTIONS: Final = {
    "protocol_whitelist": "rtsp,rtp,rtmp,rtmps,rtmpt,http,httpproxy,https,tls,tcp,udp,crypto",
    "format_whitelist": "rtsp,rtp,sdp,mpjpeg,mjpeg,mpegts,matroska,mov,flv,live_flv",
    "rtsp_transport": "tcp",  # images arrive whole or not at all
    "fflags": "nobuffer",
    "probesize": "500000",
    "analyzeduration": "500000",  # half a second is enough to identify the format
}

_ANSWERING_S: Final = 3.0
"""Timeout of reading what an address gives instead of a stream."""

_BEGINNING: Final = 512
"""Bytes of an answer by which a web page, an image or a playlist is recognised."""

_IMAGES: Final = (b"\xff\xd8", b"\x89PNG")
_PAGES: Final = (b"<!doctype html", b"<html")


def open_address(address: Address, where: str, view: View, settings: CameraSettings) -> StreamSource:
    """Open a live stream of the network: RTSP, MJPEG over HTTP, or another stream of images.

    Args:
        where: the address as the user gave it, which opens the stream again.

    Raises:
        UnreadableError: nothing answers, or the answer is not a stream of images.
    """
    if not address.is_valid:
        raise UnreadableError(
            Phrase(
                "{address} is not the address of a stream: "
                "write it as http://HOST:PORT/PATH or rtsp://USER:PASSWORD@HOST/PATH",
                address=address.shown,
            )
        )
    if not address.is_complete:
        raise UnreadableError(
            Phrase("{address} was kept without its password: give it again with --camera", address=address.shown)
        )
    options = _OPTIONS | (_without_proxy(address) if address.is_local else {})
    try:
        container = av.open(
            address.opened, options=options, metadata_errors="replace", timeout=(OPENING_S, settings.lost_after_s)
        )
    except (OSError, av.FFmpegError) as error:
        _logger.info("a stream cannot be opened: %s", type(error).__name__)
        reason = _reason(address, error)
    else:
        return StreamSource(container, address.shown, where, view)
    raise UnreadableError(reason)  # without FFmpeg's error, whose text contains the password in the address


def _without_proxy(address: Address) -> dict[str, str]:
    """Exempt an address from the proxies in the environment, which FFmpeg and Python use.

    Returns:
        FFmpeg's option for HTTP. TLS of other streams has no option and reads only the environment.
    """
    before = os.environ.get("no_proxy", os.environ.get("NO_PROXY", ""))
    names = dict.fromkeys([*filter(None, before.split(",")), address.name, f"[{address.name}]"])
    os.environ["no_proxy"] = ",".join(names)
    return {"http_proxy": ""}


def _reason(address: Address, error: OSError | av.FFmpegError) -> Phrase:
    """Explain why a stream cannot be opened, and what to do."""
    shown = address.shown
    match error:
        case av.HTTPUnauthorizedError() | av.HTTPForbiddenError():
            return Phrase(
                "{address} needs the right user and password: write them as in {example}",
                address=shown,
                example=f"{address.scheme}://USER:PASSWORD@{address.host}/…",
            )
        case av.HTTPNotFoundError():
            return Phrase(
                "The camera has nothing at {address}: look up the path of its video in the app or the manual",
                address=shown,
            )
        case av.HTTPError() | av.HTTPClientError():
            return Phrase(
                "The camera refuses {address}: start it or its app again, and check the address", address=shown
            )
        case _:
            return _reason_of_content(address)


def _reason_of_content(address: Address) -> Phrase:
    """Describe what an address gives instead of a stream, or that it does not answer."""
    kind, beginning = _content(address) if address.scheme in {"http", "https"} else ("", b"")
    if not kind:
        return Phrase(
            "{address} cannot be opened: check the address and that the camera is on and in the same network",
            address=address.shown,
        )
    beginning = beginning.removeprefix(BOM_UTF8).lstrip()
    if beginning.startswith(b"#EXTM3U"):
        return Phrase(
            "{address} is a list of pieces (HLS), which come many seconds late: "
            "take the camera's address for RTSP or MJPEG",
            address=address.shown,
        )
    if kind.startswith("image/") or beginning.startswith(_IMAGES):
        return Phrase(
            "{address} is a single picture: take the address of the video, with many apps http://HOST:PORT/video",
            address=address.shown,
        )
    if "html" in kind or beginning.lower().startswith(_PAGES):
        return Phrase(
            "{address} is a web page: take the address of the video, with many apps http://HOST:PORT/video",
            address=address.shown,
        )
    return Phrase(
        "{address} answers, but not with a stream of pictures: "
        "look up the address of its video in the app or the manual",
        address=address.shown,
    )


def _content(address: Address) -> tuple[str, bytes]:
    """Return the media type and the first bytes of an answer; both empty without an answer."""
    request = Request(address.bare)  # noqa: S310 - the scheme is http or https
    if address.login:
        request.add_unredirected_header("Authorization", f"Basic {b64encode(unquote(address.login).encode()).decode()}")
    try:
        with urlopen(request, timeout=_ANSWERING_S) as answer:  # noqa: S310 - likewise
            return answer.headers.get_content_type(), answer.read(_BEGINNING)
    except (OSError, ValueError, HTTPException):
        return "", b""
