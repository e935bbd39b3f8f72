"""The server is killed in a round and started again, and every open page goes on as it was; an evening ends.

That pages in Chromium come back by themselves is asserted by the evening in tests/browser/test_evening.py.
"""

import socket
from collections import deque
from pathlib import Path

import httpx
import pytest

from tests.unit.web.browsing import NAMES, Served, reach, seen_on


def test_every_open_page_goes_on_as_it_was(tmp_path: Path) -> None:
    first = Served(tmp_path)
    narrator = first.tell("narrator")
    player = next(name for name in NAMES if name != narrator)
    for order in ("bet", "lay L.WU+1", "lay REVERSE"):
        first.tell(order)
    owner, narrators, other = first.owner(), first.phone(narrator), first.phone(player)
    pages = [(owner, "/table"), (owner, "/cards"), (narrators, "/phone"), (other, "/phone")]
    seen = [seen_on(browser.html(path)) for browser, path in pages]
    entries = first.tell("entries")
    first.kill()
    with Served(tmp_path, resume=True) as second:
        assert (second.port, second.tell("told")) == (first.port, [])
        assert second.tell("entries") == entries
        for (browser, path), digests in zip(pages, seen, strict=True):
            with browser.events(path, digests) as events:
                event = next(events)
                assert (event.name, event.parts) == ("parts", {}), "the page has everything"
        second.tell(f"remove {next(number for number, name in second.tell('players') if name == player)}")
        assert other.get("/phone").status_code == 403
        with narrators.events("/phone", seen[2]) as events:
            assert next(events).parts == {}
            second.tell("bam")
            headlines = (event.parts.get("headline", "") for event in events)
            assert any("Bam! Say which cards lie on the piles" in headline for headline in headlines)


def test_the_server_ends_at_once_whoever_watches_and_goes_on_elsewhere_if_it_must(tmp_path: Path) -> None:
    served = Served(tmp_path)
    phone = served.phone()
    with phone.events("/table", seen_on(phone.html("/table"))), reach(phone.address) as live:
        live.sendall(phone.request("/live.mjpeg"))
        assert live.recv(12) == b"HTTP/1.1 200"
        assert served.terminate() == 0

    with socket.create_server(("127.0.0.2", served.port)), Served(tmp_path, resume=True) as elsewhere:
        assert elsewhere.port != served.port
        assert elsewhere.tell("told") == [
            f"Port {served.port}, where this evening was, is taken: let phones join anew, with the code on “Phones”."
        ]


def test_when_the_evening_is_over_its_code_keys_and_cookies_open_nothing(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        phone, owner, code = served.phone("Blue"), served.owner(), served.code
        seen = [seen_on(browser.html("/join")) for browser in (phone, owner)]
        with phone.events("/join", seen[0]) as phones, owner.events("/join", seen[1]) as owners:
            served.tell("evening")
            for events in (phones, owners):
                with pytest.raises(httpx.RemoteProtocolError):
                    deque(events)
        assert served.stranger().get(f"/join?code={code}").status_code == 403
        assert served.stranger(here=True).get(f"/open?key={served.owner_key}").status_code == 403
        assert phone.get("/phone").status_code == owner.get("/table").status_code == 403
        assert phone.get("/events/join").status_code == owner.get("/events/join").status_code == 403
