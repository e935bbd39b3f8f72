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


def bets_html(game: Game, texts: Texts, *, may_bet: bool) -> Markup:
    """Buttons for a visitor who may place the bet now; else the bet that was placed."""
    looks = styles_of(game.players, game.colours)
    return render("round/bets", texts, bets=bets_of(game, may_bet=may_bet), looks=looks)
