"""A player's name as it stands on every page: with the colour and the symbol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.web.live.player_styles import styles_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nicegui.element import Element

    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.web.live.player_styles import PlayerStyle


def player_name(player: str, game: Game) -> Element:
    """The name of a player, told apart by colour and symbol too."""
    return name_among(player, styles_of(game.players, game.colours))


def name_among(player: str, looks: Mapping[str, PlayerStyle]) -> Element:
    """The same before a game begins; somebody who is not among the players has a name alone."""
    look = looks.get(player)
    name: Element = html.span().classes("player")
    with name:
        if look is not None:
            name.style(look.style)
            html.span(look.symbol).classes("symbol").props("aria-hidden=true")
        html.span(player).classes("name")
    return name
