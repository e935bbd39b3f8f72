"""Restart of a killed server with open pages, and the end of an evening.

tests/browser/test_evening.py asserts that pages in Chromium reconnect.
"""

import socket
from collections import deque
from pathlib import Path

import httpx
import pytest

from tests.unit.web.browsing import NAMES, Served, lasting_port, reach, seen_on


def test_open_pages_continue_after_a_restart(tmp_path: Path) -> None:
    first = Served(tmp_path, port=lasting_port())
    narrator = first.call("narrator")
    player = next(name for name in NAMES if name != narrator)
    for line in ("bet", "lay L.WU+1", "lay REVERSE"):
        first.call(line)
    owner, narrators, other = first.owner(), first.phone(narrator), first.phone(player)
    pages = [(owner, "/table"), (owner, "/cards"), (narrators, "/phone"), (other, "/phone")]
    seen = [seen_on(browser.html(path)) for browser, path in pages]
    entries = first.call("entries")
    first.kill()
    with Served(tmp_path, resume=True) as second:
        assert (second.port, second.call("reported")) == (first.port, [])
        assert second.call("entries") == entries
        for (browser, path), digests in zip(pages, seen, strict=True):
            with browser.events(path, digests) as events:
                event = next(events)
                assert (event.name, event.parts) == ("parts", {}), "the page has everything"
        second.call(f"remove {next(number for number, name in second.call('players') if name == player)}")
        assert other.get("/phone").status_code == 403
        with narrators.events("/phone", seen[2]) as events:
            assert next(events).parts == {}
            second.call("bam")
            headlines = (event.parts.get("headline", "") for event in events)
            assert any("Bam! Say which cards are on the piles" in headline for headline in headlines)


def test_the_server_stops_despite_open_streams_and_restarts_on_another_port_if_needed(tmp_path: Path) -> None:
    served = Served(tmp_path, port=lasting_port())
    phone = served.phone()
    with phone.events("/table", seen_on(phone.html("/table"))), reach(phone.address) as live:
        live.sendall(phone.request("/live.mjpeg"))
        assert live.recv(12) == b"HTTP/1.1 200"
        assert served.terminate() == 0

    with socket.create_server(("127.0.0.2", served.port)), Served(tmp_path, resume=True) as elsewhere:
        assert elsewhere.port != served.port
        assert elsewhere.call("reported") == [
            f"Port {served.port}, where this evening was, is taken: let phones join again, with the code on “Phones”."
        ]


def test_code_keys_and_cookies_expire_with_the_evening(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        phone, owner, code = served.phone("Blue"), served.owner(), served.code
        seen = [seen_on(browser.html("/join")) for browser in (phone, owner)]
        with phone.events("/join", seen[0]) as phones, owner.events("/join", seen[1]) as owners:
            served.call("evening")
            for events in (phones, owners):
                with pytest.raises(httpx.RemoteProtocolError):
                    deque(events)
        assert served.stranger().get(f"/join?code={code}").status_code == 403
        assert served.stranger(here=True).get(f"/open?key={served.owner_key}").status_code == 403
        assert phone.get("/phone").status_code == owner.get("/table").status_code == 403
        assert phone.get("/events/join").status_code == owner.get("/events/join").status_code == 403
