"""Forms of pages as an attacker sends them: origins, sizes, fields, rates."""

import pytest

from bunnymoose_cv.web.limits import Limits
from bunnymoose_cv.web.server.command_endpoint import COMMANDS
from tests.unit.web.browsing import Served, raw
from tests.unit.web.in_process import InProcess

RENEW = "/command/renew-code"
PHOTO = "/cards/photo"


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.2:{port}"],
)
def test_commands_from_foreign_pages_are_refused(in_process: InProcess, origin: str) -> None:
    named, owner = origin.format(port=in_process.port), in_process.owner_once
    assert owner.ask("POST", RENEW, data={"by": "key"}, headers={"Origin": named}).status_code == 403
    assert owner.send_photo(b"\xff\xd8\xff", Origin=named).status_code == 403
    assert in_process.code in in_process.owner_once.html("/join")


def test_commands_without_an_origin_are_refused(in_process: InProcess) -> None:
    assert in_process.owner_once.ask("POST", RENEW, data={"by": "key"}).status_code == 403


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_from_strangers_are_refused(in_process: InProcess, command: str) -> None:
    for here in (True, False):
        assert in_process.stranger(here=here).send(command, number="1", player="Blue").status_code == 403


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_commands_accept_only_post(in_process: InProcess, method: str) -> None:
    answer = in_process.owner_once.ask(method, RENEW, headers={"Origin": in_process.here})
    assert answer.status_code in {404, 405}
    assert in_process.code in in_process.owner_once.html("/join")


@pytest.mark.parametrize("name", ["nothing", "", "renew-code/", "../join", "renew%2dcode%00", "RENEW-CODE"])
def test_unknown_commands_are_not_found(in_process: InProcess, name: str) -> None:
    answer = in_process.owner_once.ask(
        "POST", f"/command/{name}", data={"by": "key"}, headers={"Origin": in_process.here}
    )
    assert answer.status_code in {404, 405}


CROOKED = [
    (b"number", 400),
    (b"number=", 400),
    (b"number=-1", 400),
    (b"number=1e3", 400),
    (b"number=%D9%A1", 400),
    (b"number=" + b"9" * 400, 400),
    (b"number=%ff", 400),
    (b"\xff\xfe", 400),
    (b"&&&&", 400),
    (b"&".join(b"a=1" for _ in range(40)) + b"&number=1", 400),
    (b"{}", 400),
    (b"player=" + b"x" * 3000, 413),
    (b"", 413),
]


@pytest.mark.parametrize(("content", "status"), CROOKED)
def test_malformed_forms_are_refused_with_a_sentence(in_process: InProcess, content: bytes, status: int) -> None:
    headers = {"Origin": in_process.here, "Content-Type": "application/x-www-form-urlencoded"}
    before = in_process.call("players")
    answer = in_process.owner_once.ask("POST", "/command/remove-phone", content=content, headers=headers)
    assert answer.status_code == status
    if status == 400:
        assert answer.text == "That did not work: reload the page."
    assert in_process.call("players") == before


@pytest.mark.parametrize(
    ("command", "form", "status"),
    [
        ("lay", {}, 400),
        ("lay", {"cards": ""}, 400),
        ("lay", {"cards": "L.WU+1 <b>"}, 400),
        ("lay", {"cards": "L.WU+1 " * 40}, 400),
        ("lay", {"cards": "l.wu+1"}, 204),
        ("lay", {"cards": "l.wu+1", "after": "0"}, 204),
        ("lay", {"cards": "l.wu+1", "after": "1"}, 409),
        ("lay", {"cards": "l.wu+1", "after": "-1"}, 400),
        ("deal", {"tempo": "nan"}, 400),
        ("deal", {"tempo": "1" * 400}, 400),
        ("deal", {"tempo": "soon"}, 400),
        ("name-card", {"number": "1", "card": "L.WU"}, 400),
        ("name-card", {"card": "L.WU+2"}, 400),
        ("turn-card", {}, 400),
        ("turn-card", {"number": "-1"}, 400),
        ("reject-card", {"number": "one"}, 400),
        ("forget-card", {}, 400),
        ("forget-card", {"card": "<b>"}, 400),
        ("name-card", {"number": "1", "card": "L.WU+1"}, 409),
    ],
)
def test_valid_cards_and_tempo_are_accepted(
    in_process: InProcess, command: str, form: dict[str, str], status: int
) -> None:
    answer = in_process.owner_once.send(command, **form)
    assert answer.status_code == status
    assert bool(answer.text) is (status != 204)
    if status == 400 and "cards" not in form:
        assert answer.text == "That did not work: reload the page."
    assert in_process.call("cards") == ("L.WU+1" if status == 204 else "")
    assert status != 204 or in_process.owner_once.send("undo").status_code == 204


def test_cards_laid_by_two_visitors_at_once_are_laid_once(in_process: InProcess) -> None:
    owner, phone = in_process.owner_once, in_process.phone_of(in_process.call("narrator"))
    assert phone.send("lay", cards="l.wu+1 reverse", after="0").status_code == 204
    answer = owner.send("lay", cards="l.wu+1 reverse", after="0")
    assert (answer.status_code, answer.text) == (409, "Somebody has just laid a card: please check again.")
    assert owner.send("lay", cards="r.ss+3", after="2").status_code == 204
    assert in_process.call("cards") == "L.WU+1 REVERSE R.SS+3"
    assert [owner.send("undo").status_code for _ in range(3)] == [204] * 3


@pytest.mark.parametrize(("path", "most"), [(RENEW, Limits().command_bytes), (PHOTO, Limits().photo_bytes)])
def test_bodies_must_declare_and_keep_their_size(served: Served, path: str, most: int) -> None:
    browser = served.owner_once
    lengths = (f"{most + 1}", "9" * 32, "0")
    for headers in (("Transfer-Encoding: chunked",), *((f"Content-Length: {length}",) for length in lengths), ()):
        answer = raw(browser.address, browser.request(path, f"Origin: {browser.base}", *headers, method="POST"))
        assert answer.startswith(b"HTTP/1.1 4"), headers
        assert path != PHOTO or b"connection: close" in answer.lower()
    twice = ("Content-Length: 5", "Content-Length: 6")
    answer = raw(browser.address, browser.request(path, f"Origin: {browser.base}", *twice, method="POST"))
    assert answer.startswith(b"HTTP/1.1 400")
