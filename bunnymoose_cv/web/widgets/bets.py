"""Bets of the round, and the buttons to bet with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game


@dataclass(frozen=True, slots=True)
class Bets:
    """Possible bets.

    Attributes:
        seats: on whom one can bet, from the left.
        is_open: whether the bet may still be placed.
        may_bet: whether the visitor may place it now.
    """

    narrator: str
    seats: tuple[str, ...]
    bet: str | None
    is_open: bool
    may_bet: bool


def bets_of(game: Game, *, may_bet: bool) -> Bets:
    """List the possible bets for a visitor who may, or may not, bet; after the game those of its last round."""
    if game.phase is Phase.OVER:
        last = game.rounds[-1].facts
        return Bets(last.narrator, last.seats, last.bet, is_open=False, may_bet=False)
    is_open = game.phase is Phase.BETTING
    return Bets(game.narrator, game.seats, game.bet, is_open, may_bet and is_open)


def bets_html(game: Game, texts: Texts, *, may_bet: bool) -> Markup:
    """Buttons for a visitor who may place the bet now; else the bet that was placed."""
    styles = styles_of(game.players, game.colours)
    return render("round/bets", texts, bets=bets_of(game, may_bet=may_bet), styles=styles)
