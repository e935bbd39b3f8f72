"""The verdicts and the contest page: what people find there, and how they put a verdict, the cards, the bet right."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import unescape
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from httpx import Response
from starlette.applications import Starlette

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.events import BetCorrected, Event, PoseCorrected, TableCorrected
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.opened_game import open_game
from bunnymoose_cv.session.services import Spoken, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.auth.access import Action, Role, Visitor
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages import contest_page, verdicts_page
from bunnymoose_cv.web.server.command_endpoint import command_routes
from bunnymoose_cv.web.server.contest_previews import contest_preview_route
from tests.unit.web.hosts import answer_of, host_in, owner_of, visitor_of
from tests.unit.web.judging import SOURCE, JudgedRound
from tests.unit.web.openings import Openings
from tests.unit.web.pages.test_languages import english_in

FORM = {"left": "TF", "right": "SS", "tongue": ""}

CARDS = "MOOSE*2 TONGUE+2 R.WD-2 REVERSE TONGUE+1 L.?F-2"


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
        file = stack.enter_context(open_game(GameStore(kept), started, source=SOURCE, resume=True))  # type: ignore[arg-type]
        services = stack.enter_context(open_services(file, reader, Spoken(language, aloud=False), lambda _: None))
        choices = Choices(file.game.players, file.game.rules)
        host = host_in(folder, choices, Openings(session=lambda _: Session(services, NoVideoSource())), ())
        host.begin(choices)
        stack.callback(host.end)
        yield host


def contest(host: Host, number: int, seat: int, phone_of: str | None = None) -> str:
    return "".join(contest_page.page(host, visitor_of(host, phone_of), number, seat).parts.values())


def words_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def asked(host: Host, by: Visitor, method: str, path: str, /, **about: str) -> Response:
    """The answer to a visitor's post of a form, or to a question."""
    routes = Starlette(routes=[*command_routes(host, Limits()), contest_preview_route(host)])
    given: dict[str, Any] = {"params": about} if method == "GET" else {"data": about}
    return answer_of(routes, method, path, by, **given)


def correct_pose(host: Host, by: Visitor, **form: str) -> Response:
    """The answer to the form about the first player."""
    return asked(host, by, "POST", "/command/correct-verdict", round="1", player="Blue", **form)


def newest(host: Host) -> tuple[Event, str]:
    assert host.session is not None
    entry = host.session.state.entries[-1]
    return entry.event, entry.who


def verdicts(host: Host, *about: int, phone_of: str | None = None) -> str:
    return "".join(verdicts_page.page(host, visitor_of(host, phone_of), *about).parts.values())


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


@pytest.mark.parametrize("language", [Language.GERMAN, Language.CZECH])
def test_what_was_kept_is_told_in_the_language_of_the_table(
    language: Language, judged_round: JudgedRound, reader: Reader, tmp_path: Path
) -> None:
    with table_in(language, judged_round, reader, tmp_path) as host:
        assert host.texts("Announced") in verdicts(host)
        assert host.texts("The verdict") in contest(host, 1, 1)
        for page in (verdicts(host), contest(host, 1, 1)):
            assert not english_in([page], language, names=host.players)


def test_a_phone_shows_its_own_players_verdict_first(table: Host) -> None:
    assert '<bdi class="name">Yellow</bdi>' in verdicts(table, phone_of="Yellow").split("<article")[1]


def test_what_a_correction_changed_stands_on_the_verdicts(table: Host) -> None:
    table.require_session().correct_pose("Blue", Pose.parse("TF SS"), "screen", 1).result(30)
    page = verdicts(table)
    assert "What the correction changed" in page
    assert page.count("<del>") > 0
    assert "put right at the table" in page


