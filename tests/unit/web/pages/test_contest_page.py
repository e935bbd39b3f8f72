"""The verdicts and the contest page: what people find there, and how they put a verdict, the cards, the bet right."""

from __future__ import annotations

import asyncio
import inspect
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from html import unescape
from shutil import copytree
from typing import TYPE_CHECKING, Any

import pytest
from nicegui import Client
from nicegui.events import GenericEventArguments
from nicegui.page import page as nicegui_page

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_store import Games
from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.services import Spoken, open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.web.auth.access import Access, Action, Role, Visitor
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages import contest_page, verdicts_page
from bunnymoose_cv.web.server.host import Host
from tests.unit.web.judging import SOURCE
from tests.unit.web.left_in_english import english_in

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

    from nicegui.element import Element

    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.vision.reader import Reader
    from tests.unit.web.judging import JudgedRound

FORM = {"left": "TF", "right": "SS", "tongue": ""}


@dataclass
class Shown:
    """A page as one visitor has it."""

    client: Client

    @property
    def elements(self) -> list[Element]:
        return list(self.client.elements.values())

    @property
    def words(self) -> str:
        """Text of the page."""
        said = []
        for each in self.elements:
            content = re.sub(r"<[^>]+>", " ", str(each.props.get("innerHTML", "")))
            said += [str(each._text or ""), content]
        return " ".join(unescape(" ".join(said)).split())

    def named(self, name: str) -> list[Element]:
        """Elements of that name: by their words or for those who hear them."""
        return [
            each
            for each in self.elements
            if name in (each._text, each.props.get("aria-label"))
            or any(child._text == name for child in each.descendants())
        ]

    def forms(self) -> list[Element]:
        return [each for each in self.elements if each.tag == "form"]

    async def do(self, element: Element, event: str, args: object = None) -> None:
        """Send a browser's event of a person's deed."""
        (listener,) = [each for each in element._event_listeners.values() if each.type == event]
        with self.client:
            handler: Any = listener.handler
            given = (
                (GenericEventArguments(sender=element, client=self.client, args=args),)
                if inspect.signature(handler).parameters
                else ()
            )
            done = handler(*given)
            if inspect.isawaitable(done):
                await done
        await asyncio.sleep(0)  # what the table has published meanwhile is shown by the loop


def in_a_loop(done: Coroutine[Any, Any, None]) -> None:
    """Run what needs a loop on a thread of its own: a browser that other tests use has one in this thread."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, done).result()


@pytest.fixture
def table(judged_round: JudgedRound, reader: Reader, tmp_path: Path) -> Iterator[Host]:
    """The judged round after a restart without a camera: everything comes from the evidence."""
    with table_in(Language.ENGLISH, judged_round, reader, tmp_path) as host:
        yield host


@contextmanager
def table_in(language: Language, judged_round: JudgedRound, reader: Reader, folder: Path) -> Iterator[Host]:
    """The same in a language; what was kept was kept in English."""
    kept = copytree(judged_round.games, folder / "games")
    started = judged_round.told.entries[0].event
    with ExitStack() as stack:
        games = Games(kept)
        file = stack.enter_context(open_game(games, started, source=SOURCE, resume=True))  # type: ignore[arg-type]
        rooms = stack.enter_context(open_services(file, reader, Spoken(language, aloud=False), lambda _: None))
        access = Access.of_the_evening(AccessFile(folder / "access.json"), resume=False)
        host = Host(games, access, Choices(file.game.players, file.game.rules))
        host.session = stack.enter_context(Session(rooms, NoVideoSource()))
        yield host


def visitor(host: Host, phone_of: str | None = None) -> Visitor:
    """The screen at the table, or a player's phone."""
    access = host.access
    cookie = access.become_owner(access.owner_key) if phone_of is None else access.join(access.code)
    if phone_of is not None:
        joined = access.visitor(cookie)
        assert joined is not None
        access.choose(joined, phone_of)
    known = access.visitor(cookie)
    assert known is not None
    return known


@contextmanager
def shown(host: Host, page: Callable[..., None], *about: int, phone_of: str | None = None) -> Iterator[Shown]:
    """A page inside its loop."""
    with Client(nicegui_page("/")) as client:
        page(host, visitor(host, phone_of), *about)
        yield Shown(client)


def newest(host: Host) -> tuple[Event, str]:
    assert host.session is not None
    entry = host.session.state.entries[-1]
    return entry.event, entry.who


def verdicts(host: Host, *about: int, phone_of: str | None = None) -> str:
    """The verdicts page of one visitor, as its parts."""
    return "".join(verdicts_page.page(host, visitor(host, phone_of), *about).parts.values())


def test_the_verdicts_say_who_what_why_and_how_far(table: Host, judged_round: JudgedRound) -> None:
    page = verdicts(table)
    for verdict in judged_round.told.game.rounds[0].verdicts:
        assert verdict.player in page
        assert all(line.why in unescape(page) for line in verdict.score.lines)
        assert f'aria-label="Contest the verdict about {verdict.player}"' in page
    assert sorted(set(re.findall(r"/still/1/(\d)\.jpg", page))) == ["1", "2", "3"]
    assert "Announced" in page


@pytest.mark.parametrize(
    ("about", "title"),
    [((), "Round 1: the verdicts"), ((1,), "Round 1: the verdicts"), ((7,), "There is no such round")],
)
def test_a_round_has_its_title(table: Host, about: tuple[int, ...], title: str) -> None:
    page = verdicts(table, *about)
    assert f"<h1>{title}</h1>" in page
    assert ("<article" in page) is (about != (7,))


