"""Clips and cameras made for these tests: each frame says by its brightness which one it is."""

import io
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

MakeClip = Callable[..., Path]

STEP = 12
"""Frame n is grey n × 12."""


@pytest.fixture
def make_clip(tmp_path: Path) -> MakeClip:
    """Writes a clip of 96 × 64 pixels, dark frames to bright ones, a red corner top left in each."""

    def make(
        name: str = "clip.mp4",
        *,
        codec: str = "libx264",
        times_s: Sequence[float] = tuple(number / 10 for number in range(20)),
        turn_degrees: int = 0,
        options: dict[str, str] | None = None,
    ) -> Path:
        path = tmp_path / name
        with av.open(str(path), "w", options=options or {}) as container:
            stream = container.add_stream(codec, rate=10)
            assert isinstance(stream, av.VideoStream)
            stream.width, stream.height = 96, 64
            stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
            stream.codec_context.gop_size = 5
            stream.codec_context.time_base = Fraction(1, 100)
            if turn_degrees:
                stream.set_display_rotation(turn_degrees)
            for number, time_s in enumerate(times_s):
                pixels = np.full((64, 96, 3), number * STEP, np.uint8)
                pixels[:16, :16] = (0, 0, 255)
                frame = av.VideoFrame.from_ndarray(pixels, format="bgr24")
                frame.pts, frame.time_base = round(time_s * 100), Fraction(1, 100)
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        return path

    return make


@pytest.fixture(name="write_bam")
def write_bam_clip() -> Callable[..., Path]:
    """Writes a clip of 64 × 48 pixels that is dark and silent, and from one moment on bright and loud."""

    def write(path: Path, *, seconds: float, bam_s: float) -> Path:
        with av.open(path, "w") as container:
            video, audio = container.add_stream("mpeg4", rate=10), container.add_stream("pcm_s16le", rate=8000)
            assert isinstance(video, av.VideoStream)
            assert isinstance(audio, av.AudioStream)
            video.width, video.height, video.pix_fmt, audio.layout = 64, 48, "yuv420p", "mono"
            for number in range(round(seconds * 10)):
                lit = number / 10 >= bam_s
                image = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 200 * lit, np.uint8), format="bgr24")
                heard = av.AudioFrame.from_ndarray(np.full((1, 800), 20_000 * lit, np.int16), "s16", "mono")
                heard.sample_rate, heard.pts = 8000, number * 800
                container.mux([*video.encode(image), *audio.encode(heard)])
            container.mux([*video.encode(), *audio.encode()])
        return path

    return write


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


@pytest.fixture
def mjpeg_camera() -> Iterator[MjpegCamera]:
    camera = MjpegCamera()
    yield camera
    camera.stop()


@pytest.fixture
def rtsp_camera(make_clip: MakeClip) -> Iterator[str]:
    """The address of a camera that speaks RTSP (RFC 2326) and plays a clip, then goes: MPEG-TS in RTP (RFC 2250)."""
    film = 3 * make_clip("clip.ts").read_bytes()
    gone = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            connection, _ = listener.accept()
            with connection, connection.makefile("rwb") as talk:
                while answer_rtsp(talk):
                    pass
                for number, start in enumerate(range(0, len(film), 7 * 188)):
                    packet = struct.pack(">BBHII", 0x80, 33, number, number * 3000, 1) + film[start : start + 7 * 188]
                    talk.write(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
                    talk.flush()
                    gone.wait(0.03)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"rtsp://127.0.0.1:{listener.getsockname()[1]}/table"
    gone.set()
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def answer_rtsp(talk: io.BufferedRWPair) -> bool:
    """Answer one request; whether another is to come before the images."""
    request = [line.decode().strip() for line in iter(talk.readline, b"\r\n") if line]
    method = request[0].split()[0]
    number = next(line for line in request if line.startswith("CSeq"))
    description = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track\r\n"
    lines = {
        "DESCRIBE": ["Content-Type: application/sdp", f"Content-Length: {len(description)}"],
        "SETUP": ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1", "Session: 1"],
        "PLAY": ["Session: 1"],
    }.get(method, ["Public: OPTIONS, DESCRIBE, SETUP, PLAY"])
    talk.write("\r\n".join(["RTSP/1.0 200 OK", number, *lines, "", ""]).encode())
    if method == "DESCRIBE":
        talk.write(description.encode())
    talk.flush()
    return method != "PLAY"
