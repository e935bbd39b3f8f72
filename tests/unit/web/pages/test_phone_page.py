"""The page of a player's phone in each phase: what the narrator may press there, and everybody else not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, TableLaid
from bunnymoose_cv.web.auth.access import Access, Visitor
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages.phone_page import page
from tests.unit.web.states import BEGUN, CARDS, PLAYERS, ROUND, state_after

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.pages.html_page import HtmlPage

NARRATOR, OTHER = PLAYERS[0], PLAYERS[1]


@dataclass
class _Played:
    """A game as far as pages ask it."""

    state: TableState
    texts: Texts = field(default_factory=Texts)


def host_at(folder: Path, state: TableState | None) -> Host:
    host = Host(
        GameStore(folder / "games"),
        Access.of_the_evening(AccessFile(folder / "access.json"), resume=False),
        Choices(PLAYERS, BEGUN.rules),
    )
    played: Any = None if state is None else _Played(state)
    host._session = played
    return host


def phone_of(player: str, host: Host) -> Visitor:
    cookie = host.access.join(host.access.code)
    joined = host.access.visitor(cookie)
    assert joined is not None
    host.access.choose(joined, player)
    known = host.access.visitor(cookie)
    assert known is not None
    return known


def shown(folder: Path, state: TableState | None, player: str) -> HtmlPage:
    host = host_at(folder, state)
    return page(host, phone_of(player, host))


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
    narrating = shown(tmp_path, state, NARRATOR).parts["narrating"]
    assert {*re.findall(r'action="/command/([a-z-]+)"', narrating)} - {"undo"} == commands
    assert ("Lay cards" in narrating) is lays


def test_everybody_else_looks_on(tmp_path: Path) -> None:
    parts = shown(tmp_path, state_after(), OTHER).parts
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
    assert hint in shown(tmp_path, state_after(*ROUND[:3]), player).parts["headline"]


def test_a_phone_that_has_done_nothing_can_be_given_back(tmp_path: Path) -> None:
    assert "Not me" in shown(tmp_path, state_after(), OTHER).parts["not-me"]


def test_an_own_tile_stands_first_and_the_frame_stays(tmp_path: Path) -> None:
    before, after = (shown(tmp_path, state, OTHER) for state in (state_after(), state_after(*ROUND)))
    assert tuple(before.parts) == tuple(after.parts)
    assert not before.parts["tile-1"]
    assert f'<span class="name">{OTHER}</span>' in after.parts["tile-1"]


def test_without_a_game_it_says_so(tmp_path: Path) -> None:
    parts = shown(tmp_path, None, OTHER).parts
    assert "No game runs" in parts["headline"]
    assert OTHER in parts["name"]
    assert not any(part for name, part in parts.items() if name not in {"name", "not-me", "headline"})
