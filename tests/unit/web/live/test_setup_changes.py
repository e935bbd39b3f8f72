"""Changes of a set-up on its page, which keep it playable and keep the players' colours."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, Variant, rules_for
from bunnymoose_cv.session.game_setup import GameSetup
from bunnymoose_cv.web.live.player_styles import PlayerStyle, styles_of
from bunnymoose_cv.web.live.setup_changes import (
    add_players,
    choose_language,
    choose_rules,
    move_player_up,
    name_problems,
    recolour_player,
    remove_player,
    rename_players,
)

THREE = GameSetup(("A", "B", "C"), rules_for(), colours=(1, 2, 3))
SIX = GameSetup(("A", "B", "C", "D", "E", "F"), rules_for(), colours=(1, 2, 3, 4, 5, 6))


def styles(setup: GameSetup) -> Mapping[str, PlayerStyle]:
    return styles_of(setup.players, setup.colours)


def test_colours_follow_the_names_until_players_choose() -> None:
    named = replace(THREE, players=("Blue", "Anna", "Red"), colours=())
    assert [style.number for style in styles(named).values()] == [2, 3, 1]
    assert [style.number for style in styles(replace(named, colours=(5, 2, 4))).values()] == [5, 2, 4]
    assert replace(named, colours=(5, 2, 4)).started().colours == (5, 2, 4)


@pytest.mark.parametrize(
    ("changed", "players", "colours"),
    [
        (move_player_up(THREE, 2), ("A", "C", "B"), (1, 3, 2)),
        (move_player_up(THREE, 0), ("A", "B", "C"), (1, 2, 3)),
        (remove_player(SIX, 1), ("A", "C", "D", "E", "F"), (1, 3, 4, 5, 6)),
        (remove_player(THREE, 1), ("A", "B", "C"), (1, 2, 3)),
        (add_players(replace(THREE, language=Language.GERMAN), 1), ("A", "B", "C", "Gelb"), (1, 2, 3, 4)),
        (add_players(THREE, 9), ("A", "B", "C", "Yellow", "Orange", "Purple"), SIX.colours),
        (add_players(SIX, 1), SIX.players, SIX.colours),
        (
            add_players(
                rename_players(replace(THREE, players=("Red", "Blue", "Green"), colours=()), ("Ann", "Blue", "Green")),
                1,
            ),
            ("Ann", "Blue", "Green", "Yellow"),
            (1, 2, 3, 4),
        ),
        (add_players(replace(THREE, players=("yellow", "B", "C")), 1), ("yellow", "B", "C", "Orange"), (1, 2, 3, 5)),
        (
            add_players(replace(THREE, players=("Yellow", "Orange", "Purple")), 1),
            ("Yellow", "Orange", "Purple", "Player 4"),
            (1, 2, 3, 4),
        ),
        (recolour_player(THREE, 0), ("A", "B", "C"), (2, 1, 3)),
        (recolour_player(SIX, 5), SIX.players, (6, 2, 3, 4, 5, 1)),
        (
            choose_language(replace(THREE, players=("Red", "Ann", "blue")), Language.FRENCH),
            ("Rouge", "Ann", "blue"),
            (1, 2, 3),
        ),
        (
            choose_language(
                replace(THREE, players=("Rouge", "Red", "Vert"), language=Language.FRENCH), Language.SPANISH
            ),
            ("Rojo", "Red", "Verde"),
            (1, 2, 3),
        ),
        (choose_language(replace(THREE, players=("Red", "rot", "C")), Language.GERMAN), ("Red", "rot", "C"), (1, 2, 3)),
        (rename_players(THREE, (" Zoe\u0308 ", "A  B", f"{'C' * 59}  D")), ("Zo\u00eb", "A B", "C" * 59), (1, 2, 3)),
        (rename_players(THREE, (" Ann ", "B" * 99, "")), ("Ann", "B" * 60, ""), (1, 2, 3)),
    ],
)
def test_a_change_returns_the_expected_players_and_colours(
    changed: GameSetup, players: tuple[str, ...], colours: tuple[int, ...]
) -> None:
    assert (changed.players, changed.colours) == (players, colours)


@pytest.mark.parametrize(
    ("players", "problems"),
    [
        (("Ann", "Bo", "Cy"), ("", "", "")),
        (("Ann", "", "\u3164"), ("", "Type a name.", "Type a name.")),
        (("Ann", "Bo", "ANN"), ("Somebody else has that name.", "", "Somebody else has that name.")),
        (("A" * 21, "B,o", "Cy"), ("20 letters at most", "leave out commas", "")),
    ],
)
def test_the_problem_of_each_name_is_reported(players: tuple[str, ...], problems: tuple[str, ...]) -> None:
    reported = name_problems(players)
    assert list(map(bool, reported)) == list(map(bool, problems))
    assert all(part in sentence for part, sentence in zip(problems, reported, strict=True))


CHANGES: tuple[Callable[[GameSetup, int], GameSetup], ...] = (
    move_player_up,
    remove_player,
    recolour_player,
    lambda choices, _: add_players(choices, 1),
)


@given(st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 5)), max_size=20), st.booleans())
def test_a_game_can_begin_after_any_changes(
    changes: list[tuple[Callable[[GameSetup, int], GameSetup], int]],
    coloured: bool,  # noqa: FBT001 - drawn
) -> None:
    choices = GameSetup(("Red", "Blue", "Ann"), rules_for(), colours=(3, 1, 2) if coloured else ())
    for change, place in changes:
        choices = change(choices, place % len(choices.players))
    assert FEWEST_PLAYERS <= len(choices.players) <= MOST_PLAYERS
    assert len({style.number for style in styles(choices).values()}) == len(choices.players)
    choices.started()


@pytest.mark.parametrize(
    ("edition", "advanced", "variants", "expected"),
    [
        ("second", True, {Variant.FIRST_GAME, Variant.FOUR_LINES}, {Variant.FIRST_GAME, Variant.FOUR_LINES}),
        ("second", False, {Variant.FIRST_GAME, Variant.NO_TIMES_TWO}, {Variant.NO_TIMES_TWO}),
        ("first", True, {Variant.FIRST_GAME}, set()),
    ],
)
def test_the_variant_for_a_first_game_needs_advanced_cards(
    edition: str, variants: set[Variant], expected: set[Variant], *, advanced: bool
) -> None:
    chosen = choose_rules(THREE, edition, advanced=advanced, variants=frozenset(variants)).rules
    assert (chosen.edition.name, chosen.variants) == (edition, frozenset(expected))
