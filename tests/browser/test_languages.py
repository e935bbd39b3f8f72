"""Every page in every language in a real browser: no text overflows, and the header keeps its layout."""

from collections.abc import Iterator
from typing import Final

from playwright.sync_api import expect

from bunnymoose_cv.i18n.language import Language
from tests.browser.conftest import LARGE, SMALL, Open, Visit
from tests.browser.test_table import LONGEST_NAMES
from tests.unit.web.browsing import Served

LAPTOP: Final = (1280, 720)
SIZES: Final = (LARGE, LAPTOP, SMALL)
WIDTHS: Final = (1000, 1200, LAPTOP[0], 1366, 1600, LARGE[0])
"""Widths of a page at which the switches must be in its corner."""

PATHS: Final = (
    "/setup",
    "/verdicts/1",
    "/cards",
    "/contest/1/2",
    "/history",
    "/films",
    "/join",
    "/warm-up",
    "/enrol",
    "/table",
)

STICKS_OUT: Final = """() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
    const found = [];
    const clipped = (each) => each && (getComputedStyle(each).clipPath !== 'none' || clipped(each.parentElement));
    for (const each of document.querySelectorAll('body *')) {
        const style = getComputedStyle(each);
        if (!each.checkVisibility() || !each.clientWidth || style.display === 'inline') continue;
        if (style.overflowX !== 'visible' || each.closest('svg, .spoken, .top nav')) continue;
        if (each.scrollWidth <= each.clientWidth + 1 || clipped(each)) continue;
        found.push(each.className + ': ' + each.innerText);
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page');
    return found;
}"""
"""Script for elements that are wider than their place."""


def test_every_page_fits_in_every_language(screen: Served, open_page: Open) -> None:
    visit, faults = open_page(LARGE), list[str]()
    for language in Language:
        visit.page.goto("about:blank")  # an open page would load itself again
        names = LONGEST_NAMES[:4] if language is Language.ENGLISH else ("Ilse", "Omar", "Pia", "Vít")
        screen.call(f"begin {language} {','.join(names)}")
        visit.come_in(screen, "/table")
        found = [f"/table before a round: {element}" for element in sticking_out(visit)]
        screen.call("play")
        for path in PATHS:
            visit.come_in(screen, path)
            found += [f"{path}: {element}" for element in sticking_out(visit)]
        found += disorder_of_the_header(visit)
        visit.page.keyboard.press("?")
        expect(visit.page.get_by_role("dialog")).to_be_visible()
        found += [f"keys: {element}" for element in sticking_out(visit)]
        faults += [f"{language}, {fault}" for fault in found]
    assert faults == []


def sticking_out(visit: Visit) -> Iterator[str]:
    """Yield the elements of a page that overflow, at every size."""
    for size in SIZES:
        visit.resize(size)
        yield from (f"{element}, {size[0]} wide" for element in visit.page.evaluate(STICKS_OUT))


def disorder_of_the_header(visit: Visit) -> Iterator[str]:
    """Yield each width at which the switches leave the corner or the links need another row."""
    for width in WIDTHS:
        visit.resize((width, LAPTOP[1]))
        brand, ways, switches = (visit.box(f".top {part}") for part in (".brand", "nav", ".switches"))
        below_the_brand = brand["y"] + brand["height"]
        if switches["y"] >= below_the_brand or switches["x"] + switches["width"] <= 0.95 * width:
            yield f"switches out of the corner, {width} wide"
        if ways["x"] + ways["width"] > switches["x"] and ways["y"] < below_the_brand:
            yield f"links under the switches, {width} wide"
        if width >= LAPTOP[0] and ways["y"] >= below_the_brand:
            yield f"links in a row of their own, {width} wide"
