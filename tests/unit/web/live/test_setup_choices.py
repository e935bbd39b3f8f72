"""Last choices are there the next evening; those that cannot be chosen any more are not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import Variant, rules_for
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES, Choices, ChoicesFile

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

CHOSEN = Choices(
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
def file(tmp_path: Path) -> ChoicesFile:
    file = ChoicesFile(tmp_path / "screen" / "choices.json")
    file.write(CHOSEN, CAMERAS)
    return file


@pytest.mark.parametrize(
    ("offered", "camera"),
    [(CAMERAS, 1), (CAMERAS[::-1], 0), (("Big camera",), 0), (("Another one",), 0), ((), None)],
)
def test_all_that_was_chosen_is_kept(file: ChoicesFile, offered: tuple[str, ...], camera: int | None) -> None:
    assert file.read(offered) == replace(CHOSEN, camera=camera)


def test_choices_of_an_older_program_ask_where_the_move_is_in_doubt(file: ChoicesFile) -> None:
    kept = json.loads(file.path.read_text())
    del kept["asks_everything"]
    file.path.write_text(json.dumps(kept))
    assert file.read(CAMERAS) == replace(CHOSEN, asks_everything=False)


def test_poses_by_hand_stay_so_though_there_is_a_camera(file: ChoicesFile) -> None:
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
def test_what_cannot_be_chosen_is_no_choice(file: ChoicesFile, damage: dict[str, Any]) -> None:
    file.path.write_text(json.dumps(json.loads(file.path.read_text("utf-8")) | damage))
    assert file.read(CAMERAS) == replace(FIRST_CHOICES, camera=0)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", None])
def test_a_damaged_file_is_as_none(file: ChoicesFile, content: bytes | None) -> None:
    if content is None:
        file.path.unlink()
    else:
        file.path.write_bytes(content)
    assert file.read(()) == FIRST_CHOICES


def test_colours_are_those_of_the_names_until_people_choose() -> None:
    named = replace(CHOSEN, players=("Blue", "Anna", "Red"), colours=())
    assert [style.number for style in named.styles.values()] == [2, 3, 1]
    assert [style.number for style in replace(named, colours=(5, 2, 4)).styles.values()] == [5, 2, 4]
    assert replace(named, colours=(5, 2, 4)).started().colours == (5, 2, 4)


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (("Red", "red", "Cy"), "Every player needs a name of their own"),
        (("Zo\u00eb", "Zoe\u0308", "Cy"), "Every player needs a name of their own"),
        (("A,B", "Bo", "Cy"), "is no name of a player"),
        (("A\u200bB", "Bo", "Cy"), "is no name of a player"),
    ],
)
def test_nobody_plays_under_a_name_that_misleads(players: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        replace(CHOSEN, players=players, colours=()).started()


def test_a_name_must_be_readable_on_the_screen() -> None:
    with pytest.raises(InputError, match="too long to be read"):
        replace(CHOSEN, players=("A" * 21, "Bo", "Cy")).started()
