"""Changes of who plays and by which rules: nobody gets lost, figures differ, no choice contradicts another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from bunnymoose_cv.web.live.setup_choices import LONGEST_NAME, Choices

if TYPE_CHECKING:
    from collections.abc import Callable

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
    edition: str,
    advanced: bool,  # noqa: FBT001 - a column of the table
    variants: set[Variant],
    expected: set[Variant],
) -> None:
    chosen = with_rules(THREE, edition, advanced=advanced, variants=frozenset(variants)).rules
    assert (chosen.edition.name, chosen.variants) == (edition, frozenset(expected))
