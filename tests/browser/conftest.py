"""A real Chromium for the tests of the screen, which watches what each page asks for and complains of."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

LARGE = (1920, 1080)
"""The television at the table."""

SMALL = (390, 844)
"""A phone."""


@dataclass  # without slots: Playwright marks the methods that it calls
class Visit:
    """A page that is looked at.

    Attributes:
        page: Playwright's own.
        complaints: what the page wrote to the console as an error, and what failed in it.
        foreign: requests that went to other hosts than this machine's own.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """From now on notice complaints and requests."""
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._notice)

    def _notice(self, request: Request) -> None:
        own = ("http://127.0.0.", "http://localhost", "ws://127.0.0.", "ws://localhost", "data:", "blob:", "about:")
        if not request.url.startswith(own):
            self.foreign.append(request.url)


Open = Callable[..., Visit]
"""Opens a page of a size in a context of its own, as another person's device would: `open_page(LARGE, dark=True)`."""


_RUNNING: Final = ExitStack()
"""Playwright and the browser, while tests of this folder follow on each other."""

_BROWSERS: Final[list[Browser]] = []


@pytest.fixture
def chromium() -> Browser:
    """The system's Chromium, else Playwright's own (`python -m playwright install chromium`)."""
    if not _BROWSERS:
        playwright = _RUNNING.enter_context(sync_playwright())
        arguments = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        _RUNNING.callback(browser.close)
        _BROWSERS.append(browser)
    return _BROWSERS[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser before tests of other folders: its event loop would be in their way."""
    try:
        return (yield)
    finally:
        if nextitem is None or not nextitem.path.is_relative_to(Path(__file__).parent):
            _BROWSERS.clear()
            _RUNNING.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Opens pages, each on a device of its own; all are closed afterwards."""
    contexts: list[BrowserContext] = []

    def open_one(size: tuple[int, int] = LARGE, *, dark: bool = False) -> Visit:
        width, height = size
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            has_touch=size == SMALL,
        )
        contexts.append(context)
        visit = Visit(context.new_page())
        visit.watch()
        return visit

    yield open_one
    for context in contexts:
        context.close()
