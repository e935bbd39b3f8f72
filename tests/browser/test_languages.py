"""Every page in every language in a real browser: no words stick out, and the header stays in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from bunnymoose_cv.i18n.language import Language
from tests.browser.conftest import LARGE, SMALL
from tests.unit.web.browsing import TALKS, Served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import FloatRect, Locator, Page

    from tests.browser.conftest import Visit

LAPTOP: Final = (1280, 720)
SIZES: Final = (LARGE, LAPTOP, SMALL)

PATHS: Final = ("/setup", "/table", "/cards", "/verdicts/1", "/contest/1/2", "/history", "/join", "/warm-up", "/enrol")

STICKS_OUT: Final = """() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
    const found = [];
    for (const each of document.querySelectorAll('body *')) {
        const style = getComputedStyle(each);
        if (!each.checkVisibility() || !each.clientWidth || style.display === 'inline') continue;
        if (style.overflowX !== 'visible' || each.closest('svg, .spoken, .top nav')) continue;
        if (each.scrollWidth > each.clientWidth + 1) found.push(each.className + ': ' + each.innerText);
    }
    return found;
}"""
"""Script for what is wider than the place that it has."""


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    often = [100_000, 10_000]
    limits = {"requests": often, "pages": often, "commands": often}
    served = Served(tmp_path_factory.mktemp("languages"), names=("Ilse", "Omar", "Pia", "Vít"), limits=limits)
    yield served
    served.stop()


def at(screen: Served, visit: Visit, path: str) -> Page:
    """A page at the table."""
    cookies = screen.owner_once.cookies
    visit.page.context.add_cookies([{"name": n, "value": v, "url": screen.here} for n, v in cookies.items()])
    visit.page.goto(f"{screen.here}{path}")
    visit.page.evaluate(TALKS)
    return visit.page


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.mark.parametrize("language", Language)
def test_no_words_stick_out(screen: Served, open_page: Callable[..., Visit], language: Language) -> None:
    screen.tell(f"speak {language}")
    visit = open_page(LARGE)
    found = []
    for path in ("/table before a round", *PATHS):
        if path == PATHS[0]:
            screen.tell("play")
        page = at(screen, visit, path.partition(" ")[0])
        for size in SIZES:
            resize(page, size)
            found += [(path, size, each) for each in page.evaluate(STICKS_OUT)]
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    resize(page, LAPTOP)
    page = at(screen, visit, "/table")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    for size in SIZES:
        resize(page, size)
        found += [("keys", size, each) for each in page.evaluate(STICKS_OUT)]
    assert not found


@pytest.mark.parametrize("language", Language)
def test_the_switches_stay_in_the_corner(screen: Served, open_page: Callable[..., Visit], language: Language) -> None:
    screen.tell(f"speak {language}")
    page = at(screen, open_page(LAPTOP), "/table")
    for width in (1000, 1200, *LAPTOP[:1], 1366, 1600, LARGE[0]):
        resize(page, (width, LAPTOP[1]))
        brand, ways, switches = (box(page.locator(f".top {each}")) for each in (".brand", "nav", ".switches"))
        assert switches["y"] < brand["y"] + brand["height"], width
        assert switches["x"] + switches["width"] > 0.95 * width
        assert ways["x"] + ways["width"] <= switches["x"] or ways["y"] >= brand["y"] + brand["height"], width
        if width >= LAPTOP[0]:
            assert ways["y"] < brand["y"] + brand["height"], "the page needs the height"


def box(element: Locator) -> FloatRect:
    """Box of an element, in pixels."""
    found = element.bounding_box()
    assert found is not None
    return found