def test_a_verdict_is_put_right_and_everything_after_it_is_made_again(table: Host) -> None:
    screen = owner_of(table)
    assert correct_pose(table, screen, **FORM).status_code == 204
    assert newest(table) == (PoseCorrected(1, "Blue", Pose.parse("TF SS")), "screen")
    page = contest(table, 1, 1)
    assert "What the correction changed" in page
    assert "left: floppy ear on top; right: straight ear at the side" in words_of(page)
    assert re.search(r'action="/command/undo"[^>]*><button[^>]*aria-keyshortcuts="u"[^>]*>Take the newest back', page)
    assert re.findall(r'name="(left|right|tongue)" value="([^"]*)"[^>]* checked', page) == [*FORM.items()]
    assert asked(table, screen, "POST", "/command/undo", by="key").status_code == 204
    assert not isinstance(newest(table)[0], PoseCorrected)
    page = contest(table, 1, 1)
    assert "Nothing has been put right in this round." in page
    assert "Take the newest back" not in page


def test_what_stands_already_is_no_correction_and_says_so(table: Host) -> None:
    screen = owner_of(table)
    assert correct_pose(table, screen, **FORM).status_code == 204
    assert asked(table, screen, "POST", "/command/correct-table", round="1", cards=CARDS).status_code == 204
    before = newest(table)
    for answer in (
        correct_pose(table, screen, **FORM),
        asked(table, screen, "POST", "/command/correct-pose", typed="Blue TF SS"),
        asked(table, screen, "POST", "/command/correct-table", round="1", cards=CARDS),
    ):
        assert (answer.status_code, answer.text) == (409, "That is what stands already: nothing has changed.")
    assert newest(table) == before


def test_a_choice_is_drawn_with_its_score(table: Host) -> None:
    screen = owner_of(table)
    told = asked(table, screen, "GET", "/contest/1/1/preview.json", **FORM).json()
    assert told["art"].startswith("<svg")
    assert "left: floppy ear on top; right: straight ear at the side" in told["art"]
    assert re.search(r"Rabbit.*\d", told["words"])
    tongue = asked(table, screen, "GET", "/contest/1/1/preview.json", **{**FORM, "tongue": "t"}).json()
    assert tongue["words"] != told["words"]
    assert correct_pose(table, screen, **FORM).status_code == 204
    assert f'<output class="large grow">{told["words"]}</output>' in contest(table, 1, 1)


def test_a_look_at_the_frames_one_by_one(table: Host) -> None:
    page = contest(table, 1, 2)
    frames = re.findall(r'<div class="(seen[^"]*)" data-told="([^"]*)"><svg.*?/frame/1/(\d+)\.jpg', page)
    assert len(frames) >= 6
    assert [number for _, _, number in frames] == [str(place + 1) for place in range(len(frames))]
    assert [kind for kind, _, _ in frames if "shown" in kind] == ["seen shown"]
    (frozen,) = [told for kind, told, _ in frames if "shown" in kind]
    assert re.fullmatch(rf"\d\.\d\d s (before|after) Bam · \d+ of {len(frames)}", frozen)
    assert re.search(rf'<output class="time number" aria-live="polite">{re.escape(frozen)}</output>', page)
    keys = {"ArrowLeft": "The frame before", "ArrowRight": "The frame after", "p": "Slow motion"}
    for key, name in keys.items():
        assert re.search(rf'aria-keyshortcuts="{key}"[^>]* aria-label="{name}"', page)
    assert re.search(r'aria-keyshortcuts="l" aria-pressed="true">Landmarks', page)


def test_a_page_has_no_style_and_no_script_in_itself(table: Host) -> None:
    screen = owner_of(table)
    document = contest_page.page(table, screen, 1, 1).document(screen, table.texts, "/events/contest/1/1")
    assert "<article" not in document
    assert "data-part" in document
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", document)


