"""Pages of a phone in each phase, the player's and that of the cards: what can be pressed there, and by whom."""

import re
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import Mock

import pytest

from bunnymoose_cv.i18n.poem import PoemLine
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, TableLaid
from bunnymoose_cv.session.table_state import DealState, TablePhase, TableState
from bunnymoose_cv.web.pages import card_pages, phone_pages
from tests.unit.web.hosts import NARRATOR, OTHER, host_at, parts_for, visitor_of
from tests.unit.web.states import CARDS, OVER, ROUND, state_after


def shown(folder: Path, state: TableState | None, player: str) -> Mapping[str, str]:
    return parts_for(folder, phone_pages.phone_page, state, player)


@pytest.mark.parametrize(
    ("state", "commands", "lays"),
    [
        (state_after(), {"bam", "bet"}, True),
        (state_after(BetPlaced(OTHER)), {"bam", "bet"}, True),
        (state_after(CardLaid(CARDS[0])), {"bam"}, True),
        (state_after(TableLaid(CARDS), phase=TablePhase.PAUSED), set(), False),
        (state_after(TableLaid(CARDS), phase=TablePhase.JUDGING), set(), False),
        (state_after(TableLaid(CARDS), Bam()), {"dismiss"}, False),
        (state_after(CardLaid(CARDS[0]), Bam()), {"dismiss"}, True),
        (state_after(CardLaid(CARDS[0]), phase=TablePhase.JUDGING), set(), False),
    ],
)
def test_the_narrator_is_offered_what_can_be_done(
    tmp_path: Path, state: TableState, commands: set[str], *, lays: bool
) -> None:
    narrating = shown(tmp_path, state, NARRATOR)["narrating"]
    assert {*re.findall(r'action="/command/([a-z-]+)"', narrating)} - {"undo"} == commands
    assert ("Lay cards" in narrating) is lays


@pytest.mark.parametrize(
    "state", [state_after(), state_after(CardLaid(CARDS[0])), state_after(*ROUND[:3]), state_after(*ROUND)]
)
@pytest.mark.parametrize("player", [NARRATOR, OTHER])
def test_a_phone_shows_cards_and_standing_before_and_after_bam(tmp_path: Path, state: TableState, player: str) -> None:
    parts = shown(tmp_path, state, player)
    laid = [parts[f"pile-{number}"].count('class="face"') for number in range(1, len(CARDS) + 1)]
    assert laid == [int(number < len(state.game.piles)) for number in range(len(CARDS))]
    assert parts["ranking"].count('class="place number"') == len(state.game.players)
    assert "rear figure / front figure" in parts["ranking"]


def test_after_a_game_phones_show_winner_and_ranking_and_no_empty_piles(tmp_path: Path) -> None:
    for build, headline in ((phone_pages.phone_page, "headline"), (card_pages.cards_page, "next")):
        parts = parts_for(tmp_path, build, state_after(*OVER), OTHER)
        assert "<h1>Blue wins!</h1>" in parts[headline]
        assert parts["ranking"].count('class="place number"') == 4
        assert {parts[name] for name in parts if name.startswith("pile-")} == {""}


@pytest.mark.parametrize(
    ("state", "place"),
    [
        (state_after(CardLaid(CARDS[0]), Bam()), "picker"),
        (state_after(TableLaid(CARDS), Bam()), "picker-known"),
        (state_after(TableLaid(CARDS)), None),
    ],
)
def test_the_photograph_is_on_top_only_while_cards_are_missing(
    tmp_path: Path, state: TableState, place: str | None
) -> None:
    host = host_at(tmp_path, state)
    host.card_reader = Mock()
    parts = phone_pages.phone_page(host, visitor_of(host, NARRATOR)).parts
    assert [name for name in ("picker", "picker-known") if parts[name]] == ([place] if place else [])


def test_phones_of_other_players_have_no_controls(tmp_path: Path) -> None:
    parts = shown(tmp_path, state_after(), OTHER)
    assert parts["narrating"] == parts["picker"] == parts["photo"] == ""
    assert "Red narrates: bet on somebody or lay the first card" in parts["headline"]


