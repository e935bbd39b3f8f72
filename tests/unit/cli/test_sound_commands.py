"""`bunnymoose cue` and `bunnymoose say` as users call them."""

import json
import os
import sys
import threading
import time
import wave
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.events import Bam
from bunnymoose_cv.voice.player import seconds
from tests.doubles import write_party
from tests.program import CHECKOUT, PROGRAM, Program, run_python
from tests.sound_system import RATE, heard_at_the_microphone

SOUNDS = CHECKOUT / "fixtures" / "sounds"
SLAP = SOUNDS / "slap" / "take_1.ogg"
CARDS = "L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2"
TAKES = [SOUNDS / "low_shout" / f"take_{number}.ogg" for number in range(1, 5)]


@pytest.fixture
def learnt(bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Learn a Bam from three takes, and return the file in its default place."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    kept = tmp_path / "bunnymoose" / "bam.toml"
    message = f"Bam learnt from 3 takes, kept in {kept}; try it with bunnymoose cue test\n"
    assert bunnymoose.output("cue", "learn", *TAKES[:3], "--bam", kept) == message
    return kept


def test_bam_learnt_from_files_is_heard_in_another_file(bunnymoose: Program, learnt: Path) -> None:
    (heard,) = bunnymoose.objects("cue", "test", TAKES[3], SLAP, "--bam", learnt, "--json")
    assert heard["source"] == str(TAKES[3])
    assert 0.7 < heard["time_s"] < 1.3
    assert bunnymoose("cue", "test", TAKES[3], "--bam", learnt)[1] == f"{TAKES[3]}: Bam at {heard['time_s']:.2f} s\n"
    assert bunnymoose("cue", "test", SLAP, "--bam", learnt, "--json") == (0, "", "No Bam was heard\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["learn", TAKES[0]], "A Bam is learnt from 3 takes or more, not from 1: say it again\n"),
        (["learn", TAKES[0], "none.wav"], "none.wav: check the name\n"),
        (["learn", "--microphone", "no such microphone"], "plug it in, or play without one\n"),
        (
            ["test", TAKES[0], "--bam", "none.toml"],
            "No Bam was learnt yet at none.toml: check its name, or run bunnymoose cue learn --bam FILE\n",
        ),
    ],
)
def test_invalid_cue_command_is_one_sentence(bunnymoose: Program, arguments: list[str | Path], sentence: str) -> None:
    code, out, err = bunnymoose("cue", *arguments)
    assert (code, out) == (2, "")
    assert err.endswith(sentence)


def test_unreadable_files_are_named_and_others_are_processed(bunnymoose: Program, learnt: Path, tmp_path: Path) -> None:
    missing, empty, poor = (tmp_path / name for name in ("missing.wav", "empty.wav", "poor.wav"))
    empty.touch()
    with wave.open(str(poor), "wb") as sound:
        sound.setparams((1, 2, 100, 0, "NONE", "not compressed"))
        sound.writeframes(bytes(600))
    code, out, err = bunnymoose("cue", "test", missing, empty, TAKES[3], poor, "--bam", learnt, "--json")
    assert code == 2
    assert [json.loads(line)["source"] for line in out.splitlines()] == [str(TAKES[3])]
    assert all(str(file) in line for file, line in zip((missing, empty, poor), err.splitlines(), strict=True))


@pytest.mark.usefixtures("learnt", "reads_the_party")
def test_learnt_shout_freezes_the_round(bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    clip = write_party(tmp_path / "party.mp4", 25, every_s=0.2, sounds=[read_sound(TAKES[3], start_s=1.5)])
    table = ("--players", "Red,Blue,Green", "--bet", "Blue", "--cards", CARDS, "--games", tmp_path / "games")
    code, out, _ = bunnymoose("play", "--camera", clip, *table, "--no-screen", "--silent", "--json")
    played, _ = map(json.loads, out.splitlines())
    assert (code, played["round"], len(played["verdicts"])) == (0, 1, 2)
    (kept,) = GameStore(tmp_path / "games")
    with GameFile.open(kept.folder) as file:
        assert [entry.who for entry in file.standing if isinstance(entry.event, Bam)] == ["sound"]


@pytest.fixture
def shouts_at_microphone(tmp_path: Path) -> Iterator[None]:
    """Play the last take into the microphone repeatedly, in real time."""
    take = read_sound(TAKES[3])
    seconds = np.arange(round(len(take.samples) / take.rate * RATE)) / RATE
    samples = np.interp(seconds, np.arange(len(take.samples)) / take.rate, take.samples).astype(np.int16)

    def shout(pipe: int, over: threading.Event) -> None:
        began_s = time.monotonic()
        for first in count(0, 882):
            with suppress(BlockingIOError):  # the pipe is full after the program has stopped listening
                os.write(pipe, samples.take(range(first, first + 882), mode="wrap").tobytes())
            if over.wait(max(0.0, began_s + first / RATE - time.monotonic())):
                return

    with heard_at_the_microphone(tmp_path, shout, os.O_NONBLOCK):
        yield


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be given a sound device made of a file")
@pytest.mark.usefixtures("shouts_at_microphone")
def test_shout_is_heard_at_the_microphone(learnt: Path) -> None:
    # PortAudio lists the microphones once per process, so a new process is needed.
    done = run_python(PROGRAM, "cue", "test", "--seconds", "6", "--bam", learnt, "--json")
    heard = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == "Listening for 6 s: say Bam …\n"
    assert {one["source"] for one in heard} == {"microphone"}
    assert 1 <= len(heard) <= 3


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_out_writes_a_wav_and_prints_its_path(bunnymoose: Program, tmp_path: Path) -> None:
    assert bunnymoose.output("say", "Moose ahead 3", "--out", "moose.wav") == "moose.wav\n"
    assert 0.5 < seconds(tmp_path / "moose.wav") < 3
    assert [path.name for path in tmp_path.iterdir()] == ["moose.wav"]


def test_list_shows_languages_and_names(bunnymoose: Program) -> None:
    out = bunnymoose.output("say", "--list")
    assert {"en", "de", "fr", "es", "cs"} <= {line.split()[0].split("-")[0] for line in out.splitlines()}


def test_missing_sound_device_is_reported(bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, out, err = bunnymoose("say", "Moose ahead 3")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("The voice cannot be heard")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["say"], "nothing to say"),
        (["say", "  "], "nothing to say"),
        (["say", "x", "--voice", "Germn"], "no voice “Germn”"),
        (["say", "x", "--rate", "7"], "not 7"),
        (["say", "x", "--out", "."], ". is a folder"),
        (["say", "x", "--out", "missing/a.wav"], "missing/a.wav cannot be written"),
        (["say", "x", "--out", "file/a.wav"], "file/a.wav cannot be written"),
    ],
)
def test_invalid_say_command_is_one_sentence(
    bunnymoose: Program, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "file").touch()
    assert sentence in bunnymoose.refusal(*arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
