"""`bunnymoose cue`, as a person calls it, on the recordings of the fixtures."""

import json
import os
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.rules.events import Bam

PROGRAM = "import sys; from bunnymoose_cv.cli import main; sys.argv[0] = 'bunnymoose'; main()"
SOUNDS = Path(__file__).parents[3] / "fixtures" / "sounds"
CARDS = "L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2"
Program = Callable[..., subprocess.CompletedProcess[str]]
TAKES = [SOUNDS / "low_shout" / f"take_{number}.ogg" for number in range(1, 5)]


@pytest.fixture
def cue(bunnymoose_done: Program) -> Program:
    """Runs `bunnymoose cue` with arguments."""
    return partial(bunnymoose_done, "cue")


def test_a_bam_learnt_from_files_is_heard_in_others(cue: Program, tmp_path: Path) -> None:
    kept = tmp_path / "bam.toml"
    done = cue("learn", *TAKES[:3], "--bam", kept)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"Bam learnt from 3 takes, kept in {kept}; try it with bunnymoose cue test\n"

    done = cue("test", TAKES[3], SOUNDS / "slap" / "take_1.ogg", "--bam", kept, "--json")
    (heard,) = map(json.loads, done.stdout.splitlines())
    assert heard["source"] == str(TAKES[3])
    assert 0.7 < heard["time_s"] < 1.3
    assert cue("test", TAKES[3], "--bam", kept).stdout == f"{TAKES[3]}: Bam at {heard['time_s']:.2f} s\n"

    done = cue("test", SOUNDS / "slap" / "take_1.ogg", "--bam", kept, "--json")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "No Bam was heard\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["learn", str(TAKES[0])], "A Bam is learnt from 3 takes or more, not from 1: say it again\n"),
        (["learn", str(TAKES[0]), "none.wav"], "none.wav: check the name\n"),
        (["learn", "--microphone", "no such microphone"], "plug it in, or play without one\n"),
        (
            ["test", str(TAKES[0]), "--bam", "none.toml"],
            "No Bam was learnt yet at none.toml: check its name, or run bunnymoose cue learn --bam FILE\n",
        ),
    ],
)
def test_a_mistake_is_one_sentence(cue: Program, arguments: list[str], sentence: str) -> None:
    done = cue(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(sentence)


def test_files_that_cannot_be_read_are_named_and_the_others_are_heard(cue: Program, tmp_path: Path) -> None:
    assert cue("learn", *TAKES[:3], "--bam", tmp_path / "bam.toml").returncode == 0
    missing, empty, poor = (tmp_path / name for name in ("missing.wav", "empty.wav", "poor.wav"))
    empty.touch()
    with wave.open(str(poor), "wb") as sound:
        sound.setparams((1, 2, 100, 0, "NONE", "not compressed"))
        sound.writeframes(bytes(600))
    done = cue("test", missing, empty, TAKES[3], poor, "--bam", tmp_path / "bam.toml", "--json")
    assert done.returncode == 2
    assert [json.loads(line)["source"] for line in done.stdout.splitlines()] == [str(TAKES[3])]
    named = done.stderr.splitlines()
    assert [str(file) in line for file, line in zip((missing, empty, poor), named, strict=True)] == [True] * 3


def test_a_shout_that_was_learnt_freezes_the_round(cue: Program, tmp_path: Path) -> None:
    home = tmp_path / "bunnymoose"
    assert cue("learn", *TAKES[:3], "--bam", home / "bam.toml").returncode == 0
    image = read_image(SOUNDS.parent / "scenes" / "two_1.jpg")
    clip = tmp_path / "party.mp4"
    write_film(clip, (Frame(image, number / 5) for number in range(25)), [read_sound(TAKES[3], start_s=1.5)])
    table = ["--players", "Red,Blue,Green", "--bet", "Blue", "--cards", CARDS, "--games", str(tmp_path / "games")]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "play", "--camera", clip, *table, "--no-screen", "--silent", "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": str(SOUNDS.parents[1])},
        cwd=tmp_path,
    )
    played, _ = map(json.loads, done.stdout.splitlines())
    assert (played["round"], len(played["verdicts"])) == (1, 2)
    (kept,) = GameStore(tmp_path / "games")
    with GameFile.open(kept.folder) as file:
        assert [entry.who for entry in file.standing if isinstance(entry.event, Bam)] == ["sound"]


SOUND_SYSTEM = """
pcm.!default {{ type plug slave.pcm table }}
pcm.table {{ type file slave.pcm nothing file "/dev/null" infile "{pipe}" format "raw" }}
pcm.nothing {{ type null }}
ctl.!default {{ type hw card 0 }}
"""
"""Linux's sound system with one microphone that hears what is written into a pipe, 44100 samples a second."""


@pytest.fixture
def somebody_shouts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The last take over and over, at the pace of time."""
    take = read_sound(TAKES[3])
    seconds = np.arange(round(len(take.samples) / take.rate * 44_100)) / 44_100
    samples = np.interp(seconds, np.arange(len(take.samples)) / take.rate, take.samples).astype(np.int16)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "asound.conf").write_text(SOUND_SYSTEM.format(pipe=pipe))
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(tmp_path / "asound.conf"))
    over, end = threading.Event(), os.open(pipe, os.O_RDWR | os.O_NONBLOCK)

    def shout() -> None:
        began_s = time.monotonic()
        for first in count(0, 882):
            with suppress(BlockingIOError):  # nobody listens any more, and the pipe is full
                os.write(end, samples.take(range(first, first + 882), mode="wrap").tobytes())
            if over.wait(max(0.0, began_s + first / 44_100 - time.monotonic())):
                return

    thread = threading.Thread(target=shout, daemon=True)
    thread.start()
    yield
    over.set()
    thread.join()
    os.close(end)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be given a sound device made of a file")
@pytest.mark.usefixtures("somebody_shouts")
def test_a_shout_is_heard_at_the_microphone(cue: Program, tmp_path: Path) -> None:
    assert cue("learn", *TAKES[:3], "--bam", tmp_path / "bam.toml").returncode == 0
    arguments = ["cue", "test", "--seconds", "6", "--bam", str(tmp_path / "bam.toml"), "--json"]
    # Of a process of its own: the sound system is asked once a process which microphones there are.
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=False)
    heard = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.stderr == "Listening for 6 s: say Bam …\n"
    assert {one["source"] for one in heard} == {"microphone"}
    assert 1 <= len(heard) <= 3
