"""Sound files become samples of one channel with their time; what holds no sound is a sentence."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.sound import read_sound

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
def test_a_sound_that_cannot_be_read_is_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "sound.wav"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnreadableError, match=r"sound\.wav") as caught:
        read_sound(path)
    assert "\n" not in str(caught.value)


def test_a_clip_without_sound_has_none(make_clip: MakeClip) -> None:
    with pytest.raises(UnreadableError, match="holds no sound"):
        read_sound(make_clip())