def test_the_cards_and_the_bet_of_a_round_are_put_right(table: Host) -> None:
    screen = owner_of(table)
    refused = asked(table, screen, "POST", "/command/correct-table", round="1", cards="no card at all")
    assert refused.status_code in range(400, 500)
    assert "is no card" in refused.text
    assert "\n" not in refused.text
    assert asked(table, screen, "POST", "/command/correct-table", round="1", cards=CARDS).status_code == 204
    assert isinstance(newest(table)[0], TableCorrected)
    assert f'value="{CARDS}"' in contest(table, 1, 1)
    assert asked(table, screen, "POST", "/command/correct-bet", round="1", player="Blue").status_code == 204
    assert newest(table) == (BetCorrected(1, "Blue"), "screen")
    assert '<option value="Blue" selected>' in contest(table, 1, 1)
    assert asked(table, screen, "POST", "/command/correct-bet", round="1", player="").status_code == 204
    assert newest(table) == (BetCorrected(1, None), "screen")
    assert "There was no bet" in contest(table, 1, 1)


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("correct-bet", {"round": "1", "player": "Nobody"}),
        ("correct-bet", {"round": "1", "player": "Red"}),
        ("correct-bet", {"round": "9", "player": "Blue"}),
        ("correct-bet", {"round": "1"}),
        ("correct-bet", {"player": "Blue"}),
        ("correct-table", {"round": "1", "cards": ""}),
        ("correct-table", {"round": "1", "cards": "MOOSE*2"}),
        ("correct-table", {"round": "0", "cards": CARDS}),
        ("correct-table", {"cards": CARDS}),
        ("correct-verdict", {"round": "7", "player": "Blue", **FORM}),
        ("correct-verdict", {"round": "-1", "player": "Blue", **FORM}),
        ("correct-verdict", {"round": "1", "player": "Nobody", **FORM}),
        ("correct-verdict", {"round": "1", **FORM}),
    ],
)
def test_what_cannot_be_put_right_is_refused_by_a_sentence(table: Host, command: str, form: dict[str, str]) -> None:
    before = newest(table)
    answer = asked(table, owner_of(table), "POST", f"/command/{command}", by="key", **form)
    assert answer.status_code in {400, 409, 422}
    assert answer.text
    assert "\n" not in answer.text
    assert newest(table) == before


@pytest.mark.parametrize("phone", ["Blue", "Green"])
def test_whoever_may_not_put_it_right_is_told_who_can(table: Host, phone: str) -> None:
    page = contest(table, 1, 1, phone_of=phone)
    (known,) = table.access.phones
    theirs = Visitor(Role.PLAYER, phone, known.key, table.access)
    may = theirs.may(Action.CORRECT_POSE, "Blue")
    assert ('action="/command/correct-verdict"' in page, "can put this right" in page) == (may, not may)
    assert may or phone != "Blue"
    assert {*re.findall(r"/command/(correct-[a-z]+)", page)} <= {"correct-verdict"}
    before = newest(table)
    for command, form in (
        ("correct-table", {"cards": CARDS}),
        ("correct-bet", {"player": "Blue"}),
        *((("correct-verdict", {"player": "Blue", **FORM}),) if not may else ()),
    ):
        assert asked(table, theirs, "POST", f"/command/{command}", round="1", **form).status_code == 403
    assert asked(table, theirs, "GET", "/contest/1/1/preview.json", **FORM).status_code == (200 if may else 403)
    assert newest(table) == before


@pytest.mark.parametrize(("number", "seat"), [(1, 9), (1, 0), (2, 1), (0, 1)])
def test_a_verdict_that_there_is_not_is_said_so(table: Host, number: int, seat: int) -> None:
    assert "There is no such verdict" in contest(table, number, seat)
    answer = asked(table, owner_of(table), "GET", f"/contest/{number}/{seat}/preview.json", **FORM)
    assert (answer.status_code, answer.text) == (409, "There is no such verdict")


def test_without_a_game_both_pages_say_so(table: Host) -> None:
    table._session = None
    assert "No game runs" in verdicts(table)
    assert "No game runs" in contest(table, 1, 1)


@pytest.mark.parametrize("form", [{}, {"left": "XX", "right": "WU"}, {"left": "WU"}, {"left": "WU CD", "right": ""}])
def test_a_form_that_nobody_could_send_changes_nothing(table: Host, form: dict[str, str]) -> None:
    before, screen = newest(table), owner_of(table)
    assert correct_pose(table, screen, **form).status_code == 400
    refused = asked(table, screen, "GET", "/contest/1/1/preview.json", **form)
    assert refused.status_code == 400
    assert "\n" not in refused.text
    assert newest(table) == before
