"""Clips with sound, frames that say which one they are, and a camera in the network, on this computer alone."""

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
"""Frame n is grey n × 12."""


def number_of(frame: Frame) -> int:
    """Return the number of a frame, by its brightness at the bottom."""
    return round(float(frame.image[-20:, -20:].mean()) / STEP)


def write_clip(path: Path, images: Sequence[Image], sound: Sound, frames_per_s: int, codec: str = "mpeg4") -> Path:
    """Write a clip that is as long as its sound, with images over and over, and return its path."""
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
    """A camera in the network, on this computer alone: JPEGs over HTTP, each frame another grey.

    Attributes:
        sent: how many frames have been sent.
        moving: whether each frame differs from the one before; otherwise the last one is sent again and again.
        hangs: whether connections stay open without a word.
        drawn: makes the image of a number.
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
        """Serve, on the same port as before."""
        self._stopped = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", getattr(self, "_port", 0)))
        self._port = self._listener.getsockname()[1]
        self._spawn(self._accept, self._listener, self._stopped)

    def stop(self) -> None:
        """Cut all connections and take no new ones, as after a plug was pulled."""
        self._stopped.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._serving:
            thread.join()
        self._serving.clear()

    def wait_for_connections(self, number: int) -> None:
        """Until somebody has connected so often."""
        with self._connected:
            assert self._connected.wait_for(lambda: self._connections >= number, 20)

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
    """An image of 96 × 64 pixels, red in the corner top left."""
    image = np.full((64, 96, 3), grey, np.uint8)
    image[:16, :16] = (0, 0, 255)
    return cv2.imencode(".jpg", image)[1].tobytes()
