"""The watcher: newest frame, ring buffer, watchdog, and reopening of lost sources."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import av
import numpy as np
import pytest

from bunnymoose_cv.capture import connection, stream
from bunnymoose_cv.capture import watcher as watching
from bunnymoose_cv.capture.frame import Frame, SourceLostError, UnreadableError
from bunnymoose_cv.capture.image_geometry import AS_IT_IS, View
from bunnymoose_cv.capture.live import open_live
from bunnymoose_cv.capture.live_source import CameraState, LiveSource, Taken
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.user_settings import CameraSettings, load_settings
from tests.media import STEP, grey_jpeg, number_of

if TYPE_CHECKING:
    from av.container import InputContainer

MakeClip = Callable[..., Path]
CAMERA = load_settings().camera
QUICK = CAMERA.model_copy(update={"lost_after_s": 0.5})
"""Limits with short timeouts, to save time."""

PATIENCE_S = 20.0
PATIENT = CAMERA.model_copy(update={"lost_after_s": PATIENCE_S})
"""Limits with which a camera that stalls on a busy computer is not lost."""


class States:
    """States that a watcher reported, in order.

    Attributes:
        problems: the watcher's problem at each state, which a later attempt to open the source may replace.
    """

    def __init__(self, watcher: Watcher) -> None:
        self.problems: list[str | None] = []
        self._watcher = watcher
        self._reported: list[CameraState] = []
        self._changed = threading.Condition()
        watcher.listen(self._hear)

    def _hear(self, state: CameraState) -> None:
        with self._changed:
            self.problems.append(self._watcher.problem)
            self._reported.append(state)
            self._changed.notify_all()

    def wait(self, *states: CameraState) -> None:
        """Wait until these states have been reported, and no others."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._reported) >= len(states), PATIENCE_S)
            assert self._reported[: len(states)] == list(states)


@pytest.fixture
def watched(mjpeg_camera: Any) -> Iterator[Watcher]:
    with Watcher(mjpeg_camera.address, AS_IT_IS, PATIENT) as watcher:
        yield watcher


@pytest.fixture
def watched_closely(mjpeg_camera: Any) -> Iterator[Watcher]:
    with Watcher(mjpeg_camera.address, AS_IT_IS, CAMERA) as watcher:
        yield watcher


def test_a_camera_is_watched_from_its_first_frame(watched: Watcher, mjpeg_camera: Any) -> None:
    first = watched.newest()
    assert first is not None
    assert first.size == (96, 64)
    assert watched.state is CameraState.WATCHING
    assert watched.problem is None
    assert watched.title == mjpeg_camera.address
    assert watched.wait_for(first.time_s + 1.0, PATIENCE_S)
    run = watched.frames(first.time_s, first.time_s + 1.0)
    assert len(run) > 3
    assert run[0].time_s == first.time_s


def test_the_newest_frame_never_waits_behind_old_ones(watched: Watcher, mjpeg_camera: Any) -> None:
    """The newest frame is recent, even after two seconds without a request."""
    mjpeg_camera.drawn = lambda number: grey_jpeg(2 * (number % 128))
    first = watched.newest()
    assert first is not None
    assert watched.wait_for(first.time_s + 2.0, PATIENCE_S)
    sent = mjpeg_camera.sent
    newest = watched.newest()
    assert newest is not None
    number = round(float(newest.image[-20:, -20:].mean()) / 2)
    ahead = (number - sent + 64) % 128 - 64  # positive if another frame came after `sent` was read
    assert ahead >= -20  # of 60 that were not requested


def test_cut_stream_is_noticed_and_reopened(watched: Watcher, mjpeg_camera: Any) -> None:
    states = States(watched)
    before = watched.newest()
    assert before is not None
    mjpeg_camera.stop()
    states.wait(CameraState.LOST)
    assert watched.problem is not None
    assert mjpeg_camera.address in watched.problem
    assert not watched.wait_for(time.monotonic() + 1, PATIENCE_S)
    assert before.time_s in watched.frames(before.time_s, before.time_s).times_s  # earlier frames are kept
    mjpeg_camera.start()
    states.wait(CameraState.LOST, CameraState.WATCHING)
    assert watched.problem is None
    assert watched.wait_for(time.monotonic() + 0.1, PATIENCE_S)


