"""Styles of players on every page: a colour and a symbol.

Pages always show both, so that nobody has to distinguish red from green.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from bunnymoose_cv.rules.game import Game


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """Style of one player: its number from 1, and one character, different for each style."""

    number: int
    symbol: str

    @property
    def colour(self) -> str:
        """Colour as a CSS value, which differs between light and dark mode (style/house.css)."""
        return f"var(--player-{self.number})"


STYLES: Final = tuple(PlayerStyle(number, symbol) for number, symbol in enumerate("●▲■◆★✚", start=1))
"""Styles in the order in which players get them: red, blue, green, amber, orange, purple."""

_COLOUR_WORDS: Final = (
    ("red", "rot", "rouge", "rojo", "roja", "červený", "červená"),
    ("blue", "blau", "bleu", "bleue", "azul", "modrý", "modrá"),
    ("green", "grün", "vert", "verte", "verde", "zelený", "zelená"),
    ("yellow", "gelb", "jaune", "amarillo", "amarilla", "žlutý", "žlutá"),
    ("orange", "naranja", "oranžový", "oranžová"),
    ("purple", "violet", "lila", "violett", "violette", "morado", "morada", "fialový", "fialová"),
)
"""Names of these colours in the languages of the table."""


def styles_of(players: Sequence[str], colours: Sequence[int] = ()) -> Mapping[str, PlayerStyle]:
    """Return the styles of all players: the chosen ones or, without a choice, those named like a colour, then the rest.

    Args:
        players: up to six names; a repeated one, possible in a set-up, has the first one's style.
        colours: numbers of the chosen styles in the order of the players; empty without a choice.
    """
    styles: dict[str, PlayerStyle] = {}
    if colours:
        for player, colour in zip(players, colours, strict=True):
            styles.setdefault(player, STYLES[colour - 1])
        return styles
    named = {player: style for player in players if (style := _style_named(player)) is not None}
    for player in dict.fromkeys(players):
        wanted = named.get(player)
        taken = {*styles.values()} if wanted is not None else {*styles.values(), *named.values()}
        free = (style for style in STYLES if style not in taken)
        styles[player] = wanted if wanted is not None and wanted not in taken else next(free)
    return styles


def same_colours(before: Collection[str], after: Sequence[str]) -> Mapping[str, str]:
    """Return the new names of players who are called by the same colours in another language, by their old names."""
    by_style = {style: player for player in after if (style := _style_named(player)) is not None}
    renamed = ((player, by_style.get(style)) for player in before if (style := _style_named(player)) is not None)
    return {player: new for player, new in renamed if new is not None and player not in after and new not in before}


def style_of(player: str, game: Game) -> PlayerStyle:
    """Return the style of a player of a game."""
    return styles_of(game.players, game.colours)[player]


def _style_named(player: str) -> PlayerStyle | None:
    word = player.strip().casefold()
    return next((style for style, words in zip(STYLES, _COLOUR_WORDS, strict=True) if word in words), None)
