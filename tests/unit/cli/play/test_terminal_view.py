"""The live part of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from bunnymoose_cv.cli.play.terminal_view import TableView
from bunnymoose_cv.rules.events import Bam, CardLaid, TableLaid
from tests.unit.web.states import CARDS, state_after

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Event


@pytest.mark.parametrize(
    ("events", "known"),
    [
        ((CardLaid(CARDS[0]),), ""),
        ((Bam(),), "0 of 6 piles are known"),
        ((CardLaid(CARDS[0]), Bam()), "1 of 6 piles are known"),
        ((TableLaid(CARDS), Bam()), ""),
    ],
)
def test_at_bam_the_missing_cards_are_asked_for(events: tuple[Event, ...], known: str) -> None:
    console = Console(width=120)
    with console.capture() as shown:
        console.print(TableView().render(state_after(*events), ""))
    assert ("Please tell the cards" in shown.get()) is bool(known)
    assert known in shown.get()
