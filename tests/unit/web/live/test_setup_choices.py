"""Choices of the set-up page: what a change gives, and what is there the next evening."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, Variant, rules_for
from bunnymoose_cv.web.live.setup_changes import (
    in_language,
    moved_up,
    one_more,
    recoloured,
    renamed,
    with_rules,
    without,
)
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES, LONGEST_NAME, Choices, ChoicesFile

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


THREE = Choices(("A", "B", "C"), rules_for(), colours=(1, 2, 3))
SIX = Choices(("A", "B", "C", "D", "E", "F"), rules_for(), colours=(1, 2, 3, 4, 5, 6))


@pytest.mark.parametrize(
    ("changed", "players", "colours"),
    [
        (moved_up(THREE, 2), ("A", "C", "B"), (1, 3, 2)),
        (moved_up(THREE, 0), ("A", "B", "C"), (1, 2, 3)),
        (without(SIX, 1), ("A", "C", "D", "E", "F"), (1, 3, 4, 5, 6)),
        (without(THREE, 1), ("A", "B", "C"), (1, 2, 3)),
        (one_more(THREE, Texts(Language.GERMAN)), ("A", "B", "C", "Rot"), (1, 2, 3, 4)),
        (one_more(SIX, Texts()), SIX.players, SIX.colours),
        (recoloured(THREE, 0), ("A", "B", "C"), (2, 1, 3)),
        (recoloured(SIX, 5), SIX.players, (6, 2, 3, 4, 5, 1)),
        (
            one_more(replace(THREE, players=("A", "rot", "C")), Texts(Language.GERMAN)),
            ("A", "rot", "C", "Blau"),
            (1, 2, 3, 4),
        ),
        (
            in_language(replace(THREE, players=("Red", "Ann", "blue")), Language.FRENCH),
            ("Rouge", "Ann", "blue"),
            (1, 2, 3),
        ),
        (
            in_language(replace(THREE, players=("Rouge", "Red", "Vert"), language=Language.FRENCH), Language.SPANISH),
            ("Rojo", "Red", "Verde"),
            (1, 2, 3),
        ),
        (renamed(THREE, (" Zoe\u0308 ", "A  B", f"{'C' * 19}  D")), ("Zo\u00eb", "A B", "C" * 19), (1, 2, 3)),
        (renamed(THREE, (" Ann ", "B" * 30, "")), ("Ann", "B" * LONGEST_NAME, ""), (1, 2, 3)),
    ],
)
def test_a_change_gives_these_players_and_colours(
    changed: Choices, players: tuple[str, ...], colours: tuple[int, ...]
) -> None:
    assert (changed.players, changed.colours) == (players, colours)


CHANGES: tuple[Callable[[Choices, int], Choices], ...] = (
    moved_up,
    without,
    recoloured,
    lambda choices, _: one_more(choices, Texts()),
)


@given(st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 5)), max_size=20), st.booleans())
def test_after_any_changes_a_game_can_begin(
    changes: list[tuple[Callable[[Choices, int], Choices], int]],
    coloured: bool,  # noqa: FBT001 - drawn
) -> None:
    choices = Choices(("Red", "Blue", "Ann"), rules_for(), colours=(3, 1, 2) if coloured else ())
    for change, place in changes:
        choices = change(choices, place % len(choices.players))
    assert FEWEST_PLAYERS <= len(choices.players) <= MOST_PLAYERS
    assert len({style.number for style in choices.styles.values()}) == len(choices.players)
    choices.started()


@pytest.mark.parametrize(
    ("edition", "advanced", "variants", "expected"),
    [
        ("second", True, {Variant.FIRST_GAME, Variant.FOUR_LINES}, {Variant.FIRST_GAME, Variant.FOUR_LINES}),
        ("second", False, {Variant.FIRST_GAME, Variant.NO_TIMES_TWO}, {Variant.NO_TIMES_TWO}),
        ("first", True, {Variant.FIRST_GAME}, set()),
    ],
)
def test_a_first_game_goes_with_the_cards_that_it_leaves_out(
    edition: str, variants: set[Variant], expected: set[Variant], *, advanced: bool
) -> None:
    chosen = with_rules(THREE, edition, advanced=advanced, variants=frozenset(variants)).rules
    assert (chosen.edition.name, chosen.variants) == (edition, frozenset(expected))
