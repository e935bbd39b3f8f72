"""Pages of a phone in each phase, the player's and that of the cards: what can be pressed there, and by whom."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from bunnymoose_cv.i18n.poem import PoemLine
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, TableLaid
from bunnymoose_cv.session.table_state import DealState, TableState
from bunnymoose_cv.web.pages import cards_page, phone_page
from tests.unit.web.hosts import NARRATOR, OTHER, parts_for
from tests.unit.web.states import CARDS, OVER, ROUND, state_after


def shown(folder: Path, state: TableState | None, player: str) -> Mapping[str, str]:
    return parts_for(folder, phone_page.page, state, player)


@pytest.mark.parametrize(
    ("state", "commands", "lays"),
    [
        (state_after(), {"bam", "bet"}, True),
        (state_after(BetPlaced(OTHER)), {"bam", "bet"}, True),
        (state_after(CardLaid(CARDS[0])), {"bam"}, True),
        (state_after(TableLaid(CARDS), paused=True), set(), False),
        (state_after(TableLaid(CARDS), judging=True), set(), False),
        (state_after(TableLaid(CARDS), Bam()), {"dismiss"}, False),
        (state_after(CardLaid(CARDS[0]), Bam()), {"dismiss"}, True),
        (state_after(CardLaid(CARDS[0]), judging=True), set(), False),
    ],
)
def test_the_narrator_is_offered_what_can_be_done(
    tmp_path: Path, state: TableState, commands: set[str], *, lays: bool
) -> None:
    narrating = shown(tmp_path, state, NARRATOR)["narrating"]
    assert {*re.findall(r'action="/command/([a-z-]+)"', narrating)} - {"undo"} == commands
    assert ("Lay cards" in narrating) is lays


def test_everybody_else_looks_on(tmp_path: Path) -> None:
    parts = shown(tmp_path, state_after(), OTHER)
    assert parts["narrating"] == parts["picker"] == parts["photo"] == ""
    assert "Red narrates: bet on somebody or lay the first card" in parts["headline"]


@pytest.mark.parametrize(
    ("player", "hint"),
    [
        (NARRATOR, "Blue, Green and Yellow: on your own phone or at the table."),
        (OTHER, "The referee is not sure: one tap says what it is."),
    ],
)
def test_who_has_nothing_to_tell_reads_where_others_do(tmp_path: Path, player: str, hint: str) -> None:
    assert hint in shown(tmp_path, state_after(*ROUND[:3]), player)["headline"]


def test_an_own_tile_stands_first_and_the_frame_stays(tmp_path: Path) -> None:
    before, after = (shown(tmp_path, state, OTHER) for state in (state_after(), state_after(*ROUND)))
    assert tuple(before) == tuple(after)
    assert not before["tile-1"]
    assert f'<bdi class="name">{OTHER}</bdi>' in after["tile-1"]


def test_without_a_game_it_says_so(tmp_path: Path) -> None:
    parts = shown(tmp_path, None, OTHER)
    assert "No game runs" in parts["headline"]
    assert OTHER in parts["name"]
    assert not any(part for name, part in parts.items() if name not in {"name", "not-me", "headline"})


POEM = DealState((PoemLine("Draw a card", "and lay it."),) * 6, 2, 2.0)
STATIC = ("motifs", "typed", "choices")
"""Parts in which people choose and type: never shown anew in a round."""


def cards_shown(folder: Path, state: TableState | None, player: str = NARRATOR) -> Mapping[str, str]:
    return parts_for(folder, cards_page.page, state, player)


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
def test_the_narrator_lays_deals_and_takes_back(  # noqa: PLR0913 - columns of the table
    tmp_path: Path, state: TableState, headline: str, allowed: str, *, undoes: bool, bam: bool
) -> None:
    parts = cards_shown(tmp_path, state)
    assert f"<h1>{headline}</h1>" in parts["next"]
    assert f'data-allows="{allowed}"' in parts["allowed"]
    assert (" disabled" not in parts["undo"], " disabled" not in parts["bam"]) == (undoes, bam)


@pytest.mark.parametrize(
    "state", [state_after(), state_after(CardLaid(CARDS[0])), state_after(CardLaid(CARDS[0]), Bam())]
)
def test_everybody_else_looks_on_while_cards_are_laid(tmp_path: Path, state: TableState) -> None:
    parts = cards_shown(tmp_path, state, OTHER)
    assert 'data-allows=""' in parts["allowed"]
    assert " disabled" in parts["undo"]
    assert " disabled" in parts["bam"]
    assert "Next" not in parts["next"]


def test_everything_that_lays_needs_the_permission(tmp_path: Path) -> None:
    parts = cards_shown(tmp_path, state_after(deal=POEM))
    for name in ("motifs", "typed"):
        assert re.search(r'<fieldset[^>]* data-needs="lay"', parts[name]), name
    for name in ("dealer", "tempo"):
        assert re.search(r'<(?:button|input)[^>]* data-needs="deal"', parts[name]), name


def test_what_people_choose_and_type_is_never_shown_anew(tmp_path: Path) -> None:
    states = (state_after(), state_after(CardLaid(CARDS[0])), state_after(*ROUND[:3]), state_after(judging=True))
    seen = [tuple(cards_shown(tmp_path, state)[name] for name in STATIC) for state in states]
    assert len(set(seen)) == 1
    names = {tuple(cards_shown(tmp_path, state, player)) for state in states for player in (NARRATOR, OTHER)}
    assert len(names) == 1, "the frame stays"


def test_only_a_pile_that_changes_is_shown_anew(tmp_path: Path) -> None:
    first = cards_shown(tmp_path, state_after(*map(CardLaid, CARDS)))
    again = cards_shown(tmp_path, state_after(*map(CardLaid, (*CARDS, CARDS[0]))))
    changed = [name for name in first if name.startswith("pile-") and first[name] != again[name]]
    assert changed == ["pile-1", "pile-2"], "the same card on itself, and the mark that moves on"


def test_the_dealer_rests_or_goes_on(tmp_path: Path) -> None:
    rests = DealState(POEM.poem, None, 3.0)
    at_work, resting, nobody = (cards_shown(tmp_path, state_after(deal=deal)) for deal in (POEM, rests, None))
    assert 'formaction="/command/rest"' in at_work["dealer"]
    assert at_work["poem"].count('aria-current="step"') == 1
    assert "data-sends" in at_work["tempo"]
    assert "formaction" not in resting["dealer"]
    assert "aria-current" not in resting["poem"]
    assert 'value="3.0"' in resting["tempo"]
    assert "data-sends" not in resting["tempo"], "one that rests begins with it"
    assert not any(nobody[name] for name in ("dealer", "tempo", "poem"))


def test_without_a_game_the_page_of_the_cards_says_so(tmp_path: Path) -> None:
    part = cards_shown(tmp_path, None)["no-game"]
    assert "No game runs" in part
    assert "/setup" not in part
