"""Controls of a round: undo says what it takes back, and leaves a Bam to the button of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.events import Bam, BetPlaced, PosesJudged, TableLaid, Undone
from bunnymoose_cv.web.widgets.controls import controls_html, controls_of
from bunnymoose_cv.web.widgets.table_status import Mood, waiting_for
from tests.unit.web.states import CARDS, MOOSE, OVER, ROUND, state_after

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Event


class Owner:
    """A visitor who may do everything."""

    def may(self, *_: object) -> bool:
        return True


@pytest.mark.parametrize(
    ("events", "undo", "dismiss"),
    [
        ((), None, False),
        ((BetPlaced("Blue"),), "Undo", False),
        ((BetPlaced("Blue"), Undone()), None, False),
        ((TableLaid(CARDS), Bam()), None, True),
        ((TableLaid(CARDS), Bam(), PosesJudged({"Blue": MOOSE})), "Undo: Blue’s pose", True),
        ((TableLaid(CARDS), Bam(), PosesJudged({"Blue": MOOSE}), Undone()), None, True),
        (ROUND, "Undo: the poses", False),
    ],
)
def test_undo_is_there_for_everything_but_bam(events: tuple[Event, ...], undo: str | None, *, dismiss: bool) -> None:
    visitor: Any = Owner()
    shown = controls_html(controls_of(state_after(*events), visitor), Texts())
    assert ("That was no Bam" in shown) is dismiss
    assert ("/command/undo" in shown) is (undo is not None)
    assert undo is None or f"<span>{undo}</span>" in shown


@pytest.mark.parametrize(("events", "dismissible"), [(ROUND, True), ((TableLaid(CARDS), Bam()), False)])
def test_a_bam_can_be_dismissed_as_long_as_the_referee_takes_it_back(
    events: tuple[Event, ...], *, dismissible: bool
) -> None:
    visitor: Any = Owner()
    assert controls_of(state_after(*events, dismissible=dismissible), visitor).dismiss is dismissible


def test_nobody_pauses_when_the_game_is_over() -> None:
    visitor: Any = Owner()
    over = state_after(*OVER, paused=True)
    assert controls_of(over, visitor).paused is None
    assert waiting_for(over, Texts()).mood is Mood.OVER
