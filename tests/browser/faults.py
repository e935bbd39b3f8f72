"""What axe-core finds wrong with a page, by day on a television and by night on a phone. Owns no page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import LARGE, SMALL

if TYPE_CHECKING:
    from playwright.sync_api import Page

OPTIONS = {"resultTypes": ["violations"], "preload": False}
"""Without loading style sheets once more, for which Quasar would show its bar."""

SETTLED = """async (theme) => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    while (document.documentElement.dataset.theme !== theme) await drawn();
    await drawn();
    await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})));
}"""
"""The other colours are there."""

DEVICES: tuple[tuple[tuple[int, int], Literal["light", "dark"]], ...] = ((LARGE, "light"), (SMALL, "dark"))
"""Each size and each theme; what is wrong in one of both shows in one of these."""


def serious_faults(page: Page) -> list[str]:
    """The serious and critical faults, each with where it is; the page is left as it was."""
    before = page.viewport_size
    faults = []
    for size, theme in DEVICES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=theme)
        faults += [f"{fault} ({theme}, {size[0]} wide)" for fault in _found(page, theme)]
    page.emulate_media(color_scheme="light")
    if before is not None:
        page.set_viewport_size(before)
    return faults


def _found(page: Page, theme: str) -> list[str]:
    page.evaluate(SETTLED, theme)
    serious = [
        found
        for found in Axe().run(page, options=OPTIONS).response["violations"]
        if found["impact"] in {"serious", "critical"}
    ]
    return [
        f"{found['id']}: " + "; ".join(f"{node['target']} {node['any'][:1]}"[:300] for node in found["nodes"][:4])
        for found in serious
    ]