def test_without_a_game_the_verdicts_say_so(table: Host) -> None:
    table.session = None
    assert "No game runs" in verdicts(table)


@pytest.mark.parametrize("language", [Language.GERMAN, Language.CZECH])
def test_what_was_kept_is_told_in_the_language_of_the_table(
    language: Language, judged_round: JudgedRound, reader: Reader, tmp_path: Path
) -> None:
    async def look() -> None:
        with shown(host, contest_page.show, 1, 1) as its:
            elements = [
                {"text": each._text, "props": {name: each.props.get(name) for name in ("aria-label", "innerHTML")}}
                for each in its.elements
            ]
            assert host.texts("Verdicts") in its.words
            assert not english_in(elements, language, names=host.players)

    with table_in(language, judged_round, reader, tmp_path) as host:
        in_a_loop(look())
        assert host.texts("Announced") in verdicts(host)
        assert not english_in([{"props": {"innerHTML": verdicts(host)}}], language, names=host.players)


def test_a_phone_shows_its_own_players_verdict_first(table: Host) -> None:
    assert '<span class="name">Yellow</span>' in verdicts(table, phone_of="Yellow").split("<article")[1]


def test_what_a_correction_changed_stands_on_the_verdicts(table: Host) -> None:
    assert table.session is not None
    table.session.put_right("Blue", Pose.parse("TF SS"), "screen", 1).result(30)
    page = verdicts(table)
    assert "What the correction changed" in page
    assert page.count("<del>") > 0
    assert "put right by screen" in page


def test_a_verdict_is_put_right_and_everything_after_it_is_made_again(table: Host) -> None:
    async def contest_it() -> None:
        with shown(table, contest_page.show, 1, 1) as page:
            chooser = next(each for each in page.forms() if "chooser" in each.classes)
            await page.do(chooser, "change", FORM)
            await page.do(chooser, "submit", FORM)
            assert newest(table) == (PoseCorrected(1, "Blue", Pose.parse("TF SS")), "screen")
            assert "What the correction changed" in page.words
            assert "left: floppy ear on top; right: straight ear at the side" in page.words
            (back,) = [each for each in page.named("Take the newest back") if each.tag == "button"]
            await page.do(back, "click")
            assert not isinstance(newest(table)[0], PoseCorrected)
            assert "Nothing has been put right in this round." in page.words

    in_a_loop(contest_it())


def test_a_look_at_the_frames_one_by_one(table: Host) -> None:
    async def look() -> None:
        with shown(table, contest_page.show, 1, 2) as page:
            frames = [each for each in page.elements if "/frame/1/" in str(each.props.get("innerHTML"))]
            assert len(frames) >= 6
            before = [each for each in frames if "shown" in each.classes]
            (after,) = page.named("The frame after")
            await page.do(after, "click")
            now = [each for each in frames if "shown" in each.classes]
            assert (len(before), len(now)) == (1, 1)
            assert frames.index(now[0]) == (frames.index(before[0]) + 1) % len(frames)
            (lines,) = [each for each in page.named("Landmarks") if each.tag == "button"]
            await page.do(lines, "click")
            assert lines.props["aria-pressed"] == "false"
            assert any("bare" in each.classes for each in page.elements)

    in_a_loop(look())


def test_the_cards_and_the_bet_of_a_round_are_put_right(table: Host) -> None:
    async def correct() -> None:
        with shown(table, contest_page.show, 1, 1) as page:
            _, cards, bet = page.forms()
            await page.do(cards, "submit", {"cards": "no card at all"})
            assert "is no card" in page.words
            await page.do(cards, "submit", {"cards": "MOOSE*2 TONGUE+2 R.WD-2 REVERSE TONGUE+1 L.?F-2"})
            assert isinstance(newest(table)[0], TableCorrected)
            await page.do(next(each for each in page.forms()[::-1]), "submit", {"bet": "0"})
            assert newest(table) == (BetCorrected(1, "Blue"), "screen")
            del bet

    in_a_loop(correct())


@pytest.mark.parametrize("phone", ["Blue", "Green"])
def test_whoever_may_not_put_it_right_is_told_who_can(table: Host, phone: str) -> None:
    async def look() -> None:
        with shown(table, contest_page.show, 1, 1, phone_of=phone) as page:
            chooser = any("chooser" in each.classes for each in page.forms())
            told = "can put this right" in page.words
            (known,) = table.access.phones
            may = Visitor(Role.PLAYER, phone, known.key, table.access).may(Action.PUT_RIGHT, "Blue")
            assert (chooser, told) == (may, not may)
            assert may or phone != "Blue"

    in_a_loop(look())


@pytest.mark.parametrize(("number", "seat"), [(1, 9), (1, 0), (2, 1), (0, 1)])
def test_a_verdict_that_there_is_not_is_said_so(table: Host, number: int, seat: int) -> None:
    async def look() -> None:
        with shown(table, contest_page.show, number, seat) as page:
            assert "There is no such verdict" in page.words

    in_a_loop(look())


@pytest.mark.parametrize("form", [{}, {"left": "XX", "right": "WU"}, {"left": "WU"}])
def test_a_form_that_nobody_could_send_changes_nothing(table: Host, form: dict[str, str]) -> None:
    async def attack() -> None:
        before = newest(table)
        with shown(table, contest_page.show, 1, 1) as page:
            chooser = next(each for each in page.forms() if "chooser" in each.classes)
            await page.do(chooser, "change", form)
            await page.do(chooser, "submit", form)
        assert newest(table) == before

    in_a_loop(attack())
