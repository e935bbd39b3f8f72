"""Excessive use of a running screen with low limits: requests, pages, guesses, connections."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.web.auth.access import MOST_PHONES_OF_ONE
from bunnymoose_cv.web.limits import Limits, Pace, TokenBucket
from tests.unit.web.browsing import Browser, Served, raw, reach, seen_on
from tests.unit.web.in_process import InProcess
from tests.unit.web.photographs import plain_jpeg

NEVER = 1e-9
"""Refill rate of a limit that is not refilled within a test, per second."""

BROWSERS_CONNECTIONS = 6
"""Connections of a browser to one host."""

SMALL = {
    "requests": [60, NEVER],
    "pages": [8, NEVER],
    "wrong_codes": [3, NEVER],
    "commands": [20, NEVER],
    "connections": 40,
    "connections_of_one": 12,
    "event_streams_of_one": 2,
    "streams_of_one": 2,
}

SPARING = {"commands": [5, NEVER], "photos": [4, NEVER]}

HASTY = {"head_s": 0.3}
"""Timeout that a busy computer may miss even with a whole request, so that no test with it sends one."""

IMPATIENT = {"command_s": 0.3, "photo_s": 0.5, "photos": [1, NEVER]}
"""Timeouts that a busy computer may miss even with a whole body, so that no test with them needs one to arrive."""


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a screen with low limits; each test uses its own visitors and addresses."""
    with Served(tmp_path_factory.mktemp("strict"), limits=SMALL) as screen:
        yield screen


def test_a_flood_from_the_network_does_not_slow_other_visitors(strict: Served) -> None:
    owner, phone = strict.owner(), strict.phone()

    # Wrong codes are soon refused, but the right code still admits a phone at the same address.
    stranger = strict.stranger()
    assert [stranger.get("/join?code=guess").status_code for _ in range(4)] == [403, 403, 403, 429]
    assert stranger.get(f"/join?code={strict.code}").cookies
    assert stranger.get("/join?code=guess").status_code == 429

    # Pages, which cost most, are limited for each visitor.
    pages = [phone.get("/table").status_code for _ in range(10)]
    assert pages.count(200) < 9
    assert pages[-1] == 429

    # Streams of one visitor, and commands.
    seen = seen_on(owner.html("/table"))
    with owner.events("/table", seen) as oldest, owner.events("/table", seen), owner.events("/table", seen):
        assert [event.name for event in oldest][-1] == "displaced"
        assert owner.get("/events/table?waits=1").status_code == 429
    statuses = [owner.send("undo").status_code for _ in range(30)]
    assert set(statuses[:15]) == {409}, "nothing is to be taken back"
    assert statuses[-1] == 429

    # Live images of one visitor.
    with ExitStack() as stack:
        answers = [_begin(stack, phone, f"/live.mjpeg?{how}") for how in ("asked", "asked", "waits=1", "asked")]
    assert [answer[9:12] for answer in answers] == [b"200", b"200", b"429", b"200"]

    # Open many connections from one address, and check that another address is served.
    with ExitStack() as stack:
        held = [stack.enter_context(reach(phone.address)) for _ in range(20)]
        assert all(_ended_by_the_server(connection) for connection in held[:4])
        assert owner.get("/style/house.css").status_code == 200

    # Requests of all sorts from one address.
    statuses = [phone.get("/style/house.css").status_code for _ in range(70)]
    assert (statuses[0], statuses[-1]) == (200, 429), "pages have a rate of their own"
    assert owner.get("/style/house.css").status_code == 200
    assert [strict.stranger().get("/style/house.css").status_code for _ in range(70)][-1] == 429
    assert strict.stranger().get(f"/join?code={strict.code}").status_code == 200, "who floods keeps no phone out"


def _begin(stack: ExitStack, browser: Browser, target: str) -> bytes:
    connection = stack.enter_context(reach(browser.address))
    connection.sendall(browser.request(target))
    return connection.recv(64)


def _ended_by_the_server(connection: socket.socket) -> bool:
    with suppress(ConnectionResetError):
        while connection.recv(65536):
            pass
    return True


