"""A microphone is heard on the monotonic clock, and heard again after it was lost."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.microphone import Microphone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bunnymoose_cv.capture.sound import Sound

PATIENCE_S = 20.0
BLOCK = np.arange(882, dtype=np.int16)
SOUND_SYSTEM = """
pcm.!default {{ type plug slave.pcm table }}
pcm.table {{ type file slave.pcm nothing file "/dev/null" infile "{pipe}" format "raw" }}
pcm.nothing {{ type null }}
ctl.!default {{ type hw card 0 }}
"""
"""Linux's sound system with one device, called “table”, that hears what is written into a pipe."""


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
            wanted = sum(len(sound.samples) for sound in self.sounds) + seconds * 44_100
            assert self._changed.wait_for(
                lambda: sum(len(sound.samples) for sound in self.sounds) >= wanted, PATIENCE_S
            )


@pytest.fixture
def plugged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A microphone; clearing the event pulls it out, as far as anybody can hear."""
    pipe, configuration = tmp_path / "pipe", tmp_path / "asound.conf"
    os.mkfifo(pipe)
    configuration.write_text(SOUND_SYSTEM.format(pipe=pipe))
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(configuration))
    end = os.open(pipe, os.O_RDWR)
    plugged, over = threading.Event(), threading.Event()
    plugged.set()

    def speak() -> None:
        while not over.wait(len(BLOCK) / 44_100):
            if plugged.is_set():
                os.write(end, BLOCK.tobytes())

    thread = threading.Thread(target=speak, daemon=True)
    thread.start()
    yield plugged
    plugged.set()
    over.set()
    thread.join()
    os.close(end)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be given a sound device made of a file")
def test_a_microphone_that_falls_silent_is_heard_again_when_it_is_back(plugged_in: threading.Event) -> None:
    heard = AudioSettings()
    with Microphone("table", heard) as microphone:
        heard.wait_for_more(0.3)
        assert microphone.has_sound
        assert {sound.rate for sound in heard.sounds} == {44_100}
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
def test_a_block_is_stamped_when_it_began_by_the_monotonic_clock(
    age_s: float, start_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bunnymoose_cv.capture.microphone.time", SimpleNamespace(monotonic=lambda: 100.0))
    heard = AudioSettings()
    times = SimpleNamespace(currentTime=7.0, inputBufferAdcTime=7.0 - age_s)
    Microphone("table", heard)._take(BLOCK[:, None], 44_100, times)
    (sound,) = heard.sounds
    assert (sound.rate, sound.samples.tolist()) == (44_100, BLOCK.tolist())
    assert sound.start_s == pytest.approx(start_s)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be given a sound device made of a file")
@pytest.mark.usefixtures("plugged_in")
def test_a_microphone_given_by_number_is_found_again_where_plugs_have_moved_it() -> None:
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
def test_a_sound_system_that_woke_badly_once_is_woken_again(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_microphone_that_is_not_there_is_a_sentence() -> None:
    with (
        pytest.raises(UnreadableError, match="There is no sound from the microphone “nowhere”: plug it in"),
        Microphone("nowhere", AudioSettings()),
    ):
        pass
