"""Synthetic clips and cameras, whose frames encode their number as brightness."""

import io
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from bunnymoose_cv.capture.sound import Sound
from tests.media import STEP, MjpegCamera, write_clip

MakeClip = Callable[..., Path]


@pytest.fixture
def make_clip(tmp_path: Path) -> MakeClip:
    """Return a writer of clips of 96 × 64 pixels, with frames from dark to bright and a red corner at the top left."""

    def make(  # noqa: PLR0913 - keywords of a clip, each with its usual value
        name: str = "clip.mp4",
        *,
        codec: str = "libx264",
        times_s: Sequence[float] = tuple(number / 10 for number in range(20)),
        turn_degrees: int = 0,
        aspect: Fraction | None = None,
        options: dict[str, str] | None = None,
    ) -> Path:
        path = tmp_path / name
        with av.open(str(path), "w", options=options or {}) as container:
            stream = container.add_stream(codec, rate=10)
            assert isinstance(stream, av.VideoStream)
            stream.width, stream.height = 96, 64
            stream.codec_context.sample_aspect_ratio = aspect or Fraction(0)
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
    """Return a writer of clips of 64 × 48 pixels, dark and silent before a Bam, and bright and loud after it."""

    def write(path: Path, *, seconds: float, bam_s: float) -> Path:
        count, first = round(seconds * 10), round(bam_s * 10)
        images = [np.full((48, 64, 3), 200 * (number >= first), np.uint8) for number in range(count)]
        samples = np.repeat(np.arange(count) >= first, 800) * np.int16(20_000)
        return write_clip(path, images, Sound(samples.astype(np.int16), 8000), 10)

    return write


@pytest.fixture
def mjpeg_camera() -> Iterator[MjpegCamera]:
    camera = MjpegCamera()
    yield camera
    camera.stop()


@pytest.fixture
def rtsp_camera(make_clip: MakeClip) -> Iterator[str]:
    """Yield the address of an RTSP camera (RFC 2326) that plays a clip once, as MPEG-TS in RTP (RFC 2250)."""
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
    """Answer one request, and return whether another follows before the images."""
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
