"""A real Chromium for the tests of the screen, which records the requests and console errors of each page."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, Request, expect, sync_playwright

from tests.unit.web.browsing import NAMES, TALKS, Screen, Served

LARGE = (1920, 1080)
"""The television at the table."""

SMALL = (390, 844)
"""A phone."""

PATIENCE_MS: Final = 180_000
"""Timeout of an expectation, also of a whole check on a busy computer; during a game it waits for the referee."""

expect.set_options(timeout=PATIENCE_MS)


def box_of(element: Locator) -> FloatRect:
    """Return the box of a visible element, in pixels. The page may replace the element while it is measured."""
    box = None
    while box is None:
        expect(element).to_be_visible()
        box = element.bounding_box()
    return box


@dataclass  # without slots: Playwright marks the methods that it calls
class Visit:
    """A page on a device of its own.

    Attributes:
        complaints: errors on the page's console, and exceptions that it did not catch.
        foreign: requests to other hosts than this computer.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Start recording complaints and requests."""
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._notice)

    def come_in(self, screen: Screen, path: str, player: str | None = None) -> Page:
        """Open a page of the table, or of a player's phone, and wait until it talks to its server."""
        browser = screen.owner_once if player is None else screen.phone_of(player)
        self.page.context.add_cookies(browser.for_chromium)
        self.page.goto(f"{browser.base}{path}")
        self.page.evaluate(TALKS)
        return self.page

    def fits(self) -> bool:
        """Return whether nothing extends beyond the right edge of the page."""
        size = self.page.viewport_size
        assert size is not None
        return bool(self.page.evaluate("document.documentElement.scrollWidth") <= size["width"])

    def resize(self, size: tuple[int, int]) -> None:
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    def box(self, selector: str) -> FloatRect:
        """Return the box of an element, in pixels."""
        return box_of(self.page.locator(selector).first)

    def _notice(self, request: Request) -> None:
        own = ("http://127.0.0.", "http://localhost", "ws://127.0.0.", "ws://localhost", "data:", "blob:", "about:")
        if not request.url.startswith(own):
            self.foreign.append(request.url)


Open = Callable[..., Visit]
"""Opens an empty page of a size on a device of its own: `open_page(LARGE)`."""

_RUNNING: Final = ExitStack()
"""Playwright and the browser, shared by consecutive tests of this folder."""

_BROWSERS: Final[list[Browser]] = []


@pytest.fixture
def chromium() -> Browser:
    """Return the system's Chromium or, if missing, Playwright's (`python -m playwright install chromium`)."""
    if not _BROWSERS:
        playwright = _RUNNING.enter_context(sync_playwright())
        arguments = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        _RUNNING.callback(browser.close)
        _BROWSERS.append(browser)
    return _BROWSERS[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser before tests of other folders, because its event loop would disturb them."""
    try:
        return (yield)
    finally:
        if nextitem is None or not nextitem.path.is_relative_to(Path(__file__).parent):
            _BROWSERS.clear()
            _RUNNING.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Open pages, each on a device of its own. All are closed afterwards."""
    visits: list[Visit] = []

    def open_one(size: tuple[int, int]) -> Visit:
        visits.append(visit_on_device(chromium, size))
        return visits[-1]

    yield open_one
    for visit in visits:
        visit.page.context.close()


def visit_on_device(browser: Browser, size: tuple[int, int]) -> Visit:
    """Open an empty page in a context of its own, as another person's device would."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce", has_touch=size == SMALL
    )
    visit = Visit(context.new_page())
    visit.watch()
    return visit


FAR_LIMITS: Final = dict.fromkeys(("requests", "pages", "commands"), (100_000, 10_000))


@pytest.fixture(scope="session")
def shared_screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A screen without a camera, with a dealer, a reader of card markers and generous rate limits."""
    with Served(tmp_path_factory.mktemp("screen"), deals=True, photos=True, limits=FAR_LIMITS) as screen:
        yield screen


@pytest.fixture
def screen(shared_screen: Served) -> Served:
    """The shared screen with a new game in English and no entries."""
    shared_screen.call(f"begin en {','.join(NAMES)}")
    return shared_screen
