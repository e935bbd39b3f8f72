"""The page of the cards in each phase: what can be laid, dealt and taken back there, and by whom."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.i18n.poem import PoemLine
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, TableLaid
from bunnymoose_cv.session.table_state import DealState
from bunnymoose_cv.web.pages.cards_page import page
from tests.unit.web.pages.test_phone_page import NARRATOR, OTHER, host_at, phone_of
from tests.unit.web.states import CARDS, OVER, ROUND, state_after

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.pages.html_page import HtmlPage

POEM = DealState((PoemLine("Draw a card", "and lay it."),) * 6, 2, 2.0)
STATIC = ("motifs", "typed", "choices")
"""Parts in which people choose and type: never shown anew in a round."""


def shown(folder: Path, state: TableState | None, player: str = NARRATOR) -> HtmlPage:
    host = host_at(folder, state)
    return page(host, phone_of(player, host))


@pytest.mark.parametrize(
    ("state", "headline", "allowed", "undoes", "bam"),
    [
        (state_after(), "Next: pile 1", "lay deal", False, True),
        (state_after(BetPlaced(OTHER)), "Next: pile 1", "lay deal", False, True),
        (state_after(CardLaid(CARDS[0])), "Next: pile 2", "lay deal", True, True),
        (state_after(TableLaid(CARDS)), "Next: pile 1", "lay deal", True, True),
        (state_after(TableLaid(CARDS), paused=True), "Next: pile 1", "lay deal", True, False),
        (state_after(TableLaid(CARDS), judging=True), "Bam! Nobody moves", "deal", True, False),
        (state_after(CardLaid(CARDS[0]), Bam()), "Bam! What lies on pile 2?", "lay", False, False),
        (state_after(CardLaid(CARDS[0]), Bam(), judging=True), "Bam! Nobody moves", "", False, False),
        (state_after(TableLaid(CARDS), Bam()), "Bam! All cards lie", "", False, False),
        (state_after(*OVER), "The game is over", "", False, False),
    ],
)
def test_the_narrator_lays_deals_and_takes_back(  # noqa: PLR0913, PLR0917 - the columns of the table
    tmp_path: Path,
    state: TableState,
    headline: str,
    allowed: str,
    undoes: bool,  # noqa: FBT001 - a column of the table
    bam: bool,  # noqa: FBT001 - likewise
) -> None:
    parts = shown(tmp_path, state).parts
    assert f"<h1>{headline}</h1>" in parts["next"]
    assert f'data-allows="{allowed}"' in parts["allowed"]
    assert (" disabled" not in parts["undo"], " disabled" not in parts["bam"]) == (undoes, bam)


@pytest.mark.parametrize(
    "state", [state_after(), state_after(CardLaid(CARDS[0])), state_after(CardLaid(CARDS[0]), Bam())]
)
def test_everybody_else_looks_on(tmp_path: Path, state: TableState) -> None:
    parts = shown(tmp_path, state, OTHER).parts
    assert 'data-allows=""' in parts["allowed"]
    assert " disabled" in parts["undo"]
    assert " disabled" in parts["bam"]
    assert "Next" not in parts["next"]


def test_everything_that_lays_needs_the_permission(tmp_path: Path) -> None:
    parts = shown(tmp_path, state_after(deal=POEM)).parts
    for name in ("motifs", "typed"):
        assert re.search(r'<fieldset[^>]* data-needs="lay"', parts[name]), name
    for name in ("dealer", "tempo"):
        assert re.search(r'<(?:button|input)[^>]* data-needs="deal"', parts[name]), name


def test_what_people_choose_and_type_is_never_shown_anew(tmp_path: Path) -> None:
    states = (state_after(), state_after(CardLaid(CARDS[0])), state_after(*ROUND[:3]), state_after(judging=True))
    seen = [tuple(shown(tmp_path, state).parts[name] for name in STATIC) for state in states]
    assert len(set(seen)) == 1
    names = {tuple(shown(tmp_path, state, player).parts) for state in states for player in (NARRATOR, OTHER)}
    assert len(names) == 1, "the frame stays"


def test_only_a_pile_that_changes_is_shown_anew(tmp_path: Path) -> None:
    first = shown(tmp_path, state_after(*map(CardLaid, CARDS))).parts
    again = shown(tmp_path, state_after(*map(CardLaid, (*CARDS, CARDS[0])))).parts
    changed = [name for name in first if name.startswith("pile-") and first[name] != again[name]]
    assert changed == ["pile-1", "pile-2"], "the same card on itself, and the mark that moves on"


def test_the_dealer_rests_or_goes_on(tmp_path: Path) -> None:
    rests = DealState(POEM.poem, None, 3.0)
    at_work, resting, nobody = (shown(tmp_path, state_after(deal=deal)).parts for deal in (POEM, rests, None))
    assert 'formaction="/command/rest"' in at_work["dealer"]
    assert at_work["poem"].count('aria-current="step"') == 1
    assert "data-sends" in at_work["tempo"]
    assert "formaction" not in resting["dealer"]
    assert "aria-current" not in resting["poem"]
    assert 'value="3.0"' in resting["tempo"]
    assert "data-sends" not in resting["tempo"], "one that rests begins with it"
    assert not any(nobody[name] for name in ("dealer", "tempo", "poem"))


def test_without_a_game_it_says_so(tmp_path: Path) -> None:
    none = shown(tmp_path, None)
    assert "No game runs" in none.parts["no-game"]
    assert "/setup" not in none.parts["no-game"]
