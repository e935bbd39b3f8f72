"""Clips with sound, frames that encode their number, and a network camera on this computer."""

import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import av
import cv2
import numpy as np

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.sound import Sound

STEP = 12
"""Frames whose grey value is 12 times their number."""


def number_of(frame: Frame) -> int:
    """Return the number of a frame, from its brightness at the bottom."""
    return round(float(frame.image[-20:, -20:].mean()) / STEP)


def write_clip(path: Path, images: Sequence[Image], sound: Sound, frames_per_s: int, codec: str = "mpeg4") -> Path:
    """Write a clip as long as its sound, repeating the images, and return its path."""
    with av.open(path, "w") as container:
        video, audio = (
            container.add_stream(codec, rate=frames_per_s),
            container.add_stream("pcm_s16le", rate=sound.rate),
        )
        assert isinstance(video, av.VideoStream)
        assert isinstance(audio, av.AudioStream)
        video.height, video.width = images[0].shape[:2]
        video.pix_fmt, audio.layout = "yuvj420p" if codec == "mjpeg" else "yuv420p", "mono"
        step = sound.rate // frames_per_s
        for number, start in enumerate(range(0, len(sound.samples) - step + 1, step)):
            frame = av.VideoFrame.from_ndarray(images[number % len(images)], format="bgr24")
            heard = av.AudioFrame.from_ndarray(sound.samples[None, start : start + step].copy(), "s16", "mono")
            heard.sample_rate, heard.pts = sound.rate, start
            container.mux([*video.encode(frame), *audio.encode(heard)])
        container.mux([*video.encode(), *audio.encode()])
    return path


class MjpegCamera:
    """A network camera on this computer, which sends JPEGs over HTTP, each frame in another grey.

    Attributes:
        sent: number of frames sent.
        moving: whether each frame differs from the one before; otherwise the last one is sent again and again.
        hangs: whether connections stay open without a reply.
        drawn: factory of the image of a frame number.
    """

    def __init__(self) -> None:
        self.sent = 0
        self.moving = True
        self.hangs = False
        self.drawn: Callable[[int], bytes] = lambda number: grey_jpeg(number % 20 * STEP)
        self._connections = 0
        self._connected = threading.Condition()
        self._stopped = threading.Event()
        self._serving: list[threading.Thread] = []
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/video"

    def start(self) -> None:
        """Serve on the same port as before."""
        self._stopped = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", getattr(self, "_port", 0)))
        self._port = self._listener.getsockname()[1]
        self._spawn(self._accept, self._listener, self._stopped)

    def stop(self) -> None:
        """Cut all connections and accept no new ones, as if unplugged."""
        self._stopped.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._serving:
            thread.join()
        self._serving.clear()

    def wait_for_connections(self, number: int) -> None:
        """Wait until this many clients have connected."""
        with self._connected:
            assert self._connected.wait_for(lambda: self._connections >= number, 60)

    def _spawn(self, run: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=run, args=arguments, daemon=True)
        self._serving.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket, stopped: threading.Event) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with self._connected:
                    self._connections += 1
                    self._connected.notify_all()
                self._spawn(self._serve, connection, stopped)

    def _serve(self, connection: socket.socket, stopped: threading.Event) -> None:
        with connection, suppress(OSError):
            connection.recv(4096)
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
            while not stopped.wait(1 / 30):
                if not self.hangs:
                    self.sent += self.moving
                    jpeg = self.drawn(self.sent)
                    head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    connection.sendall(head.encode() + jpeg + b"\r\n")


def grey_jpeg(grey: int) -> bytes:
    """Return an image of 96 × 64 pixels with a red top left corner."""
    image = np.full((64, 96, 3), grey, np.uint8)
    image[:16, :16] = (0, 0, 255)
    return cv2.imencode(".jpg", image)[1].tobytes()
