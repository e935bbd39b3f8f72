"""Styles of players on every page: a colour and a symbol of their own.

A symbol always stands beside the colour, so that nobody needs to tell red from green.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.rules.game import Game


@dataclass(frozen=True, slots=True)
class PlayerStyle:
    """Style of one player.

    Attributes:
        number: of the style, from 1.
        symbol: one sign that differs from everybody else's.
    """

    number: int
    symbol: str

    @property
    def colour_variable(self) -> str:
        """The name of the colour in style/house.css; what it is depends on light and dark."""
        return f"--player-{self.number}"

    @property
    def colour(self) -> str:
        """The colour as style sheets and drawings write it."""
        return f"var({self.colour_variable})"


STYLES: Final = tuple(PlayerStyle(number, symbol) for number, symbol in enumerate("●▲■◆★✚", start=1))
"""In the order in which players get them: red, blue, green, amber, orange, purple."""

_COLOUR_WORDS: Final = (
    ("red", "rot", "rouge", "rojo", "roja", "červený", "červená"),
    ("blue", "blau", "bleu", "bleue", "azul", "modrý", "modrá"),
    ("green", "grün", "vert", "verte", "verde", "zelený", "zelená"),
    ("yellow", "gelb", "jaune", "amarillo", "amarilla", "žlutý", "žlutá"),
    ("orange", "naranja", "oranžový", "oranžová"),
    ("purple", "violet", "lila", "violett", "violette", "morado", "morada", "fialový", "fialová"),
)
"""Names of those colours, in the languages of the table."""


def styles_of(players: Sequence[str], colours: Sequence[int] = ()) -> Mapping[str, PlayerStyle]:
    """Styles of all players: as they chose, else by names that are colours, else the rest in order.

    Args:
        players: at most six, all different.
        colours: the numbers of the styles that they chose, in their order; none where nobody chose.
    """
    if colours:
        return {player: STYLES[colour - 1] for player, colour in zip(players, colours, strict=True)}
    worn = {player: style for player in players if (style := _called_for(player)) is not None}
    styles: dict[str, PlayerStyle] = {}
    for player in players:
        wanted = worn.get(player)
        taken = {*styles.values()} if wanted is not None else {*styles.values(), *worn.values()}
        free = (style for style in STYLES if style not in taken)
        styles[player] = wanted if wanted is not None and wanted not in taken else next(free)
    return styles


def style_of(player: str, game: Game) -> PlayerStyle:
    """Style of one of the players of a game."""
    return styles_of(game.players, game.colours)[player]


def _called_for(player: str) -> PlayerStyle | None:
    word = player.strip().casefold()
    return next((style for style, words in zip(STYLES, _COLOUR_WORDS, strict=True) if word in words), None)
