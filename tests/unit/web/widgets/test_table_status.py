"""Status of the table: mood, headline and verdicts in each phase."""

from __future__ import annotations

import pytest

from bunnymoose_cv.i18n.poem import PoemLine
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, PosesJudged, TableLaid
from bunnymoose_cv.session.table_state import CameraState, DealState, TableState
from bunnymoose_cv.web.widgets.table_status import Mood, between_rounds, verdicts_stand, waiting_for
from tests.unit.web.states import CARDS, MOOSE, OVER, ROUND, state_after

TEXTS = Texts()


POEM = DealState((PoemLine("Draw a card", "and lay it."),) * 6, 2, 2.0)


@pytest.mark.parametrize(
    ("state", "mood", "headline", "verdicts"),
    [
        (state_after(), Mood.BET, "Red narrates: bet on somebody or lay the first card", False),
        (state_after(BetPlaced("Blue")), Mood.BET, "Red bets on Blue: lay the first card", False),
        (state_after(CardLaid(CARDS[0])), Mood.DEAL, "Red deals: lay the next card", False),
        (state_after(TableLaid(CARDS)), Mood.DEAL, "Red deals: go on, or say Bam", False),
        (state_after(TableLaid(CARDS), deal=POEM), Mood.DEAL, "The referee deals: get ready", False),
        (state_after(TableLaid(CARDS), judging=True), Mood.FREEZE, "Bam! Nobody moves", False),
        (state_after(*ROUND[:2], paused=True), Mood.PAUSE, "The table takes a break", False),
        (state_after(*ROUND[:3], PosesJudged({"Blue": MOOSE})), Mood.CHECK, "Green and Yellow, please check", True),
        (state_after(*ROUND[:3], camera=CameraState.NONE), Mood.CHECK, "Bam! Say what everybody shows", True),
        (state_after(CardLaid(CARDS[0]), Bam()), Mood.CHECK, "Bam! Say which cards lie on the piles", True),
        (state_after(*ROUND), Mood.BET, "Yellow narrates: bet on somebody or lay the first card", True),
        (state_after(*ROUND, BetPlaced("Red")), Mood.BET, "Yellow bets on Red: lay the first card", False),
        (state_after(*OVER), Mood.OVER, "Blue wins!", True),
    ],
)
def test_everybody_reads_what_the_table_waits_for(
    state: TableState,
    mood: Mood,
    headline: str,
    verdicts: bool,  # noqa: FBT001 - a column of the table
) -> None:
    waiting = waiting_for(state, TEXTS)
    assert (waiting.mood, waiting.headline, verdicts_stand(state)) == (mood, headline, verdicts)
    assert between_rounds(state.game) is (verdicts and mood is Mood.BET)
    assert bool(waiting.verse) is (state.deal is not None)
    assert waiting.hint or waiting.verse
