"""Forms of pages, as somebody sends them who means no good: origins, sizes, fields, rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.web.commands.registry import COMMANDS
from bunnymoose_cv.web.limits import Limits
from tests.unit.web.browsing import Served, raw, reach
from tests.unit.web.in_process import InProcess

if TYPE_CHECKING:
    from pathlib import Path

RENEW = "/command/renew-code"


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.2:{port}"],
)
def test_a_page_of_somebody_else_sends_nothing(in_process: InProcess, origin: str) -> None:
    named = {"Origin": origin.format(port=in_process.port)}
    answer = in_process.owner_once.ask("POST", RENEW, data={"by": "key"}, headers=named)
    assert answer.status_code == 403
    assert in_process.code in in_process.owner_once.html("/join")


def test_a_browser_that_tells_no_origin_sends_nothing(in_process: InProcess) -> None:
    assert in_process.owner_once.ask("POST", RENEW, data={"by": "key"}).status_code == 403


@pytest.mark.parametrize("command", COMMANDS)
def test_a_stranger_sends_nothing(in_process: InProcess, command: str) -> None:
    for here in (True, False):
        assert in_process.stranger(here=here).send(command, number="1", player="Blue").status_code == 403


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_a_command_is_posted_alone(in_process: InProcess, method: str) -> None:
    answer = in_process.owner_once.ask(method, RENEW, headers={"Origin": in_process.here})
    assert answer.status_code in {404, 405}
    assert in_process.code in in_process.owner_once.html("/join")


@pytest.mark.parametrize("name", ["nothing", "", "renew-code/", "../join", "renew%2dcode%00", "RENEW-CODE"])
def test_there_is_no_other_command(in_process: InProcess, name: str) -> None:
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
def test_a_crooked_form_is_refused_by_a_sentence(in_process: InProcess, content: bytes, status: int) -> None:
    headers = {"Origin": in_process.here, "Content-Type": "application/x-www-form-urlencoded"}
    before = in_process.tell("players")
    answer = in_process.owner_once.ask("POST", "/command/remove-phone", content=content, headers=headers)
    assert answer.status_code == status
    if status == 400:
        assert answer.text == "That cannot be done so: load the page once more."
    assert in_process.tell("players") == before


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
        ("name-card", {"number": "1", "card": "L.WU+1"}, 409),
    ],
)
def test_cards_and_tempo_are_taken_as_they_should_be(
    tmp_path: Path, command: str, form: dict[str, str], status: int
) -> None:
    screen = InProcess(tmp_path, deals=True)
    try:
        answer = screen.owner().send(command, **form)
        assert answer.status_code == status
        assert bool(answer.text) is (status != 204)
        assert screen.tell("cards") == ("L.WU+1" if status == 204 else "")
    finally:
        screen.stop()


def test_cards_that_two_lay_at_once_are_laid_once(tmp_path: Path) -> None:
    screen = InProcess(tmp_path)
    try:
        owner, phone = screen.owner(), screen.phone(screen.tell("narrator"))
        assert phone.send("lay", cards="l.wu+1 reverse", after="0").status_code == 204
        answer = owner.send("lay", cards="l.wu+1 reverse", after="0")
        assert (answer.status_code, answer.text) == (409, "Somebody has just laid a card: look once more.")
        assert owner.send("lay", cards="r.ss+3", after="2").status_code == 204
        assert screen.tell("cards") == "L.WU+1 REVERSE R.SS+3"
    finally:
        screen.stop()


def test_a_size_is_told_and_kept_to(served: Served) -> None:
    browser = served.owner_once
    origin = f"Origin: {browser.base}"
    for headers in (
        ("Transfer-Encoding: chunked",),
        (f"Content-Length: {Limits().command_bytes + 1}",),
        ("Content-Length: 9" + "9" * 30,),
        ("Content-Length: 0",),
        (),
    ):
        answer = raw(browser.address, browser.request(RENEW, origin, *headers, method="POST"))
        assert answer.startswith(b"HTTP/1.1 4"), headers


def test_a_flood_of_commands_is_stopped_and_others_go_on(tmp_path: Path) -> None:
    screen = Served(tmp_path, limits={"commands": [5, 1e-9], "command_s": 0.3})
    try:
        owner, phone = screen.owner(), screen.phone()
        head = phone.request(RENEW, f"Origin: {phone.base}", "Content-Length: 100", method="POST")
        answer = raw(phone.address, head + b"by")
        assert answer.startswith(b"HTTP/1.1 408")
        with reach(phone.address) as left:
            left.sendall(head)
        statuses = [phone.send("renew-code").status_code for _ in range(10)]
        assert statuses[:2] == [403, 403]
        assert statuses[-5:] == [429] * 5
        assert phone.send("renew-code").text == "Wait a moment and try once more."
        assert owner.send("renew-code").status_code == 204
    finally:
        screen.stop()
