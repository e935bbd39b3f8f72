"""Sound of files, clips and microphones: one channel, resampled, on the monotonic clock; recovery of a lost one."""

import os
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.microphone import Microphone
from bunnymoose_cv.capture.sound import LOUDEST, Sound, read_sound, resampled
from bunnymoose_cv.capture.stream import SoundClock
from tests.sound_system import RATE, heard_at_the_microphone

MakeClip = Callable[..., Path]


@pytest.mark.parametrize(("rate", "channels"), [(8000, 1), (22050, 1), (44100, 2)])
def test_a_wave_file_gives_its_own_samples(tmp_path: Path, rate: int, channels: int) -> None:
    samples = np.random.default_rng(1).integers(-20_000, 20_000, rate // 2, np.int16)
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.repeat(samples, channels).tobytes())
    sound = read_sound(path, 3.0)
    assert sound.rate == rate
    assert sound.samples.dtype == np.int16
    assert np.abs(sound.samples - samples.astype(int)).max() <= 1
    assert sound.start_s == 3.0
    assert sound.end_s == pytest.approx(3.5)


@pytest.mark.parametrize("content", [None, b"", b"no sound at all"])
def test_unreadable_sound_is_refused_in_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "sound.wav"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnreadableError, match=r"sound\.wav") as caught:
        read_sound(path)
    assert "\n" not in str(caught.value)


def test_a_clip_without_sound_has_none(make_clip: MakeClip) -> None:
    with pytest.raises(UnreadableError, match="holds no sound"):
        read_sound(make_clip())


def tone(hertz: float, rate: int) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    return (0.5 * LOUDEST * np.sin(2 * np.pi * hertz * np.arange(rate) / rate)).astype(np.int16)


@pytest.mark.parametrize(("rate", "wanted"), [(16_000, 48_000), (44_100, 48_000), (48_000, 16_000), (48_000, 48_000)])
def test_a_tone_keeps_its_length_and_level(rate: int, wanted: int) -> None:
    sound = resampled(tone(440.0, rate), rate, wanted)
    assert sound.dtype == np.float32
    assert len(sound) == pytest.approx(wanted, abs=20)
    assert np.abs(sound[200:-200]).max() == pytest.approx(0.5, abs=0.01)


def test_a_tone_above_the_new_rates_half_is_filtered_out() -> None:
    assert np.abs(resampled(tone(11_000.0, 48_000), 48_000, 16_000)[200:-200]).max() < 0.01


def test_empty_sound_remains_empty() -> None:
    assert resampled(np.zeros(0, np.int16), 48_000, 16_000).shape == (0,)


PIECE_S = 0.1
APART_S = 1000.0
"""Offset between our clock and the sender's, seconds."""


@pytest.mark.parametrize(
    ("arrival_s", "begins_s"),
    [
        ([101.0, 102.0, 103.0], [100.0, 101.0, 102.0]),
        ([101.0, 104.5, 104.6], [100.0, 101.0, 102.0]),  # stalled, then in a hurry
        ([103.0, 103.2, 103.4], [102.0, 102.2, 102.4]),  # the first came late
    ],
    ids=["even", "stalled", "late at first"],
)
def test_sound_keeps_the_senders_pace(arrival_s: list[float], begins_s: list[float]) -> None:
    clock = SoundClock()
    begun = [clock.start_s(7.0 + number, 1.0, came) for number, came in enumerate(arrival_s)]
    assert begun == pytest.approx(begins_s, abs=0.01)


def test_stamps_that_jump_back_restart_the_clock() -> None:
    clock = SoundClock()
    clock.start_s(500.0, 1.0, 101.0)
    assert clock.start_s(3.0, 1.0, 110.0) == pytest.approx(109.0)


def test_network_jitter_does_not_change_the_rhythm() -> None:
    clock = SoundClock()
    delays_s = [0.0, 0.3, 0.9, 0.1, 0.0, 0.5] * 10
    for number, delay_s in enumerate(delays_s):
        stamped_s = number * PIECE_S
        start_s = clock.start_s(stamped_s, PIECE_S, APART_S + stamped_s + PIECE_S + delay_s)
        assert start_s - stamped_s == pytest.approx(APART_S, abs=0.001)


@pytest.mark.parametrize("ours_runs_faster", [-0.0005, 0.0, 0.0005])
def test_small_clock_drift_is_followed(ours_runs_faster: float) -> None:
    clock = SoundClock()
    for number in range(3000):
        stamped_s = number * PIECE_S
        true_s = APART_S + stamped_s * (1 + ours_runs_faster)
        start_s = clock.start_s(stamped_s, PIECE_S, true_s + PIECE_S)
        assert start_s == pytest.approx(true_s, abs=0.001)


