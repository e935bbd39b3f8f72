"""A player's name as it stands on every page: with the colour and the symbol. Owns neither (players.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.screen.players import look_of

if TYPE_CHECKING:
    from nicegui.element import Element

    from bunnymoose_cv.rules.game import Game


def player_name(player: str, game: Game) -> Element:
    """The name of a player, told apart by colour and symbol too."""
    look = look_of(player, game)
    name: Element = html.span().classes("player")
    name.style(look.style)
    with name:
        html.span(look.symbol).classes("symbol").props("aria-hidden=true")
        html.span(player).classes("name")
    return name
