"""Cameras and streams as sources: every frame gets the time at which it came.

JPEGs that a camera or a stream sends are handed on unopened, which costs nearly nothing; all else is decoded at once.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

import av

from bunnymoose_cv.capture.camera_mode import CameraMode
from bunnymoose_cv.capture.decoding import decoded
from bunnymoose_cv.capture.frame import Frame, SourceLostError, UnreadableError
from bunnymoose_cv.capture.frame_geometry import TrackGeometry, picture_track, upright_image
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.live_source import LiveSource, Taken
from bunnymoose_cv.capture.sound import Sound, one_channel
from bunnymoose_cv.capture.sound_clock import SoundClock
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from av.container import InputContainer
    from av.stream import Stream

    from bunnymoose_cv.capture.camera_list import CameraFound
    from bunnymoose_cv.capture.orientation import View
    from bunnymoose_cv.core.user_settings import CameraSettings

OPENING_S: Final = 10.0
"""Timeout of opening; cameras may take seconds to wake."""

_DEVICES: Final = {"linux": "v4l2", "darwin": "avfoundation", "win32": "dshow"}
_ROOM: Final = {"win32": {"rtbufsize": "64M"}}
"""Buffer of the driver on Windows; its usual 3 MB are less than one raw image at 1080p."""

_LOOKING_AGAIN_S: Final = 0.005

_JPEG_WISHES: Final = {"linux": {"input_format": "mjpeg"}, "win32": {"vcodec": "mjpeg"}}
"""Options that ask a camera for its own JPEGs, the only way to 1080p at 30 frames a second over most cables."""

_STAMPING: Final = "video4linux2"
"""Linux stamps a camera's frames on the monotonic clock, as most drivers do."""

_SLOWEST_PER_S: Final = 10.0
"""Threshold of the frame rate: below, a smaller image is better, since hands must be seen to stop."""

_WHOLE_IMAGES: Final = {"mjpeg", "rawvideo"}
"""Codecs in which the noise of a sensor makes every image another; the others leave out what hardly changes."""

_FAR_OFF_S: Final = 5.0
"""Largest distance of a stamp from now; a farther one is on another clock."""


class StreamSource(LiveSource):
    """A camera or a stream that is open."""

    live = True

    def __init__(self, container: InputContainer, title: str, again: str, view: View) -> None:
        """Take it over.

        Raises:
            UnreadableError: it has no images.
        """
        self.title, self.again = title, again
        self._container, self._view = container, view
        self._stamps = container.format.name.startswith(_STAMPING)
        track = picture_track(container)
        if track is None or track.codec_context is None:
            container.close()
            raise UnreadableError(Phrase("{camera} gives no pictures, only sound: give another one", camera=title))
        track.thread_type = "SLICE"  # threads that take a frame each hold frames back
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
            problem = Phrase("{camera} gives no more pictures", camera=self.title)
        raise SourceLostError(problem)  # without FFmpeg's error, whose text holds the address with its password

    def close(self) -> None:
        """Let go of the camera or the connection."""
        self._coming.close()
        self._container.close()

    def _read(self) -> Generator[Taken]:
        wanted = [self._track, *self._container.streams.audio[:1]]
        mixer, clock = one_channel(), SoundClock()
        for packet in self._packets(wanted):
            came_s = self._came_s(packet)
            if packet.stream.type == "video":
                yield from self._images(cast("av.Packet[av.VideoStream]", packet), came_s)
            else:
                for heard in decoded(cast("av.Packet[av.AudioStream]", packet)):
                    yield from _sounds(heard, mixer, clock, came_s)

    def _packets(self, wanted: Sequence[Stream]) -> Iterator[av.Packet[Any]]:
        """Yield packets; the cameras of macOS report that nothing has come yet instead of waiting for it."""
        while True:
            try:
                yield from self._container.demux(*wanted)
            except BlockingIOError:
                time.sleep(_LOOKING_AGAIN_S)
            else:
                return

    def _images(self, packet: av.Packet[av.VideoStream], came_s: float) -> Iterator[Frame | JpegFrame]:
        before, self._stamp = self._stamp, packet.pts if packet.dts is None else packet.dts
        rises = before is not None and self._stamp is not None and self._stamp > before
        self.is_renewed = rises and packet.stream.codec_context.name not in _WHOLE_IMAGES
        if packet.stream.codec_context.name == "mjpeg":
            packed = JpegFrame(bytes(packet), came_s, self._view)
            if packed.whole:
                yield packed
            return
        for image in decoded(packet):
            geometry = self._geometry.of(image)
            if not image.is_corrupt:
                frame = Frame(self._view.upright(upright_image(image, geometry)), came_s)
                self.size = frame.size
                yield frame

    def _came_s(self, packet: av.Packet[Any]) -> float:
        """Arrival time of a packet on the monotonic clock: the system's stamp, where it stamps on that clock."""
        now_s = time.monotonic()
        if self._stamps and packet.pts is not None and packet.time_base is not None:
            stamped_s = float(packet.pts * packet.time_base)
            if 0 <= now_s - stamped_s < _FAR_OFF_S:
                return stamped_s
        return now_s


def open_camera(camera: CameraFound, view: View, settings: CameraSettings, again: str) -> StreamSource:
    """Open a camera at the size and rate of the settings, or as near as it can.

    Raises:
        UnreadableError: it cannot be opened.
    """
    mode = nearest_mode(camera.modes, settings)
    asked = {"video_size": f"{mode.width}x{mode.height}", "framerate": f"{mode.frames_per_s:g}"}
    wishes = [asked | _JPEG_WISHES.get(sys.platform, {}), asked, {}]
    *others, last = wishes
    for options in others:
        try:
            return StreamSource(_open_camera(camera, options, settings), camera.title, again, view)
        except (OSError, av.FFmpegError):
            continue
    try:
        return StreamSource(_open_camera(camera, last, settings), camera.title, again, view)
    except (OSError, av.FFmpegError) as error:
        raise UnreadableError(
            Phrase(
                "{camera} cannot be opened: close other programs that use it, or plug it in again", camera=camera.title
            )
        ) from error


def nearest_mode(modes: Sequence[CameraMode], settings: CameraSettings) -> CameraMode:
    """Choose the mode to ask a camera for: its largest size within the settings' that is not too slow for the game."""
    target = CameraMode(settings.width, settings.height, settings.frames_per_s)
    fitting = [mode for mode in modes if mode.width <= target.width and mode.height <= target.height]
    quick = [mode for mode in fitting if mode.frames_per_s >= _SLOWEST_PER_S]
    for mode in quick or fitting:
        return replace(mode, frames_per_s=min(mode.frames_per_s or target.frames_per_s, target.frames_per_s))
    return target


def _open_camera(camera: CameraFound, options: dict[str, str], settings: CameraSettings) -> InputContainer:
    return av.open(
        camera.address,
        format=_DEVICES[sys.platform],
        options=options | _ROOM.get(sys.platform, {}),
        metadata_errors="replace",
        timeout=(OPENING_S, settings.lost_after_s),
    )


def _sounds(heard: av.AudioFrame, mixer: av.AudioResampler, clock: SoundClock, came_s: float) -> Iterator[Sound]:
    for piece in mixer.resample(heard):
        lasting_s = piece.samples / piece.sample_rate
        start_s = came_s - lasting_s if piece.time is None else clock.start_s(piece.time, lasting_s, came_s)
        yield Sound(piece.to_ndarray()[0], piece.sample_rate, start_s)