def test_silent_camera_is_noticed_and_reopened(watched_closely: Watcher, mjpeg_camera: Any) -> None:
    states = States(watched_closely)
    mjpeg_camera.hangs = True
    states.wait(CameraState.LOST)
    mjpeg_camera.hangs = False
    states.wait(CameraState.LOST, CameraState.WATCHING)


def test_frozen_camera_is_reported_once_and_recovers(watched_closely: Watcher, mjpeg_camera: Any) -> None:
    states = States(watched_closely)
    mjpeg_camera.moving = False
    states.wait(CameraState.LOST)
    assert "the same picture again and again" in str(states.problems[0])
    mjpeg_camera.wait_for_connections(3)  # it was reopened twice and still shows the same image
    assert watched_closely.state is CameraState.LOST
    mjpeg_camera.moving = True
    states.wait(CameraState.LOST, CameraState.WATCHING)


class PacedStream:
    """Stream that is also the clock, by its time stamps; at each pause it waits for `looked_at`.

    Args:
        path: clip that is sent.
        pauses_s: times of the pauses on its clock, seconds.
        stuck: True if all packets have the same time stamp, like those of some senders that hang.
    """

    def __init__(self, path: Path, pauses_s: list[float], *, stuck: bool = False) -> None:
        self.container, self.pauses_s, self.stuck, self.now_s = av.open(path), pauses_s, stuck, 0.0
        self.pausing, self.looked_at = threading.Semaphore(0), threading.Semaphore(0)

    def __getattr__(self, name: str) -> object:
        return getattr(self.container, name)

    def monotonic(self) -> float:
        return self.now_s

    def demux(self, *_: object) -> Iterator[object]:
        for packet in self.container.demux(video=0):
            if packet.pts is None or packet.time_base is None:
                continue  # the stream never ends
            self.now_s = float(packet.pts * packet.time_base)
            if self.pauses_s and self.now_s > self.pauses_s[0]:
                self.pausing.release()
                assert self.looked_at.acquire(timeout=PATIENCE_S)
                del self.pauses_s[0]
            if self.stuck:
                packet.pts = packet.dts = 1
            yield packet


def watched_stream(stream_: PacedStream, monkeypatch: pytest.MonkeyPatch) -> Watcher:
    """Return a watcher of a stream, with the stream as its clock."""
    monkeypatch.setattr(stream, "time", stream_)
    monkeypatch.setattr(connection, "time", stream_)
    opened = stream.StreamSource(cast("InputContainer", stream_), "phone", "phone", AS_IT_IS)
    monkeypatch.setattr(watching, "open_live", lambda *_, **__: opened)
    return Watcher("phone", AS_IT_IS, CAMERA)


STILL_S = 22.0
STILL_COUNT = round(STILL_S * 5)


