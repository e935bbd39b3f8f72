"""Table page as the server builds it: keys, names, and what a phone is offered."""

from __future__ import annotations

import asyncio
import re
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from nicegui import Client
from nicegui.page import page as nicegui_page

from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_store import Games
from bunnymoose_cv.session.services import Spoken, open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages.table_page import keys_of, show
from bunnymoose_cv.web.server.host import Host
from tests.unit.web.states import BEGUN, CARDS, PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from nicegui.element import Element

    from bunnymoose_cv.vision.reader import Reader

TEXTS = Texts()


@pytest.fixture
def table(reader: Reader, tmp_path: Path) -> Iterator[Host]:
    """A host with a game without a camera."""
    with ExitStack() as stack:
        games = Games(tmp_path / "games")
        file = stack.enter_context(open_game(games, BEGUN, source="test"))
        rooms = stack.enter_context(open_services(file, reader, Spoken(Language.ENGLISH, aloud=False), lambda _: None))
        access = Access.of_the_evening(AccessFile(tmp_path / "access.json"), resume=False)
        host = Host(games, access, Choices(PLAYERS, BEGUN.rules))
        host.session = stack.enter_context(Session(rooms, NoVideoSource()))
        yield host


def built(host: Host, *, phone_of: str | None = None) -> list[Element]:
    """All that stands on the page."""
    access = host.access
    visitor = access.visitor(access.become_owner(access.owner_key))
    if phone_of is not None:
        visitor = access.visitor(cookie := access.join(access.code))
        assert visitor is not None
        access.choose(visitor, phone_of)
        visitor = access.visitor(cookie)
    assert visitor is not None

    async def build() -> list[Element]:
        with Client(nicegui_page("/table")) as client:
            show(host, visitor)
            return list(client.elements.values())

    return asyncio.run(build())


def pressable(elements: list[Element]) -> list[Element]:
    return [each for each in elements if each.tag in {"button", "a"} and "disabled" not in each.props]


def keys_on(elements: list[Element]) -> set[str]:
    """Keys that something on the page listens to."""
    own = [str(each.props.get("aria-keyshortcuts", "")) for each in elements if "disabled" not in each.props]
    tags = [tag for tag in re.findall(r"<[a-z]+[^>]*>", written(elements)) if not tag.endswith(" disabled>")]
    drawn = re.findall(r'aria-keyshortcuts="?([^">]*)[">]', "".join(tags))
    return {key for said in (*own, *drawn) for key in said.split()}


def written(elements: list[Element]) -> str:
    """Parts of the page that are HTML of our own."""
    return "".join(str(each.props.get("innerHTML", "")) for each in elements)


def words(elements: list[Element]) -> str:
    return " ".join(str(each._text) for each in elements if each._text)


def test_the_owner_finds_every_key_of_the_list_on_the_page(table: Host) -> None:
    assert table.session is not None
    elements = built(table)
    keys = keys_on(elements)
    assert {"Space", "Enter", "PageDown", "b", "1", "2", "3", "c", "k", "t", "r", "p", "f", "?"} <= keys
    table.session.bet("Green", "screen").result(30)
    assert "u" in keys_on(built(table))
    table.session.lay(CARDS, "screen").result(30)
    table.session.bam(Maker.KEY, "screen").result(30)
    frozen = keys_on(built(table))
    assert "d" in frozen
    assert not {"Space", "1"} & frozen  # no Bam and no bet while people are asked
    assert {"b", "c", "s", "d", "k", "t", "u", "r", "p", "f", "?"} <= listed_keys(at_table=True)


def listed_keys(*, at_table: bool) -> set[str]:
    return {key for each in keys_of(TEXTS, at_table=at_table) for key in each.keys}


def test_a_phone_is_offered_only_what_it_may_do(table: Host) -> None:
    assert table.session is not None
    narrator, other = keys_on(built(table, phone_of="Red")), keys_on(built(table, phone_of="Blue"))
    assert {"Space", "1", "c"} <= narrator
    assert not {"p", "k"} & narrator
    assert not {"Space", "1", "c", "p", "u"} & other
    for keys in (narrator, other, listed_keys(at_table=False)):
        assert not {"k", "t", "r", "p"} & keys, "these lead to what is not for phones"


def test_the_bet_is_seen_by_more_than_its_colour(table: Host) -> None:
    assert table.session is not None
    table.session.bet("Green", "screen").result(30)
    elements = built(table)
    pressed = re.findall(r'aria-pressed="true"[^>]*>(.*?)</button>', written(elements), re.DOTALL)
    assert [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in pressed] == ["■ Green 2"]
    assert "Red bets on Green: lay the first card" in words(elements)


def test_everything_has_a_name_and_its_place_in_the_outline(table: Host) -> None:
    elements = built(table)
    for each in pressable(elements):
        assert each.props.get("aria-label") or words([each, *each.descendants()]), each
    for tag, content in re.findall(r"<(?:button|a)\b([^>]*)>(.*?)</(?:button|a)>", written(elements), re.DOTALL):
        assert 'aria-label="' in tag or re.sub(r"<[^>]*>", "", content).strip(), (tag, content)
    assert [each.tag for each in elements].count("h1") + written(elements).count("<h1") == 1
    assert any(each.props.get("role") == "status" for each in elements)
    assert all(each.props.get("alt") or each.props.get("aria-hidden") for each in elements if each.tag == "img")
    focusable = [each for each in pressable(elements) if each.props.get("tabindex") not in {None, "-1"}]
    assert focusable == []  # the order of the focus is that of the page
