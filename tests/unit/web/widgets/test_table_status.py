"""Status of the table: mood, headline and verdicts in each phase."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.poem import PoemLine
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, PosesJudged, TableLaid, Undone
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.table_state import DealState, TableState
from bunnymoose_cv.web.widgets.table_status import Mood, between_rounds, verdicts_stand, waiting_for
from tests.unit.web.states import CARDS, MOOSE, OVER, PLAYERS, ROUND, state_after

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Event

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


def judged_state(*events: Event) -> TableState:
    """State after events whose poses the referee has judged."""
    state = state_after(*events)
    entries = [replace(each, who=REFEREE) if isinstance(each.event, PosesJudged) else each for each in state.entries]
    return replace(state, entries=tuple(entries))


UNSURE = "The referee is not sure: one tap says what it is."
TAKEN_BACK = "Their verdicts were taken back: say what they show."
SOME = PosesJudged({"Blue": MOOSE, "Green": MOOSE})


@pytest.mark.parametrize(
    ("state", "hint"),
    [
        (judged_state(*ROUND, Undone()), TAKEN_BACK),
        (state_after(*ROUND, Undone()), UNSURE),
        (judged_state(*ROUND[:3]), UNSURE),
        (judged_state(*ROUND[:3], SOME, Undone()), UNSURE),
        (replace(judged_state(*ROUND[:3], SOME, Undone()), asked=("Blue", "Green")), TAKEN_BACK),
        (judged_state(*ROUND, Undone(), Undone(), Bam()), UNSURE),
    ],
)
def test_the_referee_is_called_unsure_only_where_it_was(state: TableState, hint: str) -> None:
    assert waiting_for(state, TEXTS).hint == hint


@pytest.mark.parametrize(
    ("laid", "hint"),
    [
        (0, "No card is known yet: tell those of all 6 piles."),
        (2, "2 of 6 piles are known: tell the cards of the others, or all 6."),
    ],
)
def test_after_an_early_bam_the_missing_cards_are_asked_for(laid: int, hint: str) -> None:
    assert waiting_for(state_after(*map(CardLaid, CARDS[:laid]), Bam()), TEXTS).hint == hint


@pytest.mark.parametrize(
    ("language", "headline"),
    [
        (Language.ENGLISH, "Red, Blue, Green and Yellow win together!"),
        (Language.GERMAN, "Red, Blue, Green und Yellow gewinnen zusammen!"),
        (Language.FRENCH, "Red, Blue, Green et Yellow gagnent ensemble\N{NO-BREAK SPACE}!"),
        (Language.SPANISH, "¡Red, Blue, Green y Yellow ganan juntos!"),
        (Language.CZECH, "Společně vítězí Red, Blue, Green a Yellow!"),
    ],
)
def test_winners_are_listed_as_the_language_does(language: Language, headline: str) -> None:
    bush = Pose(None, None)
    rounds = [
        event
        for number in range(8)
        for event in (
            TableLaid(CARDS),
            Bam(),
            PosesJudged(dict.fromkeys((name for name in PLAYERS if name != PLAYERS[-number % 4]), bush)),
        )
    ]
    waiting = waiting_for(state_after(*rounds), Texts(language))
    assert waiting.headline == headline
