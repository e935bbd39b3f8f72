"""The server is killed in the middle of a round and started again: every open page comes back by itself as it was."""

from __future__ import annotations

import shutil
import socket
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.unit.web.browsing import IS_UP, PATIENCE_S, Browser, Served, reach, seen_on, waits_for

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

SHOWN = "[...document.querySelectorAll('.house.page')].map(each => each.textContent).join('\\n')"
STAYS = f"{IS_UP} && ({SHOWN}).length > 0 && window.shownBefore === (window.shownBefore = {SHOWN})"
"""The page talks to its server, and shows the same as when it was last asked."""


def test_every_open_page_comes_back(tmp_path: Path) -> None:
    first = Served(tmp_path)
    owner = first.owner()
    players = [player for player in ("Blue", "Green", "Yellow", "Red") if player != first.tell("narrator")]
    narrators, other = first.phone(first.tell("narrator")), first.phone(players[0])
    first.tell("bet")
    first.tell("lay L.WU+1")
    first.tell("lay REVERSE")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])

        def opened(browser: Browser, path: str) -> Page:
            context = chromium.new_context()
            cookies = browser.cookies.items()
            context.add_cookies([{"name": name, "value": value, "url": browser.base} for name, value in cookies])
            page = context.new_page()
            page.set_default_timeout(2 * PATIENCE_S * 1000)
            page.goto(browser.base + path)
            return page

        pages = [opened(owner, "/table"), opened(owner, "/cards"), opened(narrators, "/phone"), opened(other, "/phone")]
        before = [shown(page) for page in pages]
        began = [page.evaluate("performance.timeOrigin") for page in pages]
        entries = first.tell("entries")

        first.kill()
        second = Served(tmp_path, resume=True)

        assert (second.port, second.tell("told")) == (first.port, [])
        assert second.tell("entries") == entries
        for page, text in zip(pages, before, strict=True):
            assert shown(page) == text
        assert [page.evaluate("performance.timeOrigin") for page in pages] == began, "a stream comes back alone"
        removed = pages.pop()
        second.tell(f"remove {next(number for number, player in second.tell('players') if player == players[0])}")
        removed.get_by_text("Who are you?").wait_for()
        second.tell("bam")
        pages[2].get_by_role("heading", name="Bam! Say which cards lie on the piles").wait_for()
        chromium.close()
    second.stop()


def test_the_server_ends_at_once_whoever_watches_and_goes_on_elsewhere_if_it_must(tmp_path: Path) -> None:
    served = Served(tmp_path)
    phone = served.phone()
    with phone.events("/table", seen_on(phone.html("/table"))), reach(phone.address) as live:
        live.sendall(phone.request("/live.mjpeg"))
        assert live.recv(12) == b"HTTP/1.1 200"
        assert served.terminate() == 0

    with socket.create_server(("127.0.0.2", served.port)):
        elsewhere = Served(tmp_path, resume=True)
    assert elsewhere.port != served.port
    assert elsewhere.tell("told") == [
        f"Port {served.port}, where this evening was, is taken: let phones join anew, with the code on “Phones”."
    ]
    elsewhere.stop()


def shown(page: Page) -> str:
    """Content of a page once it rests."""
    page.evaluate(waits_for(STAYS))
    text: str = page.evaluate(SHOWN)
    return text
