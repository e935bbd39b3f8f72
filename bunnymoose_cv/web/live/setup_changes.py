"""Changes of the choices before a game: players, figures and rules, so that no choice contradicts another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, Variant, load_edition, rules_for
from bunnymoose_cv.rules.player_names import name_key, tidied
from bunnymoose_cv.web.live.player_styles import STYLES
from bunnymoose_cv.web.live.setup_choices import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.web.live.setup_choices import Choices

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
"""The variant that makes a poem so long."""

SIMPLER: Final = {
    Variant.NO_SPECIES_CHANGE: Phrase("A tongue changes no moose into a rabbit"),
    Variant.NO_TIMES_TWO: Phrase("No ×2 cards"),
    Variant.NO_REVERSAL: Phrase("No ± cards"),
}
"""Variants that leave something out, and their names."""


def renamed(choices: Choices, names: Sequence[str]) -> Choices:
    """The same players under other names.

    Args:
        names: of all players, in their order.
    """
    return replace(choices, players=tuple(tidied(tidied(name)[:LONGEST_NAME]) for name in names))


def moved_up(choices: Choices, place: int) -> Choices:
    """Move one player a place up; the first one stays.

    Args:
        place: from 0.
    """
    if place == 0:
        return choices
    order = list(range(len(choices.players)))
    order[place - 1 : place + 1] = place, place - 1
    return _reorder(choices, order)


def without(choices: Choices, place: int) -> Choices:
    """Remove one player, but never leave fewer than can play.

    Args:
        place: from 0.
    """
    if len(choices.players) <= FEWEST_PLAYERS:
        return choices
    return _reorder(choices, [each for each in range(len(choices.players)) if each != place])


def one_more(choices: Choices, texts: Texts) -> Choices:
    """Add one player named by a free colour, but never more than can play."""
    players, colours = choices.players, choices.colours
    if len(players) >= MOST_PLAYERS:
        return choices
    worn = set(map(name_key, players))
    name = next(name for name in map(texts, COLOURS) if name_key(name) not in worn)
    free = next(style.number for style in STYLES if style.number not in colours)
    return replace(choices, players=(*players, name), colours=(*colours, free) if colours else ())


def recoloured(choices: Choices, place: int) -> Choices:
    """Give one player the next figures, in exchange with whoever has them.

    Args:
        place: from 0.
    """
    colours = choices.colours or tuple(choices.styles[player].number for player in choices.players)
    old, new = colours[place], colours[place] % len(STYLES) + 1
    return replace(choices, colours=tuple({old: new, new: old}.get(colour, colour) for colour in colours))


def with_rules(choices: Choices, edition: str, *, advanced: bool, variants: frozenset[Variant]) -> Choices:
    """Other rules; a first game goes with the advanced cards that it leaves out at first.

    Args:
        advanced: whether the advanced cards are taken, where the edition has some.
    """
    if not (load_edition(edition).has_advanced_cards and advanced):
        variants -= {Variant.FIRST_GAME}
    return replace(choices, rules=rules_for(edition, advanced=advanced, variants=variants))


def in_language(choices: Choices, language: Language) -> Choices:
    """Choose a language; players who are named by colours get its words."""
    before, after = Texts(choices.language), Texts(language)
    words = {before(colour): after(colour) for colour in COLOURS}
    return replace(choices, language=language, players=tuple(words.get(name, name) for name in choices.players))


def _reorder(choices: Choices, order: Sequence[int]) -> Choices:
    return replace(
        choices,
        players=tuple(choices.players[each] for each in order),
        colours=tuple(choices.colours[each] for each in order) if choices.colours else (),
    )
