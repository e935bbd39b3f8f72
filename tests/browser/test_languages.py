"""Every page in every language in a real browser: no words stick out, and the header stays in order."""

from collections.abc import Iterator
from typing import Final

from playwright.sync_api import expect

from bunnymoose_cv.i18n.language import Language
from tests.browser.conftest import LARGE, SMALL, Open, Visit
from tests.unit.web.browsing import Served

LAPTOP: Final = (1280, 720)
SIZES: Final = (LARGE, LAPTOP, SMALL)
WIDTHS: Final = (1000, 1200, LAPTOP[0], 1366, 1600, LARGE[0])
"""Widths of a page at which the switches are looked for in its corner."""

PATHS: Final = ("/setup", "/verdicts/1", "/cards", "/contest/1/2", "/history", "/join", "/warm-up", "/enrol", "/table")

STICKS_OUT: Final = """() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
    const found = [];
    for (const each of document.querySelectorAll('body *')) {
        const style = getComputedStyle(each);
        if (!each.checkVisibility() || !each.clientWidth || style.display === 'inline') continue;
        if (style.overflowX !== 'visible' || each.closest('svg, .spoken, .top nav')) continue;
        if (each.scrollWidth > each.clientWidth + 1) found.push(each.className + ': ' + each.innerText);
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page');
    return found;
}"""
"""Script for what is wider than the place that it has."""


def test_every_page_is_in_order_in_every_language(screen: Served, open_page: Open) -> None:
    visit, faults = open_page(LARGE), list[str]()
    for language in Language:
        visit.page.goto("about:blank")  # an open page would load itself again
        screen.tell(f"begin {language} Ilse,Omar,Pia,Vít")
        visit.come_in(screen, "/table")
        found = [f"/table before a round: {each}" for each in sticking_out(visit)]
        screen.tell("play")
        for path in PATHS:
            visit.come_in(screen, path)
            found += [f"{path}: {each}" for each in sticking_out(visit)]
        found += disorder_of_the_header(visit)
        visit.page.keyboard.press("?")
        expect(visit.page.get_by_role("dialog")).to_be_visible()
        found += [f"keys: {each}" for each in sticking_out(visit)]
        faults += [f"{language}, {each}" for each in found]
    assert faults == []


def sticking_out(visit: Visit) -> Iterator[str]:
    """Yield what sticks out of its place on a page, at every size."""
    for size in SIZES:
        visit.resize(size)
        yield from (f"{each}, {size[0]} wide" for each in visit.page.evaluate(STICKS_OUT))


def disorder_of_the_header(visit: Visit) -> Iterator[str]:
    """Yield each width at which the switches leave the corner, or the links need a row that the page has not."""
    for width in WIDTHS:
        visit.resize((width, LAPTOP[1]))
        brand, ways, switches = (visit.box(f".top {each}") for each in (".brand", "nav", ".switches"))
        below_the_brand = brand["y"] + brand["height"]
        if switches["y"] >= below_the_brand or switches["x"] + switches["width"] <= 0.95 * width:
            yield f"switches out of the corner, {width} wide"
        if ways["x"] + ways["width"] > switches["x"] and ways["y"] < below_the_brand:
            yield f"links under the switches, {width} wide"
        if width >= LAPTOP[0] and ways["y"] >= below_the_brand:
            yield f"links in a row of their own, {width} wide"
