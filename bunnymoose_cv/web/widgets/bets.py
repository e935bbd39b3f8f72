"""Bets of the round, and the buttons to bet with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from nicegui import html

from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.widgets.player_names import player_name

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game


@dataclass(frozen=True, slots=True)
class Bets:
    """Possible bets.

    Attributes:
        narrator: who bets.
        seats: on whom one can bet, from the left.
        bet: on whom the narrator did.
        is_open: whether the bet may still be placed.
    """

    narrator: str
    seats: tuple[str, ...]
    bet: str | None
    is_open: bool


def bets_of(game: Game, *, may_bet: bool) -> Bets:
    """List the possible bets for a visitor who may, or may not, place the bet."""
    return Bets(game.narrator, game.seats, game.bet, may_bet and game.phase is Phase.BETTING)


def bets_widget(bets: Bets, game: Game, place: Callable[[str], Awaitable[object]], texts: Texts) -> None:
    """Build it.

    Args:
        bets: what there is to bet.
        game: whose players.
        place: places a bet.
        texts: of the language of the table.
    """
    if not bets.is_open:
        _closed(bets, game, texts)
        return
    group = html.div(role="group").classes("bets").props("aria-keyshortcuts=b")
    group.props["aria-label"] = texts("{narrator} bets on", narrator=bets.narrator)
    with group:
        html.h2(texts("{narrator} bets on", narrator=bets.narrator))
        with html.div().classes("choices-of-bet"):
            for number, player in enumerate(bets.seats, 1):
                _button(number, player, bets, game).on("click", partial(place, player))


def _closed(bets: Bets, game: Game, texts: Texts) -> None:
    html.h2(texts("Bet"))
    with html.p().classes("row tight placed"):
        player_name(bets.narrator, game)
        if bets.bet is None:
            html.span(texts("bet on nobody"))
        else:
            html.span(texts("bet on"))
            player_name(bets.bet, game)


def _button(number: int, player: str, bets: Bets, game: Game) -> html.button:
    button = html.button(type="button").classes("button").props(f"aria-keyshortcuts={number}")
    button.props["aria-pressed"] = "true" if player == bets.bet else "false"
    button.props["data-focus"] = f"bet {player}"
    with button:
        player_name(player, game)
        html.kbd(str(number)).props("aria-hidden=true")
    return button
