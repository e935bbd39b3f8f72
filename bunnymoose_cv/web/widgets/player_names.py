"""A player's name as it stands on every page: with the colour and the symbol; templates/names.html draws the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.web.live.player_styles import styles_of

if TYPE_CHECKING:
    from nicegui.element import Element

    from bunnymoose_cv.rules.game import Game


def player_name(player: str, game: Game) -> Element:
    """The name of a player, told apart by colour and symbol too; somebody who does not play has a name alone."""
    look = styles_of(game.players, game.colours).get(player)
    name: Element = html.span().classes("player")
    with name:
        if look is not None:
            name.style(look.style)
            html.span(look.symbol).classes("symbol").props("aria-hidden=true")
        html.span(player).classes("name")
    return name
