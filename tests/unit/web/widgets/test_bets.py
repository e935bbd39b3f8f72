"""Bets of the round: buttons for whoever may bet, words for everybody else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.events import BetPlaced, CardLaid
from bunnymoose_cv.web.widgets.bets import bets_html
from tests.unit.web.states import CARDS, OVER, ROUND, state_after

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Event

BET_IN_THE_LAST = (*OVER[:-3], BetPlaced("Red"), *OVER[-3:])


@pytest.mark.parametrize("may_bet", [True, False])
@pytest.mark.parametrize(
    ("events", "told", "is_open"),
    [
        ((), "Red has not bet yet", True),
        ((BetPlaced("Blue"),), "Red bet on Blue", True),
        (ROUND, "Yellow has not bet yet", True),
        ((CardLaid(CARDS[0]),), "Red bet on nobody", False),
        (OVER, "Blue bet on nobody", False),
        (BET_IN_THE_LAST, "Blue bet on Red", False),
    ],
)
def test_everybody_reads_the_bet_of_the_round_that_is_shown(
    events: tuple[Event, ...],
    told: str,
    *,
    is_open: bool,
    may_bet: bool,
) -> None:
    html = bets_html(state_after(*events).game, Texts(), may_bet=may_bet)
    assert ("/command/bet" in html) is (is_open and may_bet)
    if not (is_open and may_bet):
        text = " ".join(re.sub(r"<h2>.*?</h2>|<span class=\"symbol\".*?</span>|<[^>]*>", " ", html).split())
        assert text == told
