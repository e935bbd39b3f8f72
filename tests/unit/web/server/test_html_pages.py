"""HTML pages and fragments of the running screen: events, content policy, and attacks."""

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.auth.permissions import Role
from bunnymoose_cv.web.server.html_pages import ROUTES
from bunnymoose_cv.web.templates.rendering import TEMPLATES, render
from tests.unit.web.browsing import Served, reach, seen_on
from tests.unit.web.in_process import InProcess

PAGES = [(re.sub(r"\{.*?\}", "1", route.path), Role.PLAYER in route.roles) for route in ROUTES]

STRANGE = ["", "x", ".", "." * 500, "0" * 900, "é", "%00", "<script>", "a\u2028b", "../../etc/passwd"]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a screen that tests may change, with two streams per visitor."""
    with Served(tmp_path_factory.mktemp("own"), limits={"event_streams_of_one": 2, "event_streams": 3}) as screen:
        yield screen


@pytest.mark.parametrize(("path", "for_players"), PAGES)
def test_pages_run_only_our_script_files(in_process: InProcess, path: str, *, for_players: bool) -> None:
    browser = in_process.phone_of("Blue") if for_players else in_process.owner()
    answer = browser.get(path)
    policy = dict(directive.split(" ", 1) for directive in answer.headers["content-security-policy"].split("; "))
    assert (policy["script-src"], policy["style-src"], policy["default-src"]) == ("'self'", "'self'", "'none'")
    assert policy["form-action"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", answer.text)
    assert answer.headers["cache-control"] == "no-store"


def test_a_stream_sends_only_changed_parts(own: Served) -> None:
    owner = own.owner()
    seen = seen_on(owner.html("/join"))
    with owner.events("/join", seen) as events:
        first = next(events)
        assert (first.name, first.parts, first.seen) == ("parts", {}, seen)
        own.phone("Blue")
        changed = next(events)
        while "Blue" not in changed.parts["phones"]:
            assert set(changed.parts) == {"phones"}
            changed = next(events)
        assert owner.send("renew-code").status_code == 204
        code = next(events)
        assert set(code.parts) == {"code"}
    with owner.events("/join", seen, **{"Last-Event-ID": code.seen}) as events:
        assert next(events).parts == {}, "a browser that comes back tells what it has"
    with owner.events("/join", seen) as events:
        assert set(next(events).parts) == {"code", "phones"}


@pytest.mark.parametrize("seen", STRANGE)
def test_unknown_digests_reload_the_page(served: Served, seen: str) -> None:
    with served.owner_once.events("/join", seen) as events:
        assert next(events).name == "reload"
    with served.owner_once.events("/join", **{"Last-Event-ID": seen.encode("ascii", "replace").decode()}) as events:
        assert next(events).name == "reload"


def test_too_many_streams_are_refused_with_a_sentence(own: Served) -> None:
    owner, phone = own.owner(), own.phone()
    with ExitStack() as stack:
        watched = [stack.enter_context(owner.events("/join", seen_on(owner.html("/join")))) for _ in range(2)]
        assert [next(events).parts for events in watched] == [{}, {}]
        refused = owner.get("/events/join?waits=1")
        assert (refused.status_code, refused.headers["content-type"]) == (429, "text/plain; charset=utf-8")
        assert refused.text == "This browser has too many pages open: close some."
        watched.append(stack.enter_context(phone.events("/join", seen_on(phone.html("/join")))))
        assert next(watched[-1]).parts == {}
        assert phone.get("/events/join?waits=1").status_code == 429, "of everybody together"
        assert owner.get("/join").status_code == 200
    with phone.events("/join", seen_on(phone.html("/join"))) as events:
        assert next(events).parts == {}, "a page that is closed makes room"


def test_streams_have_the_headers_of_every_answer(served: Served) -> None:
    browser = served.phone_of("Blue")
    with reach(browser.address) as stream:
        stream.sendall(browser.request("/events/phone"))
        head = b""
        while b"\r\n\r\n" not in head:
            head += stream.recv(4096)
    for header in (
        b"content-type: text/event-stream",
        b"content-security-policy: default-src 'none'",
        b"x-content-type-options: nosniff",
        b"cross-origin-resource-policy: same-origin",
        b"cache-control: no-store",
    ):
        assert header in head.lower()


@pytest.mark.parametrize("path", ["/phone", "/cards"])
def test_a_phone_without_a_player_is_sent_to_the_join_page(in_process: InProcess, path: str) -> None:
    answer = in_process.phone().get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, "/join")


def test_a_stream_has_the_permissions_of_its_page(served: Served) -> None:
    assert served.phone().get("/events/phone").status_code == 403
    assert served.owner_once.get("/events/phone").status_code == 403


ABOUT = "L.WU%2B1"


def test_faces_of_a_motif_are_at_their_own_side(in_process: InProcess) -> None:
    owner = in_process.owner_once
    faces = owner.html(f"/cards/faces.html?about={ABOUT}")
    placed = re.findall(r'<li class="(at-\w+)"><button[^>]* name="cards" value="([^"]*)"', faces)
    sides = {"at-left": "L.", "at-right": "R.", "at-both": "B."}
    assert {place for place, _ in placed} == set(sides)
    assert all(card.startswith(sides[place]) and "WU" in card for place, card in placed)
    every = owner.html(f"/enrol/faces.html?about={ABOUT}")
    assert 'name="card"' in every
    assert " disabled" not in every


def test_laid_cards_are_no_longer_available(in_process: InProcess) -> None:
    owner = in_process.owner_once
    assert owner.send("lay", cards="L.WU+2").status_code == 204
    used = r'value="L\.WU\+2"[^>]* disabled.*?already laid'
    assert re.search(used, owner.html(f"/cards/faces.html?about={ABOUT}"))
    assert owner.send("undo").status_code == 204
    assert not re.search(used, owner.html(f"/cards/faces.html?about={ABOUT}"))


@pytest.mark.parametrize(
    ("typed", "has", "lacks"),
    [
        ("", "One card for the next pile", "<svg"),
        ("l.wu%2B1 hunter", '<ol class="understood">', "<mark>"),
        ("l.wu%2B1 b.cx%2B1", "<mark>CX+1</mark>", '<ol class="understood">'),
        ("<script>x</script>", "&lt;SCRIPT&gt;", "<SCRIPT>"),
        ("%00%ff", "<mark>", "\0\0"),
    ],
)
def test_typed_cards_are_shown_as_they_are_understood(in_process: InProcess, typed: str, has: str, lacks: str) -> None:
    shown = in_process.owner_once.html(f"/cards/understood.html?typed={typed}")
    assert has in shown
    assert lacks not in shown


@pytest.mark.parametrize("about", ["", "x", "<b>", "../..", "L.WU", "%00", "é"])
def test_an_unknown_motif_is_refused_with_a_sentence(in_process: InProcess, about: str) -> None:
    for path in ("/cards/faces.html", "/enrol/faces.html"):
        answer = in_process.owner_once.get(f"{path}?about={about}")
        assert (answer.status_code, answer.headers["content-type"]) == (400, "text/plain; charset=utf-8")
        assert answer.text == "That did not work: reload the page."


def test_fragments_have_the_permissions_of_their_page(in_process: InProcess) -> None:
    paths = (f"/cards/faces.html?about={ABOUT}", "/cards/understood.html?typed=x", f"/enrol/faces.html?about={ABOUT}")
    answers = [[browser.get(path) for path in paths] for browser in (in_process.phone_of("Blue"), in_process.phone())]
    assert [[answer.status_code for answer in of_one] for of_one in answers] == [[200, 200, 403], [403, 403, 403]]
    assert [in_process.stranger().get(path).status_code for path in paths] == [403] * 3
    for answer in answers[0]:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"


def test_pages_can_contain_names_with_any_bytes() -> None:
    filled = render("warm_up/problem", Texts(), sentence="There is no <c\udcff.mp4>: check the name")
    assert b"There is no &lt;c\\udcff.mp4&gt;: check the name" in filled.encode()


def test_templates_add_no_punctuation_to_texts() -> None:
    """Check that punctuation is part of the text, since French has a space before some of it."""
    signs = re.compile(r"\}\}[:;!?](?=[\s<])")
    assert [path.name for path in TEMPLATES.rglob("*.html") if signs.search(path.read_text("utf-8"))] == []