@pytest.mark.parametrize(
    ("player", "hint"),
    [
        (NARRATOR, "The referee is not sure: one tap says what it is."),
        (OTHER, "Red’s phone and the table’s screen answer this."),
    ],
)
def test_phones_that_cannot_answer_say_where_to_answer(tmp_path: Path, player: str, hint: str) -> None:
    assert hint in shown(tmp_path, state_after(*ROUND[:3]), player)["headline"]


def test_the_own_tile_is_first_and_the_frame_is_constant(tmp_path: Path) -> None:
    before, after = (shown(tmp_path, state, OTHER) for state in (state_after(), state_after(*ROUND)))
    assert tuple(before) == tuple(after)
    assert not before["tile-1"]
    assert f'<bdi class="name">{OTHER}</bdi>' in after["tile-1"]


def test_without_a_game_it_says_so(tmp_path: Path) -> None:
    parts = shown(tmp_path, None, OTHER)
    assert "No game is running" in parts["headline"]
    assert OTHER in parts["name"]
    assert not any(part for name, part in parts.items() if name not in {"name", "not-me", "headline"})


POEM = DealState((PoemLine("Draw a card", "and lay it."),) * 6, 2, 2.0)
STATIC = ("motifs", "typed", "choices")
"""Parts with choices and text fields, which never change during a round."""


def cards_shown(folder: Path, state: TableState | None, player: str = NARRATOR) -> Mapping[str, str]:
    return parts_for(folder, card_pages.cards_page, state, player)


@pytest.mark.parametrize(
    ("state", "headline", "allowed", "undoes", "bam"),
    [
        (state_after(), "Next: pile 1", "lay deal", False, True),
        (state_after(BetPlaced(OTHER)), "Next: pile 1", "lay deal", False, True),
        (state_after(CardLaid(CARDS[0])), "Next: pile 2", "lay deal", True, True),
        (state_after(TableLaid(CARDS)), "Next: pile 1", "lay deal", True, True),
        (state_after(TableLaid(CARDS), phase=TablePhase.PAUSED), "Next: pile 1", "lay deal", True, False),
        (state_after(TableLaid(CARDS), phase=TablePhase.JUDGING), "Bam! Nobody moves", "deal", True, False),
        (state_after(CardLaid(CARDS[0]), Bam()), "Bam! Which card is on pile 2?", "lay", False, False),
        (state_after(CardLaid(CARDS[0]), Bam(), phase=TablePhase.JUDGING), "Bam! Nobody moves", "", False, False),
        (state_after(TableLaid(CARDS), Bam()), "Bam! All cards are down", "", False, False),
        (state_after(*OVER), "Blue wins!", "", False, False),
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
def test_other_visitors_only_watch_while_cards_are_laid(tmp_path: Path, state: TableState) -> None:
    parts = cards_shown(tmp_path, state, OTHER)
    assert 'data-allows=""' in parts["allowed"]
    assert " disabled" in parts["undo"]
    assert " disabled" in parts["bam"]
    assert "Next" not in parts["next"]


def test_all_controls_for_laying_need_the_permission(tmp_path: Path) -> None:
    parts = cards_shown(tmp_path, state_after(deal=POEM))
    for name in ("motifs", "typed"):
        assert re.search(r'<fieldset[^>]* data-needs="lay"', parts[name]), name
    for name in ("dealer", "tempo"):
        assert re.search(r'<(?:button|input)[^>]* data-needs="deal"', parts[name]), name


def test_parts_with_choices_and_text_fields_never_change(tmp_path: Path) -> None:
    states = (
        state_after(),
        state_after(CardLaid(CARDS[0])),
        state_after(*ROUND[:3]),
        state_after(phase=TablePhase.JUDGING),
    )
    seen = [tuple(cards_shown(tmp_path, state)[name] for name in STATIC) for state in states]
    assert len(set(seen)) == 1
    names = {tuple(cards_shown(tmp_path, state, player)) for state in states for player in (NARRATOR, OTHER)}
    assert len(names) == 1, "the frame stays"


def test_only_changed_piles_are_sent_again(tmp_path: Path) -> None:
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
    assert "No game is running" in part
    assert "/setup" not in part