def test_a_program_at_the_owners_address_does_not_lock_the_owner_out(strict: Served) -> None:
    owner, stranger = strict.owner(), strict.stranger(here=True)
    assert [stranger.get("/open?key=guess").status_code for _ in range(5)] == [403, 403, 403, 429, 429]
    assert [stranger.get("/table").status_code for _ in range(70)][-1] == 429

    # The owner's page keeps working, and another browser of the owner is admitted.
    assert owner.get("/style/house.css").status_code == 200
    with owner.events("/table") as events:
        assert next(events).name in {"parts", "reload"}
    again = stranger.get(f"/open?key={strict.call('once')}")
    assert again.status_code == 200
    assert again.cookies

    # A page of a stranger in the owner's own browser counts as the stranger.
    assert owner.get("/style/house.css", **{"Sec-Fetch-Site": "cross-site"}).status_code == 429
    assert owner.get("/style/house.css", **{"Sec-Fetch-Site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
def test_a_page_of_another_server_in_the_owners_browser_is_a_strangers(tmp_path: Path, site: str) -> None:
    with InProcess(tmp_path) as screen:
        owner, foreign = screen.owner(), {"Sec-Fetch-Site": site}
        paths = ("/table", "/live.mjpeg", "/events/table", "/known", "/download/1.zip")
        assert {owner.get(path, **foreign).status_code for path in paths for _ in range(9)} == {403}
        assert [owner.get("/table").status_code for _ in range(20)] == [200] * 20


def test_a_guest_with_many_connections_does_not_lock_the_owner_out(strict: Served) -> None:
    owner, guests = strict.owner(), [strict.phone() for _ in range(4)]
    with owner.events("/join", seen_on(owner.html("/join"))) as events, ExitStack() as stack:
        assert next(events).parts == {}
        for _ in range(6):
            for guest in guests:
                for _ in range(12):
                    with suppress(ConnectionError):  # some guests are refused
                        _begin(stack, guest, "/known")
            assert owner.get("/style/house.css").status_code == 200
            assert owner.get("/join").status_code == 200
        assert owner.send("renew-code").status_code == 204
        assert set(next(events).parts) == {"code"}, "the stream goes on"


def test_strangers_connections_at_the_owners_address_are_replaced_by_the_owners(strict: Served) -> None:
    owner = strict.owner()
    with owner.events("/join", seen_on(owner.html("/join"))) as events, ExitStack() as stack:
        assert next(events).parts == {}
        for beginning in (b"", b"GET / HTTP/1.1\r\n"):
            for _ in range(60):
                stack.enter_context(reach(owner.address)).sendall(beginning)
            assert owner.get("/style/house.css").status_code == 200
        for _ in range(10):
            for _ in range(30):
                stack.enter_context(reach(owner.address))
            assert owner.get("/style/house.css").status_code == 200
        assert owner.send("renew-code").status_code == 204
        assert set(next(events).parts) == {"code"}, "the stream goes on"


def test_one_guest_cannot_use_up_all_connections(tmp_path: Path) -> None:
    with InProcess(tmp_path) as screen:
        first = screen.phone("Blue")
        phones = [screen.phone() for _ in range(2 * MOST_PHONES_OF_ONE)]
        assert first.get("/phone").status_code == 200
        assert phones[0].get("/phone").status_code == 403
        assert phones[-1].get("/join").status_code == 200


BEGINNINGS: Final[dict[str, Callable[[Browser], bytes]]] = {
    "nothing": lambda _: b"",
    "a letter": lambda _: b"G",
    "half a line": lambda _: b"GET /table HTTP/1.1\r\nHost: ",
    "half a head": lambda _: b"GET /table HTTP/1.1\r\nX: y\r\n",
    "empty lines": lambda _: b"\r\n" * 50,
    "TLS": lambda _: b"\x16\x03\x01\x02\x00\x01",
    "half a second request": lambda guest: guest.request("/known") + b"GET /known HTT",
    "a slow body": lambda guest: guest.request("/known", "Content-Length: 100000", method="POST") + b"x",
}


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a screen that soon closes connections without a request."""
    with Served(tmp_path_factory.mktemp("hasty"), limits=HASTY) as screen:
        yield screen


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS)
def test_connections_without_a_request_are_closed(hasty: Served, beginning: Callable[[Browser], bytes]) -> None:
    guest = hasty.stranger()
    with reach(guest.address) as connection:
        connection.sendall(beginning(guest))
        assert _ended_by_the_server(connection)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a screen with short timeouts of commands and photographs, and one photograph for each visitor."""
    with Served(tmp_path_factory.mktemp("slow"), photos=True, limits=IMPATIENT) as screen:
        yield screen


def test_a_photograph_that_does_not_arrive_is_refused_and_counts(slow: Served) -> None:
    for sender in (slow.owner(), slow.owner()):
        head = sender.request("/cards/photo", f"Origin: {sender.base}", "Content-Length: 100000", method="POST")
        answer = raw(sender.address, head + b"\xff\xd8\xff")
        assert answer.startswith(b"HTTP/1.1 408"), "everybody has a budget of their own"
        assert b"took too long" in answer
        assert sender.send_photo(plain_jpeg(640, 480)).status_code == 429
        assert sender.get("/table").status_code == 200


def test_a_command_that_does_not_arrive_is_refused(slow: Served) -> None:
    owner, phone = slow.owner(), slow.phone()
    head = phone.request("/command/renew-code", f"Origin: {phone.base}", "Content-Length: 100", method="POST")
    assert raw(phone.address, head + b"by").startswith(b"HTTP/1.1 408")
    with reach(phone.address) as left:
        left.sendall(head)
    assert [browser.get("/join").status_code for browser in (phone, owner)] == [200, 200]


def test_photographs_have_their_own_rate(tmp_path: Path) -> None:
    with InProcess(tmp_path, photos=True, limits=SPARING) as screen:
        screen.call("bam")
        browser, content = screen.owner(), plain_jpeg(640, 480)
        statuses = [browser.send_photo(content).status_code for _ in range(6)]
        assert statuses == [204, 204, 204, 204, 429, 429]
        phone = screen.phone(screen.call("narrator"))
        assert phone.send_photo(content).status_code == 204, "everybody has a budget of their own"
        assert browser.get("/table").status_code == 200


def test_a_flood_of_commands_is_refused_without_affecting_others(tmp_path: Path) -> None:
    with InProcess(tmp_path, limits=SPARING) as screen:
        owner, phone = screen.owner(), screen.phone()
        statuses = [phone.send("renew-code").status_code for _ in range(10)]
        assert statuses == [403] * 5 + [429] * 5
        assert phone.send("renew-code").text == "Wait a moment and try again."
        assert owner.send("renew-code").status_code == 204


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.floats(0, 5), min_size=1, max_size=60), st.floats(1, 10), st.floats(0.1, 5))
def test_a_rate_is_never_exceeded(pauses: list[float], at_once: float, per_s: float) -> None:
    clock = _Clock()
    rate = TokenBucket(Pace(at_once, per_s), clock)
    done = 0
    for pause in pauses:
        clock.now += pause
        done += rate.allows("somebody")
        assert done <= at_once + clock.now * per_s + 1e-6


def test_a_rate_limit_remembers_active_clients_within_a_bound() -> None:
    clock = _Clock()
    rate = TokenBucket(Pace(2, NEVER), clock)
    assert [rate.allows("busy") for _ in range(3)] == [True, True, False]
    for number in range(5000):
        rate.allows(number)
        assert not rate.allows("busy")
    assert len(rate._left) <= 1024
    assert rate.allows("somebody else")


def test_usual_limits_let_a_whole_table_play() -> None:
    """Load page, stream and live image on six phones and the screen at once."""
    limits = Limits()
    assert limits.streams >= 7
    assert limits.event_streams >= 7
    assert limits.streams_of_one + limits.event_streams_of_one < BROWSERS_CONNECTIONS
    assert limits.connections_of_one >= 6 * 4
    assert limits.requests.at_once >= 60 * 4
