"""Changes of a set-up on its page: players, figures, rules and language, without contradictions between them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, Variant, load_edition, rules_for
from bunnymoose_cv.rules.player_names import LONGEST_NAME as LONGEST_TYPED
from bunnymoose_cv.rules.player_names import name_key, player_names, tidied
from bunnymoose_cv.session.game_setup import LONGEST_NAME
from bunnymoose_cv.web.live.player_styles import STYLES, styles_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.session.game_setup import GameSetup

COLOURS: Final = (
    Phrase("Red"),
    Phrase("Blue"),
    Phrase("Green"),
    Phrase("Yellow"),
    Phrase("Orange"),
    Phrase("Purple"),
)
"""Names of the styles, in their order."""

LINES: Final = {4: Variant.FOUR_LINES, 6: None, 8: Variant.EIGHT_LINES}
"""Variant that gives the poem as many lines."""

SIMPLER: Final = {
    Variant.NO_SPECIES_CHANGE: Phrase("A tongue changes no moose into a rabbit"),
    Variant.NO_TIMES_TWO: Phrase("No ×2 cards"),
    Variant.NO_REVERSAL: Phrase("No ± cards"),
}
"""Variants that leave something out, with their names."""


def rename_players(setup: GameSetup, names: Sequence[str]) -> GameSetup:
    """Rename all players, in their order; a name that is far too long is cut."""
    return replace(setup, players=tuple(tidied(tidied(name)[:LONGEST_TYPED]) for name in names))


def name_problems(players: Sequence[str]) -> tuple[str, ...]:
    """Return the problem of each player's name; empty for a valid name."""
    keys = list(map(name_key, players))
    return tuple(_name_problem(name, keys.count(key)) for name, key in zip(players, keys, strict=True))


def _name_problem(name: str, count: int) -> str:
    if not name_key(name):
        return Phrase("Type a name.")
    if count > 1:
        return Phrase("Somebody else has that name.")
    try:
        player_names([name], LONGEST_NAME)
    except InputError as error:
        return error.sentence
    return ""


def move_player_up(setup: GameSetup, place: int) -> GameSetup:
    """Move the player at an index one place up; the first one remains."""
    if place == 0:
        return setup
    order = list(range(len(setup.players)))
    order[place - 1 : place + 1] = place, place - 1
    return _reorder(setup, order)


def remove_player(setup: GameSetup, place: int) -> GameSetup:
    """Remove the player at an index, but never leave fewer than can play."""
    if len(setup.players) <= FEWEST_PLAYERS:
        return setup
    return _reorder(setup, [index for index in range(len(setup.players)) if index != place])


def add_players(setup: GameSetup, count: int) -> GameSetup:
    """Add players with free figures and the name of their colour, but never more than can play.

    The other players keep their figures, even if a new player's name is another one's colour.
    """
    players, texts = setup.players, Texts(setup.language)
    colours = _numbers(setup)
    named = {style.number: texts(colour) for style, colour in zip(STYLES, COLOURS, strict=True)}
    for _ in range(min(count, MOST_PLAYERS - len(players))):
        keys = set(map(name_key, players))
        free = [number for number in named if number not in colours]
        number = next((number for number in free if name_key(named[number]) not in keys), free[0])
        numbered = (texts("Player {number}", number=place) for place in range(len(players) + 1, 2 * MOST_PLAYERS + 1))
        name = next(name for name in (named[number], *numbered) if name_key(name) not in keys)
        players, colours = (*players, name), (*colours, number)
    return replace(setup, players=players, colours=colours)


def recolour_player(setup: GameSetup, place: int) -> GameSetup:
    """Give the player at an index the next figures; a player who has these gets the old ones."""
    colours = _numbers(setup)
    old, new = colours[place], colours[place] % len(STYLES) + 1
    return replace(setup, colours=tuple({old: new, new: old}.get(colour, colour) for colour in colours))


def _numbers(setup: GameSetup) -> tuple[int, ...]:
    styles = styles_of(setup.players)
    return setup.colours or tuple(styles[player].number for player in setup.players)


def choose_rules(setup: GameSetup, edition: str, *, advanced: bool, variants: frozenset[Variant]) -> GameSetup:
    """Choose rules. The variant for a first game needs advanced cards, since it leaves them out at first."""
    if not (load_edition(edition).has_advanced_cards and advanced):
        variants -= {Variant.FIRST_GAME}
    return replace(setup, rules=rules_for(edition, advanced=advanced, variants=variants))


def choose_language(setup: GameSetup, language: Language) -> GameSetup:
    """Choose a language, and translate the names of players who are named like colours."""
    before, after = Texts(setup.language), Texts(language)
    words = {before(colour): after(colour) for colour in COLOURS}
    players = tuple(words.get(name, name) for name in setup.players)
    if len(set(map(name_key, players))) < len(set(map(name_key, setup.players))):
        players = setup.players  # another player has the translated name
    return replace(setup, language=language, players=players)


def _reorder(setup: GameSetup, order: Sequence[int]) -> GameSetup:
    return replace(
        setup,
        players=tuple(setup.players[index] for index in order),
        colours=tuple(setup.colours[index] for index in order) if setup.colours else (),
    )