PATIENCE_S = 20.0
BLOCK = np.arange(882, dtype=np.int16)


class AudioSettings:
    """Recorded output of a microphone."""

    def __init__(self) -> None:
        self.sounds: list[Sound] = []
        self._changed = threading.Condition()

    def __call__(self, sound: Sound) -> None:
        with self._changed:
            self.sounds.append(sound)
            self._changed.notify_all()

    def wait_until(self, holds: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        with self._changed:
            while not holds():
                assert time.monotonic() < deadline_s
                self._changed.wait(0.1)

    def wait_for_more(self, seconds: float) -> None:
        with self._changed:
            wanted = sum(len(sound.samples) for sound in self.sounds) + seconds * RATE
            assert self._changed.wait_for(
                lambda: sum(len(sound.samples) for sound in self.sounds) >= wanted, PATIENCE_S
            )


@pytest.fixture
def plugged_in(tmp_path: Path) -> Iterator[threading.Event]:
    """Microphone that is silent while the event is cleared, as if unplugged."""
    plugged = threading.Event()
    plugged.set()

    def speak(pipe: int, over: threading.Event) -> None:
        while not over.wait(len(BLOCK) / RATE):
            if plugged.is_set():
                with suppress(BlockingIOError):  # the pipe is full after the microphone was closed
                    os.write(pipe, BLOCK.tobytes())

    with heard_at_the_microphone(tmp_path, speak, os.O_NONBLOCK):
        yield plugged
        plugged.set()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be given a sound device made of a file")
def test_lost_microphone_is_reopened(plugged_in: threading.Event) -> None:
    heard = AudioSettings()
    with Microphone("table", heard) as microphone:
        heard.wait_for_more(0.3)
        assert microphone.has_sound
        assert {sound.rate for sound in heard.sounds} == {RATE}
        assert np.concatenate([sound.samples for sound in heard.sounds])[: len(BLOCK)].tolist() == BLOCK.tolist()
        plugged_in.clear()
        heard.wait_until(lambda: not microphone.has_sound)
        plugged_in.set()
        heard.wait_until(lambda: microphone.has_sound)
        heard.wait_for_more(0.3)


@pytest.mark.parametrize(
    ("age_s", "start_s"),
    [(0.03, 99.97), (0.0, 99.98), (-5.0, 99.98), (5.0, 99.98)],
    ids=["told", "untold", "of another clock", "too old"],
)
def test_block_is_stamped_with_its_start_on_the_monotonic_clock(
    age_s: float, start_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bunnymoose_cv.capture.microphone.time", SimpleNamespace(monotonic=lambda: 100.0))
    heard = AudioSettings()
    times = SimpleNamespace(currentTime=7.0, inputBufferAdcTime=7.0 - age_s)
    Microphone("table", heard)._take(BLOCK[:, None], RATE, times)
    (sound,) = heard.sounds
    assert (sound.rate, sound.samples.tolist()) == (RATE, BLOCK.tolist())
    assert sound.start_s == pytest.approx(start_s)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be given a sound device made of a file")
@pytest.mark.usefixtures("plugged_in")
def test_microphone_given_by_number_is_found_after_replugging() -> None:
    import sounddevice  # noqa: PLC0415 - loads the sound system, which a computer without sound may lack

    heard, configuration = AudioSettings(), Path(os.environ["ALSA_CONFIG_PATH"])
    with Microphone("table", heard):
        number = sounddevice.query_devices("table")["index"]
    microphone = Microphone(str(number), heard)
    with microphone:
        heard.wait_for_more(0.1)
    configuration.write_text(f"pcm.another {{ type null }}\n{configuration.read_text()}")
    microphone._open()
    opened = microphone._stream.device
    microphone._let_go()
    assert opened == sounddevice.query_devices("table")["index"] != number


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be given a sound device made of a file")
@pytest.mark.usefixtures("plugged_in")
def test_failed_start_of_the_sound_system_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    import sounddevice  # noqa: PLC0415 - loads the sound system, which a computer without sound may lack

    def wake_badly() -> None:
        raise sounddevice.PortAudioError

    heard = AudioSettings()
    microphone = Microphone("table", heard)
    with monkeypatch.context() as once:
        once.setattr(sounddevice, "_initialize", wake_badly)
        with pytest.raises(UnreadableError):
            microphone.__enter__()
    with microphone:
        heard.wait_for_more(0.1)


def test_missing_microphone_is_reported_in_one_sentence() -> None:
    with (
        pytest.raises(UnreadableError, match="There is no sound from the microphone “nowhere”: plug it in"),
        Microphone("nowhere", AudioSettings()),
    ):
        pass
