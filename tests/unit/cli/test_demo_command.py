"""`bunnymoose demo`, also without a voice, a sound device or a writable folder."""

import json
import re
import tempfile
from pathlib import Path

import av
import cv2
import pytest

from bunnymoose_cv.announcements.phrases import NARRATOR
from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.cli import demo_command
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.referee import script
from bunnymoose_cv.referee.script import demo_facts
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.player import seconds
from bunnymoose_cv.voice.voices import VoiceError
from tests.doubles import write_party
from tests.program import Program


@pytest.fixture
def short_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads_the_party: None) -> Path:
    """Make a demo of one second with two players, read without a network, and return its working directory."""
    del reads_the_party
    write_party(tmp_path / "demo.mp4", 10)
    (tmp_path / "demo.json").write_text(json.dumps({"bam_s": 0.5, "cards": "MOOSE+2", "names": ["Red", "Blue"]}))
    for module in (demo_command, script):
        monkeypatch.setattr(module, "bundled", lambda name: tmp_path / Path(name).name)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


@pytest.mark.usefixtures("quick_freeze")
def test_demo_judges_announces_and_writes_the_bundled_clip(bunnymoose: Program, tmp_path: Path) -> None:
    folder = tmp_path / "party"
    code, out, err = bunnymoose("demo", "--out", folder)
    assert code == 0
    assert err.count("\n") <= 1  # a warning if there is no sound device
    facts = demo_facts()
    announced = re.findall(r"^(.+): (?:moose|rabbit|bush) ", out, re.MULTILINE)
    called = [name for names in announced for name in re.split(", | and ", names)]
    players = facts.names or [f"Seat {seat}" for seat in range(1, 6)]
    assert sorted(called) == sorted([*players, *([NARRATOR] if facts.bet else [])])
    assert all(str(card) in out for card in parse_table(facts.cards))
    assert [line.split() for line in out.splitlines()[-3:]] == [
        ["picture", str(folder / "judged.jpg")],
        ["sound", str(folder / "said.wav")],
        ["replay", str(folder / "replay.mp4")],
    ]
    clip, replay = Clip(bundled("fixtures/demo.mp4"), "demo.mp4"), Clip(folder / "replay.mp4", "replay.mp4")
    drawn = cv2.imread(str(folder / "judged.jpg"))
    assert drawn is not None
    assert (drawn.shape[1], drawn.shape[0]) == clip.size == replay.size
    said_s = seconds(folder / "said.wav")
    assert said_s > 2
    assert replay.duration_s == pytest.approx(clip.duration_s + said_s + 1.8, abs=0.2)
    with av.open(folder / "replay.mp4") as container:
        assert [stream.codec_context.name for stream in container.streams] == ["h264", "aac"]
    held = replay.frame_at(facts.bam_s + 1).image
    assert abs(held.astype(int) - drawn).mean() < 6


def test_demo_without_a_voice_reports_it_once_and_shows_the_rest(
    bunnymoose: Program, short_demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mute(_: Engine) -> None:
        raise VoiceError("there is no voice")

    monkeypatch.setattr(Engine, "voices", mute)
    code, out, err = bunnymoose("demo")
    assert (code, err) == (0, "there is no voice\n")
    assert "Blue: moose ahead 2" in out
    folder = short_demo / "bunnymoose-demo"
    assert sorted(path.name for path in folder.iterdir()) == ["judged.jpg", "replay.mp4"]
    assert Clip(folder / "replay.mp4", "replay.mp4").duration_s > 3


def test_demo_writes_to_a_temporary_folder_if_its_own_is_unwritable(
    bunnymoose: Program, short_demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    passing = tmp_path_factory.mktemp("passing")
    monkeypatch.setattr(tempfile, "tempdir", str(passing))
    (short_demo / "bunnymoose-demo").touch()
    code, out, _ = bunnymoose("demo")
    assert code == 0
    for line in out.splitlines()[-3:]:
        path = Path(line.split()[1])
        assert path.is_file()
        assert passing in path.parents


def test_demo_without_a_writable_folder_asks_for_one(
    bunnymoose: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bunnymoose-demo").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    assert "name a folder with --out" in bunnymoose.refusal("demo")


def test_output_folder_that_cannot_be_made_is_one_sentence(bunnymoose: Program, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be made" in bunnymoose.refusal("demo", "--out", tmp_path / "file")
