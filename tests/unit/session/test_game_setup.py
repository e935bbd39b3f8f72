"""Set-up of a game: what its file stores for the next evening, and names that are refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import Variant, rules_for
from bunnymoose_cv.session.game_setup import FIRST_SETUP, GameSetup, GameSetupFile

CHOSEN = GameSetup(
    players=("Anna", "Břetislav", "Ωmega"),
    rules=rules_for("first", variants=[Variant.EIGHT_LINES, Variant.NO_REVERSAL]),
    colours=(4, 1, 6),
    language=Language.CZECH,
    speaks=False,
    asks_everything=True,
    voice="Czech",
    tempo_s=2.5,
    camera=1,
)
CAMERAS = ("Webcam", "Big camera")


@pytest.fixture
def file(tmp_path: Path) -> GameSetupFile:
    file = GameSetupFile(tmp_path / "screen" / "choices.json")
    file.write(CHOSEN, CAMERAS)
    return file


@pytest.mark.parametrize(
    ("offered", "camera"),
    [(CAMERAS, 1), (CAMERAS[::-1], 0), (("Big camera",), 0), (("Another one",), 0), ((), None)],
)
def test_everything_chosen_is_stored(file: GameSetupFile, offered: tuple[str, ...], camera: int | None) -> None:
    assert file.read(offered) == replace(CHOSEN, camera=camera)


def test_a_file_of_an_older_version_asks_only_about_moves_in_doubt(file: GameSetupFile) -> None:
    kept = json.loads(file.path.read_text())
    del kept["asks_everything"]
    file.path.write_text(json.dumps(kept))
    assert file.read(CAMERAS) == replace(CHOSEN, asks_everything=False)


def test_a_game_without_a_camera_is_stored_even_if_there_is_one(file: GameSetupFile) -> None:
    file.write(replace(CHOSEN, camera=None), CAMERAS)
    assert file.read(CAMERAS).camera is None


@pytest.mark.parametrize(
    "damage",
    [
        {"players": ["Anna", "Anna", "Bo"]},
        {"players": ["Anna"]},
        {"players": "Anna"},
        {"players": ["A" * 40, "Bo", "Cy"]},
        {"edition": "third"},
        {"variants": ["no-such-variant"]},
        {"variants": ["four-lines", "eight-lines"]},
        {"language": "tlh"},
        {"colours": [1, 1, 2]},
        {"colours": [1, 2, 9]},
        {"tempo_s": "fast"},
    ],
)
def test_an_invalid_choice_is_replaced_by_the_first_setup(file: GameSetupFile, damage: dict[str, Any]) -> None:
    file.path.write_text(json.dumps(json.loads(file.path.read_text("utf-8")) | damage))
    assert file.read(CAMERAS) == replace(FIRST_SETUP, camera=0)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", None])
def test_a_damaged_file_is_ignored(file: GameSetupFile, content: bytes | None) -> None:
    if content is None:
        file.path.unlink()
    else:
        file.path.write_bytes(content)
    assert file.read(()) == FIRST_SETUP


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (("Red", "red", "Cy"), "Every player needs a name of their own"),
        (("Zo\u00eb", "Zoe\u0308", "Cy"), "Every player needs a name of their own"),
        (("A,B", "Bo", "Cy"), "cannot be a player’s name"),
        (("A\u200bB", "Bo", "Cy"), "cannot be a player’s name"),
    ],
)
def test_a_misleading_name_is_refused(players: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        replace(CHOSEN, players=players, colours=()).started()


def test_a_name_that_is_too_long_for_the_screen_is_refused() -> None:
    with pytest.raises(InputError, match="too long to be read"):
        replace(CHOSEN, players=("A" * 21, "Bo", "Cy")).started()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"tempo_s": None, "speaks": None, "players": None}, CHOSEN),
        ({"asks_everything": False, "tempo_s": 3.0}, replace(CHOSEN, asks_everything=False, tempo_s=3.0)),
        ({"players": ("A", "B", "C", "D")}, replace(CHOSEN, players=("A", "B", "C", "D"), colours=())),
    ],
    ids=["nothing given", "values given", "other players lose the colours"],
)
def test_given_values_override_a_setup(given: dict[str, Any], expected: GameSetup) -> None:
    assert CHOSEN.merge(**given) == expected
