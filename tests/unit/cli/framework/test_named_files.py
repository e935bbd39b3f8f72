"""No command overwrites its input or a file that is not regular, or writes into a kept game."""

import os
import sys
from pathlib import Path

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.calibration.profiles.profile_forms import PlayerProfile
from bunnymoose_cv.cli.framework.named_files import check_output_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.game_file import GAME_FILE
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import deck_file
from tests.program import Program, Run

SOUNDS = Path(__file__).parents[4] / "fixtures" / "sounds"
TAKES = [str(SOUNDS / "low_shout" / f"take_{number}.ogg") for number in (1, 2, 3)]
WRITERS = {
    "export": ["games", "export", "last", "--out"],
    "highlights": ["games", "highlights", "last", "--out"],
    "say": ["say", "hi", "--out"],
    "deck print": ["deck", "print", "--out"],
    "deck mat": ["deck", "mat", "--out"],
    "profile export": ["profile", "export", "player", "Anna", "--out"],
    "cue learn": ["cue", "learn", *TAKES, "--bam"],
}
every_writer = pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)


@pytest.fixture(name="write")
def run_writer(bunnymoose: Program, games: Path) -> Run:
    default_profile_files().keep(PlayerProfile("Anna"))

    def run(writer: list[str], out: str | Path) -> tuple[int, str, str]:
        kept = ["--games", str(games)] if writer[0] == "games" else []
        return bunnymoose(*writer, out, *kept)

    return run


@every_writer
@pytest.mark.parametrize("inside", [GAME_FILE, "rounds/01/replay.mp4", "new"])
def test_output_file_inside_a_kept_game_is_refused(write: Run, games: Path, writer: list[str], inside: str) -> None:
    game = GameStore(games).find("last").folder
    before = {path: path.read_bytes() for path in game.rglob("*") if path.is_file()}
    code, out, err = write(writer, game / inside)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"lies in the kept game {game.name}" in err
    assert {path: path.read_bytes() for path in game.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("command", [["judge", "party.jpg"], ["demo"]])
def test_output_folder_inside_a_kept_game_is_refused(bunnymoose: Program, games: Path, command: list[str]) -> None:
    game = GameStore(games).find("last").folder
    before = sorted(game.rglob("*"))
    assert f"lies in the kept game {game.name}" in bunnymoose.refusal(*command, "--out", game / "rounds" / "01")
    assert sorted(game.rglob("*")) == before


@pytest.mark.parametrize("alias", ["same", "link", "hard link"])
def test_deck_is_not_printed_over_its_own_file(bunnymoose: Program, tmp_path: Path, alias: str) -> None:
    deck, out = tmp_path / "my.toml", tmp_path / "out.pdf"
    deck.write_bytes(Path(deck_file("first")).read_bytes())
    if alias == "link":
        out.symlink_to(deck)
    elif alias == "hard link":
        out.hardlink_to(deck)
    err = bunnymoose.refusal("deck", "print", deck, "--out", deck if alias == "same" else out)
    assert "is what the command reads" in err
    assert deck.read_bytes() == Path(deck_file("first")).read_bytes()


def test_learnt_bam_does_not_overwrite_a_take(bunnymoose: Program, tmp_path: Path) -> None:
    take = tmp_path / "a.ogg"
    take.write_bytes(Path(TAKES[0]).read_bytes())
    assert "is what the command reads" in bunnymoose.refusal("cue", "learn", take, *TAKES[1:], "--bam", take)
    assert take.read_bytes() == Path(TAKES[0]).read_bytes()


@every_writer
@pytest.mark.parametrize(
    ("out", "sentence"),
    [(".", ". is a folder"), ("/", "/ is a folder"), ("A" * 300, "cannot be written (File name too long)")],
)
def test_output_that_cannot_be_a_file_is_refused(write: Run, writer: list[str], out: str, sentence: str) -> None:
    code, printed, err = write(writer, out)
    assert (code, printed, err.count("\n")) == (2, "", 1)
    assert sentence in err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
@every_writer
def test_named_pipe_is_not_replaced(write: Run, tmp_path: Path, writer: list[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code, printed, err = write(writer, pipe)
    assert (code, printed, err.count("\n")) == (2, "", 1)
    assert "it is a pipe or a device, and no file" in err
    assert pipe.is_fifo()


def test_file_that_is_not_an_input_may_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "in.txt").touch()
    (tmp_path / "out.txt").touch()
    check_output_file(tmp_path / "out.txt", tmp_path / "in.txt", tmp_path / "missing.txt")
    with pytest.raises(InputError, match="is what the command reads"):
        check_output_file(tmp_path / "x" / ".." / "in.txt", tmp_path / "in.txt")
