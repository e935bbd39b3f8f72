"""The game at a real terminal: keys in, text out.

Players are read without a network, because these tests are about keys, texts and storage.
"""

import json
import os
import re
import select
import struct
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.sound import Samples, Sound, read_sound
from bunnymoose_cv.cues.bam import Recording, learn
from bunnymoose_cv.cues.bam_file import save_bam
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.events import Bam
from bunnymoose_cv.rules.pose import Pose
from tests.doubles import READS_PARTY, party_image, write_party
from tests.media import MjpegCamera
from tests.program import CHECKOUT, PROGRAM, Program, environment, run_python
from tests.quick import QUICK_FREEZE, write_profile

fcntl, pty, termios = (
    pytest.importorskip(name, reason="Windows has no terminal that a program opens")
    for name in ("fcntl", "pty", "termios")
)

PATIENCE_S = 40.0
CARDS = "L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2"
SLAPS = CHECKOUT / "fixtures" / "sounds" / "slap"


class Session:
    """A program in a terminal of 120 × 40 characters, with a user who reads and types.

    Args:
        folder: working directory, also of its profile.
        arguments: arguments of the program.
        sure: probability of a headgear field or a move below which the program asks.
    """

    def __init__(self, folder: Path, *arguments: str, sure: float = 0.34) -> None:
        fields = "".join(f"{field} = {max(sure, 0.5)}\n" for field in ("spread", "direction", "form", "place"))
        tongue = "clear_in = 0.5\nclear_out = 0.5\n"
        move = f"[questions]\nmove = {max(sure, 0.5)}\n"
        write_profile(folder, f"[headgear]\nkind = {sure}\n{fields}[tongue]\n{tongue}{move}{QUICK_FREEZE}")
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        variables = environment(TERM="xterm", XDG_DATA_HOME=str(folder))
        variables.pop("COLUMNS", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", READS_PARTY + PROGRAM, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=variables,
        )
        os.close(slave)
        self._read = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def read_until(self, words: str) -> str:
        """Read and discard output until it contains the words."""
        end_s = time.monotonic() + PATIENCE_S
        while words not in self._read:
            ready = select.select([self._master], [], [], max(0.0, end_s - time.monotonic()))[0]
            assert ready, f"“{words}” did not come: {self._read[-2000:]}"
            try:
                piece = os.read(self._master, 65536).decode(errors="ignore")
            except OSError:  # the program has ended
                piece = ""
            assert piece, f"“{words}” did not come before the end: {self._read[-2000:]}"
            self._read += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", piece)
        shown, self._read = self._read.split(words, 1)
        return shown + words


