"""Files of a judgement: images, sounds and replays, complete or absent."""

import wave
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.replay import (
    AFTER_LAST_WORD_S,
    BEFORE_FIRST_WORD_S,
    PAUSE_S,
    SILENT_S,
    join_sounds,
    starts_s,
    write_replay,
)
from bunnymoose_cv.record.still_images import Stills, write_still
from bunnymoose_cv.voice.player import seconds

GREY = np.full((48, 64, 3), 128, np.uint8)
RATE = 8000


def tone(path: Path, length_s: float) -> Path:
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, RATE, 0, "NONE", ""))
        samples = 12000 * np.sin(np.arange(round(length_s * RATE)) * 0.3)
        sound.writeframes(samples.astype("<i2").tobytes())
    return path


def test_images_get_unique_names_in_a_new_folder(tmp_path: Path) -> None:
    stills = Stills(tmp_path / "a" / "b")
    paths = [stills.keep(GREY, name) for name in ("moose", "moose", "rabbit")]
    assert [path.name for path in paths] == ["moose.jpg", "moose-2.jpg", "rabbit.jpg"]
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["moose-2.jpg", "moose.jpg", "rabbit.jpg"]
    kept = cv2.imread(str(paths[0]))
    assert kept is not None
    assert abs(kept.astype(int) - GREY).max() < 4


def test_a_later_run_replaces_its_own_images(tmp_path: Path) -> None:
    for shade in (10, 200):
        path = Stills(tmp_path).keep(np.full((8, 8, 3), shade, np.uint8), "moose")
    kept = cv2.imread(str(path))
    assert kept is not None
    assert [file.name for file in tmp_path.iterdir()] == ["moose.jpg"]
    assert abs(int(kept[0, 0, 0]) - 200) < 4


def test_original_is_never_overwritten(tmp_path: Path) -> None:
    original = tmp_path / "moose.jpg"
    original.write_bytes(b"mine")
    stills = Stills(tmp_path / "." / "", [original])
    with pytest.raises(InputError, match="would be written over the picture itself: name another folder"):
        stills.keep(GREY, "moose")
    assert original.read_bytes() == b"mine"


def test_foreign_image_is_never_overwritten(tmp_path: Path) -> None:
    theirs = cv2.imencode(".jpg", GREY)[1].tobytes()
    (tmp_path / "moose.jpg").write_bytes(theirs)
    assert [Stills(tmp_path).keep(GREY, "moose").name for _ in range(2)] == ["moose-2.jpg", "moose-2.jpg"]
    assert (tmp_path / "moose.jpg").read_bytes() == theirs


def test_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=r"folder .*file.* cannot be made \(.+\): name another one"):
        Stills(tmp_path / "file")


def test_failed_image_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "moose.jpg").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_still(GREY, tmp_path / "moose.jpg")
    assert [path.name for path in tmp_path.iterdir()] == ["moose.jpg"]


def test_sounds_follow_each_other_with_pauses(tmp_path: Path) -> None:
    sounds = [tone(tmp_path / "one.wav", 0.5), tone(tmp_path / "two.wav", 0.25)]
    assert starts_s(sounds) == pytest.approx((0.0, 0.5 + PAUSE_S))
    joined = tmp_path / "joined.wav"
    join_sounds(sounds, joined)
    assert seconds(joined) == pytest.approx(0.75 + PAUSE_S)
    with wave.open(str(joined)) as content:
        samples = np.frombuffer(content.readframes(content.getnframes()), "<i2")
    pause = samples[round(0.5 * RATE) : round((0.5 + PAUSE_S) * RATE)]
    assert not pause.any()
    assert samples[: RATE // 2].std() > 5000
    assert samples[round((0.5 + PAUSE_S) * RATE) :].std() > 5000


def test_unwritable_sound_is_reported(tmp_path: Path) -> None:
    (tmp_path / "joined.wav").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        join_sounds([tone(tmp_path / "one.wav", 0.1)], tmp_path / "joined.wav")
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("lengths_s", [(), (0.5,), (0.5, 0.25)], ids=["no voice", "one", "two"])
def test_replay_holds_the_still_during_the_announcements(tmp_path: Path, lengths_s: tuple[float, ...]) -> None:
    dark, still = np.full((64, 64, 3), 20, np.uint8), np.full((64, 64, 3), 220, np.uint8)
    sounds = [tone(tmp_path / f"{number}.wav", length) for number, length in enumerate(lengths_s)]
    path = tmp_path / "replay.mp4"
    write_replay(path, (Frame(dark, number / 10) for number in range(20)), still, 1.0, sounds)

    said_s = sum(lengths_s) + PAUSE_S * (len(lengths_s) - 1)
    hold_s = BEFORE_FIRST_WORD_S + said_s + AFTER_LAST_WORD_S if lengths_s else SILENT_S
    replay = Clip(path, "replay.mp4")
    assert replay.duration_s == pytest.approx(2.0 + hold_s, abs=0.15)
    for time_s, shade in ((0.9, 20), (1.1, 220), (0.9 + hold_s, 220), (1.2 + hold_s, 20)):
        assert abs(int(replay.frame_at(time_s).image[32, 32, 0]) - shade) < 12
    with av.open(path) as container:
        assert len(container.streams.audio) == bool(lengths_s)
