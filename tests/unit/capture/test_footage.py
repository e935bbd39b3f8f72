"""Ring buffers within their memory limit, and comparison of images to the last bit."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.capture.footage import PACKED_PER_S, RingBuffer, SoundRing
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.capture.watcher import Stillness
from bunnymoose_cv.core.user_settings import load_settings

CAMERA = load_settings().camera
LIMIT = round(CAMERA.buffer_megabytes * 1e6)


def noise(seed: int) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 256, (1080, 1920, 3), np.uint8), seed / 30)


def packed(time_s: float, size: int) -> JpegFrame:
    return JpegFrame(bytes(size), time_s)


def default_ring() -> RingBuffer:
    return RingBuffer(CAMERA.buffer_before_s, CAMERA.buffer_after_s, LIMIT)


@pytest.mark.parametrize(
    ("kilobytes", "kept_per_s"), [(150, 30), (400, 30), (760, 30), (1500, 15), (3000, 7.5), (12_000, 2)]
)
def test_ten_minutes_of_1080p_at_30_never_exceed_the_limit(kilobytes: int, kept_per_s: float) -> None:
    ring = default_ring()
    most, content = 0, bytes(kilobytes * 1000)
    for number in range(10 * 60 * 30):
        ring.add(JpegFrame(content, number / 30))
        most = max(most, ring.held_bytes)
    times = ring.frames(0, inf).times_s
    assert most <= LIMIT
    assert ring.held_bytes == len(times) * kilobytes * 1000
    assert times[-1] - times[0] == pytest.approx(12, abs=1.2 / kept_per_s + 0.1)
    assert len(times) / 12 == pytest.approx(kept_per_s, rel=0.1)
    assert max(later - earlier for earlier, later in pairwise(times)) < 2 / kept_per_s


@given(st.lists(st.tuples(st.floats(0.001, 0.5), st.integers(1, 3_000)), max_size=200), st.integers(2_000, 50_000))
def test_any_frames_at_any_times_keep_the_limit(coming: list[tuple[float, int]], limit: int) -> None:
    ring = RingBuffer(2, 1, limit)
    now = 0.0
    for step_s, size in coming:
        now += step_s
        ring.add(packed(now, size))
        held = ring.frames(0, inf)
        assert ring.held_bytes == sum(len(frame.content) for frame in held.packed) <= limit
        assert all(earlier < later for earlier, later in pairwise(held.times_s))


def test_frames_of_a_cue_are_kept_until_it_has_been_judged() -> None:
    ring = RingBuffer(2, 1, LIMIT)
    for number in range(20):
        ring.add(packed(number, 1000))
        if number == 5:
            ring.keep_for(5)
            ring.keep_for(6)
    assert ring.frames(0, inf).times_s[0] == 3
    ring.keep_for(inf)
    ring.add(packed(20, 1000))
    assert ring.frames(0, inf).times_s[0] == 17


def test_real_images_are_packed_and_keep_a_small_limit() -> None:
    ring = RingBuffer(0.5, 0.5, 5_000_000)
    for seed in range(24):
        ring.add(noise(seed))
        assert ring.held_bytes <= 5_000_000
    run = ring.frames(0, 10)
    assert 1 <= len(run) <= 3
    assert run[0].size == (1920, 1080)


def test_decoded_frames_are_packed_at_most_fifteen_times_a_second() -> None:
    ring = RingBuffer(8, 4, LIMIT)
    grey = np.full((48, 64, 3), 90, np.uint8)
    for number in range(300):
        ring.add(Frame(grey, number / 30 + number % 3 * 0.004))
    assert len(ring.frames(0, 10)) == pytest.approx(10 * PACKED_PER_S, abs=3)


def test_a_camera_of_ten_frames_a_second_keeps_them_all() -> None:
    ring = RingBuffer(8, 4, LIMIT)
    grey = np.full((48, 64, 3), 90, np.uint8)
    for number in range(50):
        ring.add(Frame(grey, number / 10))
    assert len(ring.frames(0, 10)) == 50


def test_frame_run_decodes_upright_on_access() -> None:
    ring = RingBuffer(8, 4, LIMIT)
    image = np.zeros((48, 64, 3), np.uint8)
    image[:16, :16] = 255
    for number in range(10):
        plain = RingBuffer(1, 1, LIMIT)
        plain.add(Frame(image, number / 10))
        content = plain.frames(0, 9).packed[0].content
        ring.add(JpegFrame(content, number / 10, View(90)))
    run = ring.frames(0.2, 0.5)
    assert run.times_s == (0.2, 0.3, 0.4, 0.5)
    assert [frame.time_s for frame in run] == list(run.times_s)
    assert run[-1].size == (48, 64)
    assert run[1:3].times_s == (0.3, 0.4)
    assert run[0].image[:16, -16:].mean() > 240  # top left, turned clockwise


def test_frame_that_is_not_later_is_dropped() -> None:
    ring = RingBuffer(8, 4, LIMIT)
    for time_s in (1.0, 1.0, 0.5, 1.5):
        ring.add(packed(time_s, 100))
    assert ring.frames(0, 9).times_s == (1.0, 1.5)
    assert ring.newest is not None
    assert ring.newest.time_s == 1.5


@pytest.mark.parametrize(("content", "whole"), [
    (b"\xff\xd8 \xff\xd9", True),
    (b"\xff\xd8 \xff\xd9\0\0\0", True),
    (b"\xff\xd8 ", False),
    (b" \xff\xd9", False),
    (b"", False),
])  # fmt: skip
def test_torn_jpeg_is_recognized(content: bytes, *, whole: bool) -> None:
    assert JpegFrame(content, 0.0).whole is whole


def ramp(start: int, count: int, start_s: float, rate: int = 1000) -> Sound:
    return Sound(np.arange(start, start + count).astype(np.int16), rate, start_s)


def test_pieces_of_sound_join_without_gaps_though_their_stamps_jitter() -> None:
    ring = SoundRing(8, 4)
    for number in range(100):
        ring.add(ramp(number * 20, 20, 5 + number * 0.02 + (-1) ** number * 0.004))
    heard = ring.sound(5.1, 6.1)
    assert heard is not None
    assert (heard.start_s, heard.rate) == (5.1, 1000)
    assert np.diff(heard.samples).tolist() == [1] * 999
    assert abs(int(heard.samples[0]) - 100) <= 5


def test_gap_is_silent_and_missing_sound_is_none() -> None:
    ring = SoundRing(8, 4)
    assert ring.sound(0, 1) is None
    ring.add(ramp(1, 100, 0.0))
    ring.add(ramp(1, 100, 0.5))
    heard = ring.sound(0.05, 0.55)
    assert heard is not None
    assert np.flatnonzero(heard.samples).tolist() == [*range(50), *range(450, 500)]
    assert ring.sound(0.2, 0.4) is None


def test_only_the_last_seconds_of_sound_are_held() -> None:
    ring = SoundRing(2, 1)
    for number in range(1000):
        ring.add(ramp(0, 20, number * 0.02))
        assert sum(piece.samples.nbytes for piece in ring._held) <= 2 * 3000 + 2 * 40
    assert ring.sound(0, 16) is None
    assert ring.sound(17.1, 20) is not None


def test_new_sample_rate_restarts_the_buffer() -> None:
    ring = SoundRing(8, 4)
    ring.add(ramp(0, 100, 0.0))
    ring.add(ramp(0, 100, 0.1, rate=2000))
    heard = ring.sound(0, 0.15)
    assert heard is not None
    assert heard.rate == 2000


TABLE = np.random.default_rng(1).integers(0, 255, (100, 60, 3), np.uint8)
NOISY = TABLE.copy()
NOISY[33, 20, 1] += 1
SMALLER = TABLE[:50]


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        (TABLE, TABLE.copy(), True),
        (TABLE, NOISY, False),
        (TABLE, SMALLER, False),
        (b"jpeg", bytes([*b"jpeg"]), True),
        (b"jpeg", b"jpg", False),
        (b"jpeg", TABLE, False),
    ],
)
def test_one_bit_makes_a_different_image(
    before: bytes | np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    after: bytes | np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
    *,
    same: bool,
) -> None:
    stillness = Stillness()
    seconds = []
    for time_s, shown in enumerate([before, before, after]):
        frame = JpegFrame(shown, time_s) if isinstance(shown, bytes) else Frame(shown, time_s)
        stillness.see(frame, is_renewed=time_s == 1)
        seconds.append((stillness.same_s, stillness.frozen_s))
    assert seconds == [(0, 0), (1, 0), (2, 1) if same else (0, 0)]