@pytest.fixture(scope="module")
def long_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip of two players for two minutes."""
    return write_party(tmp_path_factory.mktemp("party") / "party.mp4", 480, every_s=0.25)


def arguments(clip: Path, folder: Path, *more: str) -> list[str]:
    usual = ["--camera", str(clip), "--players", "Red,Blue,Green", "--games", str(folder), "--no-screen", "--silent"]
    return ["play", *usual, *more]


def test_every_key_works_in_a_round(long_clip: Path, tmp_path: Path) -> None:
    with Session(tmp_path, *arguments(long_clip, tmp_path / "games")) as session:
        session.read_until("Round 1 · Red narrates · waiting for the bet and the first card")
        session.read_until("2 of 2 players seen")
        session.press("b")
        session.read_until("Bet on Blue, Green:")
        session.press("gre\n")
        session.read_until("bet on Green")
        session.press("c")
        session.read_until("Cards:")
        session.press(f"{CARDS}\n")
        session.read_until(f"Cards: {CARDS}")
        session.press(" ")
        session.read_until("Round 2 · Green narrates")
        session.press("d")
        session.read_until("That was no Bam: the round goes on.")
        session.read_until("Round 1 · Red narrates · bet on Green · waiting for further cards")
        session.press("p")
        session.read_until("Paused")
        session.press(" p")
        session.press("\x1b[6~")
        session.read_until("Green: moose")
        session.read_until("Red: moose")
        session.press("kGreen CU CU\n")
        session.read_until("Green: moose")
        session.press("u")
        session.press("tGreen\n")
        session.read_until("wide antler up")
        session.press("kGreen WU WU\n")
        session.read_until("Nothing has changed: it was already like that.")
        session.press("k9 Green CU CU\n")
        session.read_until("There is no round 9 yet")
        session.press("q")
        session.read_until("Ranking")
        assert session.process.wait(PATIENCE_S) == 0
    (kept,) = GameStore(tmp_path / "games")
    with GameFile.open(kept.folder) as file:
        standing = " ".join(type(entry.event).__name__ for entry in file.standing)
        assert standing == "GameStarted BetPlaced TableLaid Bam PosesJudged"
        assert file.game.rounds[0].facts.poses["Green"] == Pose.parse("WU WU")
        assert {entry.who for entry in file.entries} >= {"people", "referee", "key", "clicker"}


def test_game_waits_for_the_pose_of_an_unclear_player(long_clip: Path, tmp_path: Path) -> None:
    options = arguments(long_clip, tmp_path / "games", "--cards", CARDS, "--bet", "Green")
    with Session(tmp_path, *options, sure=1.0) as session:
        session.read_until("2 of 2 players seen")
        session.press("\n")
        session.read_until("Please check: Blue, Green")
        session.press("kGreen WU WU\n")
        session.read_until("Green: moose back 2")
        session.read_until("Red: moose back 2")
        session.read_until("Please check: Blue (k")
        session.press("kWU\n")
        session.read_until("a pose needs the left and the right headgear")
        session.press("kTS TS t\n")
        session.read_until("Blue: ")
        session.read_until("Round 2 · Green narrates")
        session.press("q")
        session.read_until("Ranking")


def test_killed_game_resumes_in_the_same_state(long_clip: Path, tmp_path: Path) -> None:
    with Session(tmp_path, *arguments(long_clip, tmp_path / "games", "--cards", CARDS), sure=1.0) as session:
        session.read_until("2 of 2 players seen")
        session.press("\n")
        session.read_until("Please check: Blue, Green")
        session.press("kGreen WU WU\n")
        session.read_until("Please check: Blue (k")
        session.process.kill()
        session.process.wait()
    again = ["--camera", str(long_clip), "--resume", "--games", str(tmp_path / "games"), "--no-screen", "--silent"]
    with Session(tmp_path, "play", *again, "--json") as session:
        session.read_until("Please check: Blue (k")
        session.press("kTS TS t\n")
        session.read_until("Blue: ")
        session.read_until('{"round"')
        line = json.loads('{"round"' + session.read_until("}\r\n"))
        assert (line["round"], line["clip"]) == (1, None)
        assert [verdict["pose"] for verdict in line["verdicts"]] == ["TS TS t", "WU WU"]
        assert not any({"move", "read", "face_px"} & set(verdict) for verdict in line["verdicts"])
        session.read_until("Round 2 · Green narrates")
        session.press("q")
        session.read_until('{"ranking"')


def party_jpeg(number: int) -> bytes:
    image = np.ascontiguousarray(party_image()[::2, ::2])
    image[:8, :8] = number % 200  # so that the image is not frozen
    return cv2.imencode(".jpg", image)[1].tobytes()


def test_lost_camera_is_reported_and_loses_no_game_state(tmp_path: Path) -> None:
    camera = MjpegCamera()
    camera.drawn = party_jpeg
    options = ["--players", "Red,Blue,Green", "--cards", CARDS, "--bet", "Green", "--no-screen", "--silent"]
    with Session(tmp_path, "play", "--camera", camera.address, "--games", str(tmp_path / "games"), *options) as session:
        session.read_until("2 of 2 players seen")
        camera.stop()
        session.read_until("The camera is gone. The game waits.")
        session.read_until("Round 1 · Red narrates · bet on Green · waiting for further cards")
        camera.start()
        session.read_until("The camera is back.")
        session.read_until("2 of 2 players seen")
        session.press(" ")
        session.read_until("Green: moose back 2")
        session.press("q")
        session.read_until("Ranking")
    camera.stop()


@pytest.mark.usefixtures("quick_freeze")
def test_learnt_sound_says_bam(tmp_path: Path) -> None:
    save_bam(learn([Recording(*_heard(number)) for number in (1, 2, 3)]), tmp_path / "bam.toml")
    clip = write_party(tmp_path / "slap.mp4", 20, every_s=0.2, sounds=[Sound(*_heard(4), 1.0)])
    more = ["--cards", CARDS, "--bam", str(tmp_path / "bam.toml"), "--json"]
    done = without_keyboard(*arguments(clip, tmp_path / "games", *more))
    assert [json.loads(line).get("round") for line in done.stdout.splitlines()] == [1, None]
    (kept,) = GameStore(tmp_path / "games")
    with GameFile.open(kept.folder) as file:
        assert [entry.who for entry in file.entries if isinstance(entry.event, Bam)] == ["sound"]


def _heard(take: int) -> tuple[Samples, int]:
    sound = read_sound(SLAPS / f"take_{take}.ogg")
    return sound.samples, sound.rate


def without_keyboard(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the program without a terminal."""
    return run_python(READS_PARTY + PROGRAM, *words, stdin=subprocess.DEVNULL)


def test_dealer_recites_lays_cards_and_says_bam(long_clip: Path, tmp_path: Path) -> None:
    options = arguments(long_clip, tmp_path / "games", "--deal", "--seed", "5", "--tempo", "0.2")
    with Session(tmp_path, *options) as session:
        session.read_until("--seed 5")
        session.read_until("2 of 2 players seen")
        session.press("s")
        session.read_until("Up the hill and round the bend")
        session.read_until("Bam!")
        session.read_until("Round 2 · Green narrates")
        session.press("q")
        session.read_until("Ranking")
    (kept,) = GameStore(tmp_path / "games")
    with GameFile.open(kept.folder) as file:
        assert len(file.game.rounds[0].facts.cards) == 6


@pytest.mark.usefixtures("quick_freeze")
def test_no_question_is_asked_without_a_keyboard(tmp_path: Path) -> None:
    short = write_party(tmp_path / "short.mp4", 16, every_s=0.2)
    more = ["--cards", CARDS, "--bet", "Blue", "--at", "1.0", "--json"]
    done = without_keyboard(*arguments(short, tmp_path / "games", *more))
    round_line, ranking = map(json.loads, done.stdout.splitlines())
    assert (round_line["round"], round_line["bet"], len(round_line["verdicts"])) == (1, "Blue", 2)
    assert len(ranking["ranking"]) == 3
    assert Path(round_line["clip"]).is_file()


@pytest.mark.usefixtures("data_folder")
def test_nothing_is_stored_for_a_camera_that_never_opened(bunnymoose: Program, tmp_path: Path) -> None:
    words = ("play", "--no-screen", "--silent", "--camera", "http://127.0.0.1:1", "--players", "A,B,C")
    assert bunnymoose.refusal(*words).startswith("http://127.0.0.1:1 cannot be opened")
    assert not list(tmp_path.rglob("*.toml"))
    assert not list(tmp_path.rglob("*.sqlite"))
