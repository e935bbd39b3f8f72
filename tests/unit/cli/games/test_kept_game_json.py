"""JSON of kept games, as other programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.cli.games.kept_game_json import kept_round_json, listed_game_json
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.record.game_file import GAME_FILE, GameFile
from bunnymoose_cv.record.past_evening import listed_game
from bunnymoose_cv.record.stored_game import StoredGame
from bunnymoose_cv.rules.events import PoseCorrected
from bunnymoose_cv.rules.pose import Pose
from tests.unit.cli.games.fixed_game import NAME, fixed_game

if TYPE_CHECKING:
    from pathlib import Path


def test_the_line_of_a_game(tmp_path: Path) -> None:
    kept = fixed_game(tmp_path)
    assert json_line(listed_game_json(listed_game(kept))) == (
        f'{{"number": 1, "name": "{NAME}", "bytes": {kept.size_bytes}, "folder": "{kept.folder}", "title": "Fest", '
        '"players": ["Red", "Blue", "Gr\\u00fcn"], "rounds": 1, "over": false, "ranking": ['
        '{"place": 1, "player": "Blue", "rear": 5, "front": 9}, {"place": 2, "player": "Red", "rear": 5, "front": 5}, '
        '{"place": 2, "player": "Gr\\u00fcn", "rear": 5, "front": 5}]}'
    )


def test_the_line_of_a_game_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    folder = tmp_path / b"caf\xff".decode("utf-8", "surrogateescape")
    folder.mkdir()
    (folder / GAME_FILE).write_bytes(b"coffee" * 100)
    listed = listed_game(StoredGame(2, folder))
    assert "cannot be read" in listed.problem
    start = f'{{"number": 2, "name": "caf\\udcff", "bytes": 600, "folder": "{tmp_path}/caf\\udcff", "problem": "'
    assert json_line(listed_game_json(listed)).startswith(start)


def test_the_line_of_a_round(tmp_path: Path) -> None:
    with GameFile.open(fixed_game(tmp_path).folder) as file:
        file.append(PoseCorrected(1, "Grün", Pose.parse("WU CU")), "x", "Ann")
        time = file.standing[-1].time.isoformat()
        line = json_line(kept_round_json(file, file.game.rounds[0]))
    assert line == (
        '{"round": 1, "narrator": "Red", "bet": "Gr\\u00fcn", "cards": "B.WU+2 L.SS+1 R.TF+3 HUNTER RABBIT+1 HUNTER", '
        '"poses": {"Blue": "WU WU", "Gr\\u00fcn": "WU CU"}, "totals": {"Blue": 4, "Gr\\u00fcn": 2}, "say": ['
        '"Blue: moose ahead 4", "Gr\\u00fcn: moose ahead 2", "Red: moose ahead 2", '
        '"Catching up \\u2014 Red, Blue and Gr\\u00fcn: rabbit ahead 1", '
        '"Catching up \\u2014 Red and Gr\\u00fcn: moose ahead 1"], "figures": {"Red": {"moose": 8, "rabbit": 6}, '
        '"Blue": {"moose": 9, "rabbit": 6}, "Gr\\u00fcn": {"moose": 8, "rabbit": 6}}, "corrections": ['
        f'{{"time": "{time}", "who": "Ann", "why": "x", "event": '
        '{"kind": "pose corrected", "round": 1, "player": "Gr\\u00fcn", "pose": "WU CU"}}]}'
    )
