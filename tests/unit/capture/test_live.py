"""Network cameras, clips and folders as sources: times, sizes, and errors of opening."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import av
import cv2
import numpy as np
import pytest
from av.container import InputContainer

from bunnymoose_cv.capture import live, stream
from bunnymoose_cv.capture.camera_list import CameraFound, CameraMode
from bunnymoose_cv.capture.footage import SoundRing
from bunnymoose_cv.capture.frame import Frame, SourceEndedError, SourceLostError, UnreadableError
from bunnymoose_cv.capture.image_geometry import AS_IT_IS, View
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.live import lasting_name, open_live, shown_name
from bunnymoose_cv.capture.live_source import LiveSource, Taken
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.capture.stream import nearest_mode, open_camera
from bunnymoose_cv.core.user_settings import load_settings
from tests.media import STEP, number_of, write_clip

MakeClip = Callable[..., Path]
CAMERA = load_settings().camera


def everything(source: LiveSource) -> Iterator[Taken]:
    """Return everything that a source yields until it is lost or over."""
    with suppress(SourceLostError, SourceEndedError):
        while True:
            yield source.take()


def all_frames(source: LiveSource) -> Iterator[Frame]:
    for taken in everything(source):
        if isinstance(taken, JpegFrame):
            yield taken.frame()
        elif isinstance(taken, Frame):
            yield taken


def test_clip_without_pace_keeps_its_own_times(make_clip: MakeClip) -> None:
    with open_live(str(make_clip()), AS_IT_IS, CAMERA, pace=None) as source:
        assert source.size == (96, 64)
        frames = list(all_frames(source))
        with pytest.raises(SourceEndedError, match=r"clip\.mp4 is over"):
            source.read()
    assert [number_of(frame) for frame in frames] == list(range(20))
    assert [frame.time_s for frame in frames] == pytest.approx([number / 10 for number in range(20)], abs=0.001)
    assert {frame.size for frame in frames} == {(96, 64)}


def test_a_clip_with_a_pace_runs_on_the_monotonic_clock(make_clip: MakeClip) -> None:
    began_s = time.monotonic()
    with open_live(str(make_clip()), AS_IT_IS, CAMERA, pace=10) as source:
        first, *others = all_frames(source)
    assert began_s <= first.time_s
    assert others[-1].time_s <= time.monotonic()
    steps = [later.time_s - earlier.time_s for earlier, later in pairwise([first, *others])]
    assert steps == pytest.approx([0.01] * 19, abs=0.001)


def test_folder_of_images_plays_without_damaged_ones(tmp_path: Path) -> None:
    for number in (9, 10, 11):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((40, 60, 3), (number - 8) * STEP, np.uint8))
    (tmp_path / "10.png").write_bytes((tmp_path / "10.png").read_bytes()[:60])
    with open_live(str(tmp_path), AS_IT_IS, CAMERA, pace=None) as source:
        frames = list(all_frames(source))
    assert [(number_of(frame), frame.time_s) for frame in frames] == [(1, 0.0), (3, 0.1)]


def test_single_image_plays_like_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((40, 60, 3), STEP, np.uint8))
    with open_live(str(path), View(90), CAMERA, pace=None) as source:
        assert [frame.size for frame in all_frames(source)] == [(40, 60)]


@pytest.mark.parametrize(
    ("view", "corner"),
    [
        (View(0), "top left"),
        (View(90), "top right"),
        (View(180), "bottom right"),
        (View(270), "bottom left"),
        (View(0, mirrored=True), "top right"),
        (View(90, mirrored=True), "bottom right"),
    ],
)
@pytest.mark.parametrize("kind", ["clip", "camera"])
def test_every_source_is_turned_upright(
    view: View, corner: str, kind: str, make_clip: MakeClip, request: pytest.FixtureRequest
) -> None:
    """The clip and the camera send a red corner top left."""
    where = str(make_clip()) if kind == "clip" else request.getfixturevalue("mjpeg_camera").address
    with open_live(where, view, CAMERA, pace=None) as source:
        frame = source.read()
        assert frame.size == source.size
    assert frame.size == ((96, 64) if view.rotation_degrees % 180 == 0 else (64, 96))
    rows = slice(0, 12) if "top" in corner else slice(-12, None)
    columns = slice(0, 12) if "left" in corner else slice(-12, None)
    blue, _, red = frame.image[rows, columns].mean((0, 1))
    assert red - blue > 150


def test_sound_of_a_clip_is_on_the_clock_of_its_frames(tmp_path: Path, write_bam: Callable[..., Path]) -> None:
    path = write_bam(tmp_path / "bam.mkv", seconds=1.0, bam_s=0.6)
    for pace in (None, 1.0):
        with open_live(str(path), AS_IT_IS, CAMERA, pace=pace) as source:
            taken = list(everything(source))
        start_s = next(item.time_s for item in taken if isinstance(item, Frame))
        loud = [each.start_s + np.argmax(np.abs(each.samples) > 10_000) / each.rate
                for each in taken if isinstance(each, Sound) and np.abs(each.samples).max() > 10_000]  # fmt: skip
        bright = [item.time_s for item in taken if isinstance(item, Frame) and item.image.mean() > 100]
        assert loud[0] - start_s == pytest.approx(0.6, abs=0.02)
        assert bright[0] - start_s == pytest.approx(0.6, abs=0.001)


def test_a_camera_is_opened_as_a_device_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use FFmpeg's test source as a camera device that has no JPEGs."""
    monkeypatch.setitem(stream._DEVICES, sys.platform, "lavfi")
    camera = CameraFound(3, "Webcam", "testsrc=size=320x240:rate=30,realtime")
    began_s = time.monotonic()
    with open_camera(camera, View(90), CAMERA, again="Webcam") as source:
        frames = [source.read() for _ in range(10)]
        assert (source.title, source.again, source.live) == ("camera 3 (Webcam)", "Webcam", True)
    assert {frame.size for frame in frames} == {source.size} == {(240, 320)}
    assert began_s < frames[0].time_s
    assert all(earlier.time_s < later.time_s for earlier, later in pairwise(frames))