@pytest.fixture
def make_calm(make_clip: MakeClip, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Return a writer of clips with identical images for `STILL_S`, followed by ten different ones."""
    grey = np.full

    def step(shape: tuple[int, ...], value: int, kind: type) -> Any:
        return grey(shape, max(0, value // STEP + 1 - STILL_COUNT) * STEP, kind)

    def make(name: str, codec: str) -> Path:
        with monkeypatch.context() as patch:
            patch.setattr(np, "full", step)
            return make_clip(name, codec=codec, times_s=[number / 5 for number in range(STILL_COUNT + 10)])

    return make


@pytest.mark.parametrize(
    ("name", "codec"), [("calm.ts", "libx264"), ("calm.webm", "libvpx"), ("calm.ts", "mpeg2video")]
)
def test_calm_table_behind_an_encoder_causes_only_a_notice(
    name: str, codec: str, make_calm: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Assert a mere notice, since a frozen sensor behind a running encoder looks the same."""
    network = PacedStream(make_calm(name, codec), [10.0, 21.5, STILL_S + 1.5])
    watcher = watched_stream(network, monkeypatch)
    states, problems = States(watcher), []
    with watcher:
        for _ in range(3):
            assert network.pausing.acquire(timeout=PATIENCE_S)
            problems.append((watcher.state, watcher.problem))
            network.looked_at.release()
        states.wait(CameraState.WATCHING, CameraState.LOST)
    watching_, notice = CameraState.WATCHING, problems[1][1]
    assert problems == [(watching_, None), (watching_, notice), (watching_, None)]
    assert notice is not None
    assert "phone has shown the same picture for a while" in notice


@pytest.mark.parametrize("codec", ["mjpeg", "rawvideo", "libx264"])
def test_a_frozen_camera_without_an_encoder_or_with_stamps_that_never_rise_is_lost(
    codec: str, make_calm: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = PacedStream(make_calm("calm.mkv", codec), [5.0], stuck=codec == "libx264")
    watcher = watched_stream(network, monkeypatch)
    states = States(watcher)
    with watcher:
        states.wait(CameraState.WATCHING, CameraState.LOST)
    assert "the same picture again and again" in str(states.problems[1])


class HangingSource(LiveSource):
    """Camera whose driver blocks for ever after the first image, as some do when they are unplugged."""

    live = True
    size = (4, 4)

    def __init__(self, number: int, woken: threading.Event) -> None:
        self.title = self.again = f"camera {number}"
        self.number, self.woken, self.closed = number, woken, threading.Event()
        self.first = True

    def take(self) -> Taken:
        if not self.first:
            self.woken.wait()
        self.first = False
        return Frame(np.full((4, 4, 3), self.number, np.uint8), time.monotonic())

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def woken() -> threading.Event:
    """Yield an event that wakes the hanging drivers."""
    return threading.Event()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, woken: threading.Event) -> list[HangingSource]:
    """Return the list of opened hanging cameras."""
    sources: list[HangingSource] = []

    def open_camera(*_: object, **__: object) -> LiveSource:
        sources.append(HangingSource(len(sources), woken))
        return sources[-1]

    monkeypatch.setattr(watching, "open_live", open_camera)
    return sources


def test_hanging_driver_is_abandoned_and_reopened(opened: list[HangingSource], woken: threading.Event) -> None:
    watcher = Watcher("0", AS_IT_IS, QUICK)
    states = States(watcher)
    with watcher:
        states.wait(CameraState.WATCHING, CameraState.LOST, CameraState.WATCHING)
        assert not opened[0].closed.is_set()
        woken.set()
        assert opened[0].closed.wait(PATIENCE_S)


def test_number_of_abandoned_connections_is_limited(
    opened: list[HangingSource], woken: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_LEAVING_S", 0.0)
    watcher = Watcher("0", AS_IT_IS, QUICK)
    for _ in range(watching._MOST_HANGING + 2):
        watcher._watch()
    assert watcher.state is CameraState.LOST
    assert len(opened) == watching._MOST_HANGING
    woken.set()
    for left_behind in watcher._hanging:
        left_behind._thread.join(PATIENCE_S)
    watcher._watch()
    assert len(opened) == watching._MOST_HANGING + 1


def test_camera_is_reopened_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reopen a camera whose number changed when it was plugged in again, beside one with a longer name."""
    asked: list[tuple[str, bool]] = []

    def open_camera(where: str, *_: object, exactly: bool) -> LiveSource:
        asked.append((where, exactly))
        source = HangingSource(len(asked), threading.Event())
        source.again = "Webcam"
        return source

    monkeypatch.setattr(watching, "open_live", open_camera)
    monkeypatch.setattr(HangingSource, "take", lose_after_one)
    watcher = Watcher("0", AS_IT_IS, QUICK)
    states = States(watcher)
    with watcher:
        states.wait(CameraState.WATCHING, CameraState.LOST, CameraState.WATCHING)
    assert asked[:2] == [("0", False), ("Webcam", True)]


def lose_after_one(source: HangingSource) -> Frame:
    if not source.first:
        raise SourceLostError("pulled out")
    source.first = False
    return Frame(np.full((4, 4, 3), source.number, np.uint8), time.monotonic())


def test_retries_back_off(mjpeg_camera: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Semaphore(0)
    times: list[float] = []

    def counted(*arguments: Any, **named: Any) -> LiveSource:
        times.append(time.monotonic())
        asked.release()
        return open_live(*arguments, **named)

    monkeypatch.setattr(watching, "open_live", counted)
    with Watcher(mjpeg_camera.address, AS_IT_IS, CAMERA) as watcher:
        assert watcher.wait_for(time.monotonic() + CAMERA.lost_after_s, PATIENCE_S)
        mjpeg_camera.stop()
        for _ in range(4):
            assert asked.acquire(timeout=PATIENCE_S)
    first, second = np.diff(times[1:4])
    assert first >= 0.5
    assert second >= 1.0


def test_source_that_never_sends_a_picture_is_reported_with_a_remedy(
    mjpeg_camera: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "OPENING_S", 0.3)
    mjpeg_camera.hangs = True
    with (
        pytest.raises(SourceLostError, match="sends no pictures: start the camera or its app again"),
        Watcher(mjpeg_camera.address, AS_IT_IS, QUICK),
    ):
        pass


def test_missing_source_is_reported_at_once() -> None:
    before = threading.active_count()
    with (
        pytest.raises(UnreadableError, match="There is no camera, clip or folder “nowhere”"),
        Watcher("nowhere", AS_IT_IS, CAMERA),
    ):
        pass
    assert threading.active_count() <= before


def test_bug_before_the_first_frame_is_raised_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "Connection", None)
    with pytest.raises(TypeError), Watcher("0", AS_IT_IS, CAMERA):
        pass


def test_motionless_clip_ends_and_is_never_lost(make_clip: MakeClip, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "full", lambda shape, _value, kind: np.zeros(shape, kind))
    still = make_clip(times_s=[number / 10 for number in range(40)])
    watcher = Watcher(str(still), AS_IT_IS, QUICK, pace=None)
    states = States(watcher)
    with watcher:
        assert not watcher.wait_for(60, PATIENCE_S)
        states.wait(CameraState.WATCHING, CameraState.ENDED)
        assert watcher.wait_for(3.9, 0)
        assert watcher.problem is not None
        assert "is over" in watcher.problem


def test_clip_without_a_pace_keeps_its_own_clock(make_clip: MakeClip) -> None:
    with Watcher(str(make_clip()), View(90), CAMERA, pace=None) as watcher:
        assert watcher.wait_for(1.9, PATIENCE_S)
        run = watcher.frames(0.5, 1.2)
        assert run.times_s == pytest.approx([0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2], abs=0.001)
        assert [number_of(frame) for frame in run] == [5, 6, 7, 8, 9, 10, 11, 12]
        assert {frame.size for frame in run} == {(64, 96)}
        assert 0 < watcher._ring.held_bytes < 100_000
        assert watcher.sound(0, 2) is None


def test_sound_of_a_clip_is_buffered_and_passed_on(tmp_path: Path, write_bam: Callable[..., Path]) -> None:
    path = write_bam(tmp_path / "bam.mkv", seconds=2.0, bam_s=1.2)
    heard: list[float] = []
    watcher = Watcher(str(path), AS_IT_IS, CAMERA, pace=None)
    watcher.listen_to_sound(
        lambda samples, rate, time_s: heard.extend(time_s + np.flatnonzero(np.abs(samples) > 10_000) / rate)
    )
    with watcher:
        assert watcher.wait_for(1.9, PATIENCE_S)
        assert not watcher.wait_for(9, PATIENCE_S)
        sound = watcher.sound(1.0, 1.5)
    assert heard[0] == pytest.approx(1.2, abs=0.02)
    assert sound is not None
    assert sound.start_s + int(np.argmax(np.abs(sound.samples) > 10_000)) / sound.rate == pytest.approx(1.2, abs=0.02)


def test_missing_microphone_is_reported_in_one_sentence(make_clip: MakeClip) -> None:
    with (
        pytest.raises(UnreadableError, match="There is no sound from the microphone “nowhere”: plug it in"),
        Watcher(str(make_clip()), AS_IT_IS, CAMERA, microphone="nowhere"),
    ):
        pass


def test_limits_reach_the_ring(make_clip: MakeClip) -> None:
    small = CameraSettings.model_construct(**CAMERA.model_dump() | {"buffer_before_s": 0.3, "buffer_after_s": 0.2})
    with Watcher(str(make_clip()), AS_IT_IS, small, pace=None) as watcher:
        assert watcher.wait_for(1.9, PATIENCE_S)
        times = watcher.frames(0, 2).times_s
    assert times[-1] - times[0] == pytest.approx(0.5, abs=0.001)


def test_known_delay_is_subtracted_and_read_for_each_connection(mjpeg_camera: Any) -> None:
    asked: list[tuple[int, int]] = []

    def delay_of(size: tuple[int, int]) -> float:
        asked.append(size)
        return 2.0

    began_s = time.monotonic()
    watcher = Watcher(mjpeg_camera.address, AS_IT_IS, PATIENT, delay_of=delay_of)
    states = States(watcher)
    with watcher:
        newest = watcher.newest()
        assert newest is not None
        assert began_s - 2.0 <= newest.time_s <= time.monotonic() - 2.0
        assert watcher.wait_for(time.monotonic(), 1.9)  # the timeout starts after the delay
        assert (watcher.delay_s, watcher.may_be_late) == (2.0, False)
        mjpeg_camera.stop()
        states.wait(CameraState.WATCHING, CameraState.LOST)
        mjpeg_camera.start()
        states.wait(CameraState.WATCHING, CameraState.LOST, CameraState.WATCHING)
    assert asked == [(96, 64), (96, 64)]


def test_stream_with_unknown_delay_may_be_late(watched: Watcher) -> None:
    assert (watched.delay_s, watched.may_be_late) == (None, True)


def test_frames_are_buffered_while_the_delay_is_measured(mjpeg_camera: Any) -> None:
    short = PATIENT.model_copy(update={"buffer_before_s": 1.0, "buffer_after_s": 1.0})
    with Watcher(mjpeg_camera.address, AS_IT_IS, short) as watcher:
        first = watcher.newest()
        assert first is not None
        assert watcher.wait_for(first.time_s + 4.0, PATIENCE_S)
        assert watcher.frames(first.time_s, first.time_s).times_s == (first.time_s,)


class SpeakingSource(HangingSource):
    """Camera that yields sound and an image of this moment, and then hangs."""

    def __init__(self) -> None:
        super().__init__(1, threading.Event())
        self._speaks = True

    def take(self) -> Taken:
        if self._speaks:
            self._speaks = False
            return Sound(np.zeros(800, np.int16), 8000, time.monotonic())
        return super().take()


def test_delay_is_subtracted_from_the_streams_own_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SpeakingSource()
    monkeypatch.setattr(watching, "open_live", lambda *_, **__: source)
    heard: list[float] = []
    watcher = Watcher("0", AS_IT_IS, CAMERA, delay_of=lambda _: 2.0)
    watcher.listen_to_sound(lambda _, __, time_s: heard.append(time_s))
    began_s = time.monotonic()
    with watcher:
        newest = watcher.newest()
        source.woken.set()
    assert newest is not None
    assert began_s - 2.0 <= heard[0] <= newest.time_s <= time.monotonic() - 2.0
