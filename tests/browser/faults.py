"""Faults that axe-core finds in a page, in the light and the dark theme, on a television and on a phone."""

from typing import Any, Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import LARGE, SMALL

WHOLE: Final[dict[str, Any]] = {"resultTypes": ["violations"], "preload": False}
"""Options for all rules. Style sheets are not loaded again, because Quasar would show its loading bar."""

CONTRAST: Final = WHOLE | {"runOnly": ["color-contrast"]}
"""Options for the one rule whose result depends on size and colours together."""

RUNS: Final = "(options) => axe.run(options).then((found) => found.violations)"

SETTLED: Final = """async (theme) => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    while (document.documentElement.dataset.theme !== theme) await drawn();
    await drawn();
    const brief = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < 10000);
    await Promise.all(brief.map((each) => each.finished.catch(() => {})));
}"""
"""Script that waits for the colours of a theme and the end of all animations under ten seconds."""

LOOKS: Final[tuple[tuple[tuple[int, int], Literal["light", "dark"], dict[str, Any]], ...]] = (
    (LARGE, "light", WHOLE),
    (LARGE, "dark", CONTRAST),
    (SMALL, "dark", WHOLE),
    (SMALL, "light", CONTRAST),
)


def serious_faults(page: Page) -> list[str]:
    """Return the serious and critical faults with their places; the page is restored afterwards."""
    before = page.viewport_size
    faults = []
    for size, theme, options in LOOKS:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=theme)
        faults += [f"{fault} ({theme}, {size[0]} wide)" for fault in _found(page, theme, options)]
    page.emulate_media(color_scheme="light")
    if before is not None:
        page.set_viewport_size(before)
    return faults


def _found(page: Page, theme: str, options: dict[str, Any]) -> list[str]:
    page.evaluate(SETTLED, theme)
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate(RUNS, options)
    return [
        f"{found['id']}: " + "; ".join(f"{node['target']} {node['any'][:1]}"[:300] for node in found["nodes"][:4])
        for found in violations
        if found["impact"] in {"serious", "critical"}
    ]