class Hesitant:
    """Device that occasionally reports that no data is available yet, as cameras do on macOS."""

    def __init__(self, container: InputContainer) -> None:
        self.container, self.packets, self.calls = container, container.demux(video=0), 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.container, name)

    def demux(self, *_: object) -> Iterator[object]:
        for packet in self.packets:
            yield packet
            self.calls += 1
            if self.calls % 3 == 0:
                raise BlockingIOError


def test_device_without_data_is_polled(make_clip: MakeClip) -> None:
    device = cast("InputContainer", Hesitant(av.open(make_clip())))
    with stream.StreamSource(device, "camera 0", "0", AS_IT_IS) as source:
        assert [number_of(frame) for frame in all_frames(source)] == list(range(20))


class Stalling:
    """Stream that stalls and then catches up; it is also the clock."""

    def __init__(self, container: InputContainer, stall_s: tuple[float, float]) -> None:
        self.container, self.stall_s, self.now_s = container, stall_s, 0.0

    def __getattr__(self, name: str) -> object:
        return getattr(self.container, name)

    def monotonic(self) -> float:
        return self.now_s

    def demux(self, *_: object) -> Iterator[object]:
        for packet in self.container.demux(video=0, audio=0):
            if packet.pts is not None and packet.stream.type == "audio":
                sent_s = float((packet.pts + (packet.duration or 0)) * packet.time_base)
                stalls = self.stall_s[0] < sent_s < self.stall_s[1]
                self.now_s = max(self.now_s, 100.0 + (self.stall_s[1] if stalls else sent_s))
            yield packet


