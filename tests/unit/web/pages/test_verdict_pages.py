"""Pages of the verdicts and of a contest: their content, and corrections of verdicts, cards and bet."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
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
from bunnymoose_cv.session.game_setup import FIRST_SETUP, GameSetup
from bunnymoose_cv.session.services import open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.video_source import NoVideoSource
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.auth.access import Visitor
from bunnymoose_cv.web.auth.permissions import Action, Role
from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.pages import verdict_pages
from bunnymoose_cv.web.server.command_endpoint import command_routes
from bunnymoose_cv.web.server.fragments import fragment_routes
from tests.unit.web.hosts import answer_of, host_in, owner_of, visitor_of
from tests.unit.web.judging import SOURCE, JudgedRound
from tests.unit.web.openings import Openings
from tests.unit.web.pages.test_languages import english_in

FORM = {"left": "TF", "right": "SS", "tongue": ""}

CARDS = "MOOSE*2 TONGUE+2 R.WD-2 REVERSE TONGUE+1 L.?F-2"


@pytest.fixture
def table(judged_round: JudgedRound, reader: Reader, tmp_path: Path) -> Iterator[Host]:
    """Yield the host of the judged round after a restart without a camera, so that only its evidence is left."""
    with table_in(Language.ENGLISH, judged_round, reader, tmp_path) as host:
        yield host


@contextmanager
def table_in(language: Language, judged_round: JudgedRound, reader: Reader, folder: Path) -> Iterator[Host]:
    """Yield the host in a language; the stored reasons are English."""
    kept = copytree(judged_round.games, folder / "games")
    started = judged_round.entered.entries[0].event
    with ExitStack() as stack:
        file = stack.enter_context(open_game(GameStore(kept), started, source=SOURCE, resume=True))  # type: ignore[arg-type]
        silent = replace(FIRST_SETUP, language=language, speaks=False)
        services = stack.enter_context(open_services(file, reader, silent, lambda _: None))
        choices = GameSetup(file.game.players, file.game.rules)
        host = host_in(folder, choices, Openings(game=lambda _: Session(services, NoVideoSource())), ())
        host.begin(choices)
        stack.callback(host.end)
        yield host


def contest(host: Host, number: int, seat: int, phone_of: str | None = None) -> str:
    return "".join(verdict_pages.contest_page(host, visitor_of(host, phone_of), number, seat).parts.values())


def words_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def asked(host: Host, by: Visitor, method: str, path: str, /, **about: str) -> Response:
    """Return the answer to a form that a visitor posts, or to a request for a fragment."""
    routes = Starlette(routes=[*command_routes(host, Limits()), *fragment_routes(host)])
    given: dict[str, Any] = {"params": about} if method == "GET" else {"data": about}
    return answer_of(routes, method, path, by, **given)


def correct_pose(host: Host, by: Visitor, **form: str) -> Response:
    """Return the answer to a correction of the first player."""
    return asked(host, by, "POST", "/command/correct-verdict", round="1", player="Blue", **form)


def newest(host: Host) -> tuple[Event, str]:
    assert host.session is not None
    entry = host.session.state.entries[-1]
    return entry.event, entry.who


def verdicts(host: Host, *about: int, phone_of: str | None = None) -> str:
    return "".join(verdict_pages.verdicts_page(host, visitor_of(host, phone_of), *about).parts.values())


def test_verdicts_show_players_poses_reasons_and_moves(table: Host, judged_round: JudgedRound) -> None:
    page = verdicts(table)
    for verdict in judged_round.entered.game.rounds[0].verdicts:
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
def test_stored_reasons_are_shown_in_the_language_of_the_table(
    language: Language, judged_round: JudgedRound, reader: Reader, tmp_path: Path
) -> None:
    with table_in(language, judged_round, reader, tmp_path) as host:
        assert host.texts("Announced") in verdicts(host)
        assert host.texts("The verdict") in contest(host, 1, 1)
        for page in (verdicts(host), contest(host, 1, 1)):
            assert not english_in([page], language, names=host.players)


def test_a_phone_shows_its_own_players_verdict_first(table: Host) -> None:
    assert '<bdi class="name">Yellow</bdi>' in verdicts(table, phone_of="Yellow").split("<article")[1]


def test_effects_of_a_correction_are_shown_with_the_verdicts(table: Host) -> None:
    table.require_session().correct_pose("Blue", Pose.parse("TF SS"), "screen", 1).result(30)
    page = verdicts(table)
    assert "What the correction changed" in page
    assert page.count("<del>") > 0
    assert "corrected at the table" in page


def test_a_corrected_verdict_changes_all_later_results(table: Host) -> None:
    screen = owner_of(table)
    assert correct_pose(table, screen, **FORM).status_code == 204
    assert newest(table) == (PoseCorrected(1, "Blue", Pose.parse("TF SS")), "screen")
    page = contest(table, 1, 1)
    assert "What the correction changed" in page
    assert "left: floppy ear on top; right: straight ear at the side" in words_of(page)
    assert re.search(r'action="/command/undo"[^>]*><button[^>]*aria-keyshortcuts="u"[^>]*>Undo the newest', page)
    assert re.findall(r'name="(left|right|tongue)" value="([^"]*)"[^>]* checked', page) == [*FORM.items()]
    assert asked(table, screen, "POST", "/command/undo", by="key").status_code == 204
    assert not isinstance(newest(table)[0], PoseCorrected)
    page = contest(table, 1, 1)
    assert "Nothing has been corrected in this round." in page
    assert "Undo the newest" not in page


def test_a_correction_without_a_change_is_refused(table: Host) -> None:
    screen = owner_of(table)
    assert correct_pose(table, screen, **FORM).status_code == 204
    assert asked(table, screen, "POST", "/command/correct-table", round="1", cards=CARDS).status_code == 204
    before = newest(table)
    for answer in (
        correct_pose(table, screen, **FORM),
        asked(table, screen, "POST", "/command/correct-pose", typed="Blue TF SS"),
        asked(table, screen, "POST", "/command/correct-table", round="1", cards=CARDS),
    ):
        assert (answer.status_code, answer.text) == (409, "Nothing has changed: it was already like that.")
    assert newest(table) == before


def test_a_choice_is_drawn_with_its_score(table: Host) -> None:
    screen = owner_of(table)
    preview = asked(table, screen, "GET", "/contest/1/1/preview.json", **FORM).json()
    assert preview["art"].startswith("<svg")
    assert "left: floppy ear on top; right: straight ear at the side" in preview["art"]
    assert re.search(r"Rabbit.*\d", preview["words"])
    tongue = asked(table, screen, "GET", "/contest/1/1/preview.json", **{**FORM, "tongue": "t"}).json()
    assert tongue["words"] != preview["words"]
    assert correct_pose(table, screen, **FORM).status_code == 204
    assert f'<output class="large grow">{preview["words"]}</output>' in contest(table, 1, 1)


def test_frames_can_be_viewed_one_by_one(table: Host) -> None:
    page = contest(table, 1, 2)
    frames = re.findall(r'<div class="(seen[^"]*)" data-label="([^"]*)"><svg.*?/frame/1/(\d+)\.jpg', page)
    assert len(frames) >= 6
    assert [number for _, _, number in frames] == [str(place + 1) for place in range(len(frames))]
    assert [kind for kind, _, _ in frames if "shown" in kind] == ["seen shown"]
    (frozen,) = [caption for kind, caption, _ in frames if "shown" in kind]
    assert re.fullmatch(rf"\d\.\d\d s (before|after) Bam · \d+ of {len(frames)}", frozen)
    assert re.search(rf'<output class="time number" aria-live="polite">{re.escape(frozen)}</output>', page)
    keys = {"ArrowLeft": "The frame before", "ArrowRight": "The frame after", "p": "Slow motion"}
    for key, name in keys.items():
        assert re.search(rf'aria-keyshortcuts="{key}"[^>]* aria-label="{name}"', page)
    assert re.search(r'aria-keyshortcuts="l" aria-pressed="true">Landmarks', page)


def test_pages_contain_no_inline_styles_or_scripts(table: Host) -> None:
    screen = owner_of(table)
    document = verdict_pages.contest_page(table, screen, 1, 1).document(screen, table.texts, "/events/contest/1/1")
    assert "<article" not in document
    places = [document.index(f'data-part="{part}"') for part in ("verdict", "chooser", "film", "reading")]
    assert places == sorted(places), "the form stands before what it rests on"
    reading = verdict_pages.contest_page(table, screen, 1, 1).parts["reading"]
    assert reading.index('class="reasons"') < reading.index("<details") < reading.index('class="gauge')
    assert "data-part" in document
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", document)


def test_cards_and_bet_of_a_round_can_be_corrected(table: Host) -> None:
    screen = owner_of(table)
    refused = asked(table, screen, "POST", "/command/correct-table", round="1", cards="no card at all")
    assert refused.status_code in range(400, 500)
    assert "is not a card" in refused.text
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
def test_invalid_corrections_are_refused_with_a_sentence(table: Host, command: str, form: dict[str, str]) -> None:
    before = newest(table)
    answer = asked(table, owner_of(table), "POST", f"/command/{command}", by="key", **form)
    assert answer.status_code in {400, 409, 422}
    assert answer.text
    assert "\n" not in answer.text
    assert newest(table) == before


@pytest.mark.parametrize("phone", ["Blue", "Green"])
def test_visitors_without_permission_read_who_can_correct(table: Host, phone: str) -> None:
    page = contest(table, 1, 1, phone_of=phone)
    (known,) = table.access.phones
    theirs = Visitor(Role.PLAYER, phone, known.key, table.access)
    may = theirs.may(Action.CORRECT_POSE, "Blue")
    assert ('action="/command/correct-verdict"' in page, "can correct this" in page) == (may, not may)
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
def test_the_page_of_a_missing_verdict_says_so(table: Host, number: int, seat: int) -> None:
    assert "There is no such verdict" in contest(table, number, seat)
    answer = asked(table, owner_of(table), "GET", f"/contest/{number}/{seat}/preview.json", **FORM)
    assert (answer.status_code, answer.text) == (409, "There is no such verdict")


def test_without_a_game_both_pages_say_so(table: Host) -> None:
    table.camera.session = None
    assert "No game is running" in verdicts(table)
    assert "No game is running" in contest(table, 1, 1)


@pytest.mark.parametrize("form", [{}, {"left": "XX", "right": "WU"}, {"left": "WU"}, {"left": "WU CD", "right": ""}])
def test_invalid_forms_change_nothing(table: Host, form: dict[str, str]) -> None:
    before, screen = newest(table), owner_of(table)
    assert correct_pose(table, screen, **form).status_code == 400
    refused = asked(table, screen, "GET", "/contest/1/1/preview.json", **form)
    assert refused.status_code == 400
    assert "\n" not in refused.text
    assert newest(table) == before
