"""Hostile images and clips: pipes, endless files, odd shapes and titles are refused soon, in one sentence."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import cv2
import numpy as np
import pytest
from PIL import Image

from bunnymoose_cv.capture import images
from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.connection import Connection
from bunnymoose_cv.capture.decoding import check_memory, decoded
from bunnymoose_cv.capture.frame import SourceLostError, UnreadableError
from bunnymoose_cv.capture.images import ReadTimeoutError, TimedBytes, decode_image, is_image, read_image
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.live_source import LiveSource
from bunnymoose_cv.capture.media_inputs import find_inputs
from bunnymoose_cv.capture.sound import read_sound

DEMO = Path(__file__).parents[3] / "fixtures" / "demo.mp4"


def jpeg(width: int = 320, height: int = 200) -> bytes:
    noise = np.random.default_rng(3).integers(0, 256, (height, width, 3), np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()


def opened(path: Path) -> object:
    (source,) = find_inputs([str(path)])
    return source.open()


@pytest.mark.parametrize("name", ["p.jpg", "p.mp4"])
def test_a_pipe_and_a_device_are_refused_unread(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    for refused in (path, Path("/dev/zero")):
        for read in (opened, read_image, read_sound, lambda path: Clip(path, "p")):
            with pytest.raises(UnreadableError, match="pipe or a device"):
                read(refused)


def test_names_that_no_file_can_have_are_refused(tmp_path: Path) -> None:
    for name in ("a\0b.jpg", "n" * 300 + ".jpg"):
        for read in (opened, read_image, read_sound):
            with pytest.raises(UnreadableError, match="cannot be read"):
                read(tmp_path / name)


class _Counted(TimedBytes):
    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        _Counted.reads += 1
        return super().read(size)


def test_zeros_after_a_truncated_jpeg_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "TimedBytes", _Counted)
    _Counted.reads = 0
    with pytest.raises(UnreadableError):
        decode_image(jpeg()[:200] + bytes(3_000_000), "z.jpg")
    assert _Counted.reads < 1000


def test_jpeg_padded_with_zeros_is_read() -> None:
    assert decode_image(jpeg() + bytes(100_000), "padded.jpg").shape == (200, 320, 3)


def test_an_endless_sparse_image_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "z.jpg"
    path.write_bytes(jpeg()[:200])
    os.truncate(path, 200_000_000_000)
    with pytest.raises(UnreadableError, match="larger than 1000 MB"):
        opened(path)


def test_slow_decoder_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ReadTimeoutError):
        TimedBytes(b"picture", -1).read(1)
    monkeypatch.setattr(images, "_HEADER_S", -1)
    assert is_image(jpeg())
    with pytest.raises(UnreadableError, match=r"slow\.jpg takes too long to read"):
        decode_image(jpeg(), "slow.jpg")


def test_pixels_have_time_of_their_own_after_the_header(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [0.0]

    def slow_header(*_: object) -> None:
        now_s[0] = images._HEADER_S + 1

    monkeypatch.setattr(images, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    monkeypatch.setattr(images, "check_dimensions", slow_header)
    assert decode_image(jpeg(), "slow.jpg").shape == (200, 320, 3)


@pytest.mark.parametrize(
    ("size", "fits"), [((1, 3000), False), ((12000, 40), False), ((21, 1), False), ((20, 1), True)]
)
def test_an_elongated_image_is_refused(size: tuple[int, int], fits: bool, tmp_path: Path) -> None:  # noqa: FBT001
    path = tmp_path / "thin.png"
    Image.new("RGB", size).save(path)
    if fits:
        assert read_image(path).shape == (size[1], size[0], 3)
    else:
        with pytest.raises(UnreadableError, match="one side more than 20 times the other"):
            read_image(path)


def test_an_elongated_clip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "thin.avi"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 1600, 16, "yuv420p"
        container.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((16, 1600, 3), np.uint8), "bgr24")))
        container.mux(stream.encode())
    with pytest.raises(UnreadableError, match="one side more than 20 times"):
        Clip(path, "thin.avi")


@pytest.mark.parametrize("name", ["soiree.avi", "soiree.mkv"])
def test_title_in_latin_1_is_accepted(name: str, make_clip: Callable[..., Path]) -> None:
    path = make_clip(name, codec="mpeg4")
    with av.open(str(path)) as container:
        frames = sum(1 for _ in container.decode(video=0))
    titled = path.with_stem("titled")
    with av.open(str(path)) as source, av.open(str(titled), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        target.metadata["title"] = "soirXe d'hiver"
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
    content = titled.read_bytes()
    assert b"soirXe" in content
    titled.write_bytes(content.replace(b"soirXe", b"soir\xe9e"))
    assert sum(1 for _ in Clip(titled, "titled")) == frames
    assert list(Clip(titled, "titled").sounds()) == []
    with pytest.raises(UnreadableError, match="holds no sound"):
        read_sound(titled)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to so much memory")
@pytest.mark.parametrize("spare_megabytes", [64, 1024])
def test_out_of_memory_is_not_called_damage(tmp_path: Path, spare_megabytes: int) -> None:
    resource = pytest.importorskip("resource")

    path = tmp_path / "cut.mp4"
    path.write_bytes(DEMO.read_bytes()[:3000])
    taken = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + spare_megabytes * 1024 * 1024, before[1]))
    try:
        with pytest.raises(UnreadableError) as refused:
            Clip(path, "cut.mp4")
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert ("more memory than there is" in str(refused.value)) is (spare_megabytes < 128)


def test_exhausted_memory_raises_a_memory_error() -> None:
    with pytest.raises(MemoryError):
        check_memory(OSError(12, "Cannot allocate memory"))
    check_memory(OSError(5, "Input/output error"))


def test_a_damaged_packet_gives_nothing_unless_memory_runs_out() -> None:
    def failing(number: int) -> Any:
        def decode() -> None:
            raise av.FFmpegError(number, "no frame")

        return SimpleNamespace(decode=decode)

    assert decoded(failing(5)) == []
    with pytest.raises(MemoryError):
        decoded(failing(12))


def test_a_jpeg_with_a_gap_of_zeros_is_torn() -> None:
    content = jpeg()
    middle = len(content) // 2
    assert JpegFrame(content, 0.0).whole
    assert JpegFrame(content + bytes(64), 0.0).whole
    assert not JpegFrame(content[:middle] + bytes(1400) + content[middle + 1400 :], 0.0).whole
    black = cv2.imencode(".jpg", np.zeros((1080, 1920, 3), np.uint8))[1].tobytes()
    assert JpegFrame(black, 0.0).whole


def test_empty_jpeg_is_unreadable() -> None:
    with pytest.raises(UnreadableError, match="cannot be read"):
        JpegFrame(b"", 0.0).frame()


def test_any_exception_of_a_source_ends_the_connection_in_one_sentence() -> None:
    def crooked() -> LiveSource:
        raise UnicodeDecodeError("utf-8", b"\xe9", 0, 1, "invalid continuation byte")

    changed = threading.Condition()
    with Connection(crooked, lambda *_: None, changed, 1.0, "soiree.avi") as connection, changed:
        assert changed.wait_for(lambda: connection.is_over, 60)
    assert isinstance(connection.problem, SourceLostError)
    assert str(connection.problem) == "soiree.avi has stopped sending pictures"