@pytest.mark.parametrize("stall_s", [(0.0, 0.0), (0.5, 1.3)])
def test_sound_after_a_stall_remains_in_order(
    stall_s: tuple[float, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, counted = tmp_path / "counted.mkv", np.arange(16_000, dtype=np.int16)
    write_clip(path, [np.zeros((48, 64, 3), np.uint8)], Sound(counted, 8000, 0.0), 50)
    network = Stalling(av.open(path), stall_s)
    monkeypatch.setattr(stream, "time", network)
    ring = SoundRing(5.0, 5.0)
    with stream.StreamSource(cast("InputContainer", network), "phone", "phone", AS_IT_IS) as source:
        for taken in everything(source):
            if isinstance(taken, Sound):
                ring.add(taken)
    kept = ring.sound(100.0, 102.0)
    assert kept is not None
    np.testing.assert_allclose(kept.samples, counted, atol=0.05 * 8000)
    assert set(np.diff(kept.samples[400:-400])) == {1}


@pytest.mark.parametrize(
    ("modes", "asked"),
    [
        ([], (1920, 1080, 30)),
        ([(3840, 2160, 30), (1920, 1080, 60), (1280, 720, 60)], (1920, 1080, 30)),
        ([(1920, 1080, 5), (1280, 720, 24), (640, 480, 30)], (1280, 720, 24)),
        ([(1920, 1080, 5), (640, 480, 5)], (1920, 1080, 5)),
        ([(1280, 960, 0)], (1280, 960, 30)),
        ([(3840, 2160, 30)], (1920, 1080, 30)),
    ],
)
def test_requested_mode_is_one_that_the_camera_has(
    modes: list[tuple[int, int, float]], asked: tuple[int, int, float]
) -> None:
    assert nearest_mode([CameraMode(*mode) for mode in modes], CAMERA) == CameraMode(*asked)


def test_camera_that_cannot_be_opened_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(stream._DEVICES, sys.platform, "lavfi")
    with pytest.raises(UnreadableError, match=r"camera 3 \(Webcam\) cannot be opened: close other programs"):
        open_camera(CameraFound(3, "Webcam", "no such filter"), AS_IT_IS, CAMERA, again="3")


def test_jpegs_of_a_network_camera_are_stamped_at_arrival(mjpeg_camera: Any) -> None:
    began_s = time.monotonic()
    with open_live(mjpeg_camera.address, AS_IT_IS, CAMERA) as source:
        taken = [source.take() for _ in range(5)]
        assert source.size == (96, 64)
    assert all(isinstance(item, JpegFrame) and item.whole for item in taken)
    times = [item.time_s for item in taken if isinstance(item, JpegFrame)]
    assert began_s < times[0]
    assert times[-1] < time.monotonic()
    assert all(earlier < later for earlier, later in pairwise(times))


def test_a_network_camera_that_stops_is_lost(mjpeg_camera: Any) -> None:
    with open_live(mjpeg_camera.address, AS_IT_IS, CAMERA) as source:
        source.read()
        mjpeg_camera.stop()
        list(everything(source))
        with pytest.raises(SourceLostError, match=r"http://127\.0\.0\.1:\d+/video"):
            source.read()


def test_a_network_camera_that_hangs_is_lost(mjpeg_camera: Any) -> None:
    settings = CAMERA.model_copy(update={"lost_after_s": 0.5})
    with open_live(mjpeg_camera.address, AS_IT_IS, settings) as source:
        source.read()
        mjpeg_camera.hangs = True
        list(everything(source))
        with pytest.raises(SourceLostError):
            source.read()


def test_rtsp_camera_is_decoded_and_its_loss_noticed(rtsp_camera: str) -> None:
    with open_live(rtsp_camera, AS_IT_IS, CAMERA) as source:
        frames = list(all_frames(source))
    assert len(frames) > 20
    assert {frame.size for frame in frames} == {(96, 64)}
    assert {number_of(frame) for frame in frames} == set(range(20))
    assert all(earlier.time_s <= later.time_s for earlier, later in pairwise(frames))


@pytest.mark.parametrize("form", ['"{path}"', "file://{path}"])
def test_clip_plays_by_its_copied_path(form: str, make_clip: MakeClip) -> None:
    where = form.format(path=make_clip())
    with open_live(where, AS_IT_IS, CAMERA, pace=None) as source:
        assert source.read().size == (96, 64)
    assert (shown_name(where), lasting_name(where)) == (where, None)


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("nowhere.mp4", "There is no camera, clip or folder “nowhere.mp4”"),
        ("77", "There is no camera, clip or folder “77”"),
        ("", "There is no camera, clip or folder “”"),
        (" ", "There is no camera, clip or folder “ ”"),
        ("{folder}", "has no picture in it that can be read"),
        ("{folder}/notes.txt", "no picture and no clip"),
        ("http://127.0.0.1:1/video", "http://127.0.0.1:1/video cannot be opened"),
        ("rtsp://anna:secret@127.0.0.1:1/table?key=secret", "rtsp://127.0.0.1:1/table cannot be opened"),
    ],
)
def test_missing_source_is_reported_without_passwords(where: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Bunny, bunny, moose!")
    with pytest.raises(UnreadableError, match=sentence) as caught:
        open_live(where.format(folder=tmp_path), AS_IT_IS, CAMERA)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("where", "shown", "lasting"),
    [
        ("rtsp://192.168.1.20/live", "rtsp://192.168.1.20/live", "rtsp://192.168.1.20/live"),
        ("rtsp://ida:secret@192.168.1.20/live", "rtsp://192.168.1.20/live", "rtsp://ida:…@192.168.1.20/live"),
        ("http://192.168.1.20/video?token=secret", "http://192.168.1.20/video", "http://192.168.1.20/video?token=…"),
        ("evening/round 1.mp4", "evening/round 1.mp4", None),
    ],
)
def test_password_is_neither_shown_nor_stored(where: str, shown: str, lasting: str | None) -> None:
    assert (shown_name(where), lasting_name(where)) == (shown, lasting)


def test_clips_play_even_if_all_cameras_are_refused(make_clip: MakeClip, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[CameraFound, ...]:
        raise UnreadableError("The camera may not be used by you")

    monkeypatch.setattr(live, "list_cameras", refuse)
    clip = str(make_clip())
    with open_live(clip, AS_IT_IS, CAMERA, pace=None) as source:
        assert number_of(source.read()) == 0
    assert [lasting_name(where) for where in (clip, "no camera")] == [None, None]
    with pytest.raises(UnreadableError, match="may not be used by you"):
        open_live("0", AS_IT_IS, CAMERA)


def test_folder_or_clip_is_never_mistaken_for_a_camera(
    make_clip: MakeClip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = make_clip().rename(tmp_path / "cam")
    cv2.imwrite(str(tmp_path / "table.png"), np.full((40, 60, 3), STEP, np.uint8))
    monkeypatch.setattr(live, "list_cameras", lambda: (CameraFound(0, "Logitech, Inc. Webcam", "/dev/video0"),))
    monkeypatch.chdir(tmp_path)
    for where in (clip.name, "."):
        assert lasting_name(where) is None
        with open_live(where, AS_IT_IS, CAMERA, pace=None) as source:
            assert not source.live
