"""`bunnymoose calibrate` before cameras in the network and clips with sound: what it tells, and how it ends."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import av
import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.camera_step import CameraStep, step_file
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.cli import calibrate_command
from tests.unit.calibration.streaming import streamed, with_noise

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.frame import Image

FIXTURES = Path(__file__).parents[3] / "fixtures"
Run: TypeAlias = tuple[int, str, str]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def lines_of(out: str) -> dict[str, dict[str, object]]:
    return {line["line"]: line for line in map(json.loads, out.splitlines())}


@pytest.mark.parametrize(
    ("mirrored", "level", "code"), [(False, "good", 0), (True, "bad", 1)], ids=["as it is", "mirrored"]
)
def test_a_camera_in_the_network_is_checked_and_the_right_hand_asked_for(
    bunnymoose: Callable[..., Run], *, mirrored: bool, level: str, code: int
) -> None:
    image = cv2.flip(read_image(FIXTURES / "players" / "0032.jpg"), 1)  # the left hand is up there: now the right one
    shown = np.asarray(cv2.flip(image, 1) if mirrored else image, np.uint8)
    with streamed(with_noise(shown)) as address:
        ended, out, err = bunnymoose("calibrate", "--camera", address, "--ask", "--json")
    lines = lines_of(out)
    assert {"picture", "upright", "rate", "light", "focus", "distance", "room", "mirror", "speed"} <= lines.keys()
    assert lines["mirror"]["level"] == level
    bad = {line for line, told in lines.items() if told["level"] == "bad"} - {"rate"}  # a busy computer drops frames
    assert bad == ({"mirror"} if mirrored else set())
    assert ended == code or lines["rate"]["level"] == "bad"
    assert "hold your right hand up" in err
    assert tomllib.loads(step_file().read_text("utf-8"))["step"] in {step.value for step in CameraStep}
    for told in lines.values():
        assert (told["remedy"] is None) is (told["level"] == "good")


def test_a_frozen_camera_is_told_by_its_cause(bunnymoose: Callable[..., Run]) -> None:
    with streamed([read_image(FIXTURES / "scenes" / "two_1.jpg")]) as address:
        code, out, _ = bunnymoose("calibrate", "--camera", address, "--no-ask", "--json")
    assert code == 1
    assert [(told["line"], told["cause"]) for told in lines_of(out).values()] == [("picture", "frozen")]


def test_a_recorded_bam_is_heard(bunnymoose: Callable[..., Run], tmp_path: Path) -> None:
    image, sound = read_image(FIXTURES / "scenes" / "three_1.jpg"), read_sound(FIXTURES / "sounds/slap/take_1.ogg")
    clip = write_clip(tmp_path / "bam.mkv", with_noise(image), sound)
    code, out, err = bunnymoose("calibrate", "--camera", str(clip), "--no-ask", "--language", "de")
    assert "Das Bam ist zu hören" in out
    assert "gut       Mikrofon" in out
    assert code == 0
    assert "Sag einmal „Bam!“" in err


def write_clip(path: Path, images: tuple[Image, ...], sound: Sound) -> Path:
    """A clip of images at 20 a second, as long as the sound that is heard in it."""
    with av.open(path, "w") as container:
        video, audio = container.add_stream("mjpeg", rate=20), container.add_stream("pcm_s16le", rate=sound.rate)
        assert isinstance(video, av.VideoStream)
        assert isinstance(audio, av.AudioStream)
        video.height, video.width = images[0].shape[:2]
        video.pix_fmt, audio.layout = "yuvj420p", "mono"
        step = sound.rate // 20
        for number, start in enumerate(range(0, len(sound.samples) - step, step)):
            frame = av.VideoFrame.from_ndarray(images[number % len(images)], format="bgr24")
            heard = av.AudioFrame.from_ndarray(sound.samples[None, start : start + step].copy(), "s16", "mono")
            heard.sample_rate, heard.pts = sound.rate, start
            container.mux([*video.encode(frame), *audio.encode(heard)])
        container.mux([*video.encode(), *audio.encode()])
    return path


def test_bad_input_is_one_sentence(bunnymoose: Callable[..., Run], tmp_path: Path) -> None:
    code, out, err = bunnymoose("calibrate", "--camera", str(tmp_path / "none.mp4"))
    assert (code, out) == (2, "")
    assert err.startswith("There is no camera, clip or folder")
    assert err.count("\n") == 1


def test_a_camera_step_that_cannot_be_kept_is_one_sentence_beside_the_findings(
    bunnymoose: Callable[..., Run], tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("no folder")
    code, out, err = bunnymoose("calibrate", "--camera", str(FIXTURES / "demo.mp4"), "--no-ask", "--json")
    assert (code, "speed" in lines_of(out)) == (2, True)
    assert err.startswith(f"What the camera is asked for cannot be kept in {step_file()} (")
    assert err.count("\n") == 1


def test_a_check_that_is_broken_off_is_not_passed(
    bunnymoose: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(calibrate_command, "_next", leave)
    code, _, err = bunnymoose("calibrate", "--camera", str(FIXTURES / "demo.mp4"), "--no-ask")
    assert (code, "Traceback" in err) == (130, False)
