"""What axe-core finds wrong with a page, by day and by night, on a television and on a phone. Owns no page."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal

from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import LARGE, SMALL

if TYPE_CHECKING:
    from playwright.sync_api import Page

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def serious_faults(page: Page) -> list[str]:
    """The serious and critical faults, each with where it is; the page is left as it was."""
    before = page.viewport_size
    faults = []
    for size, theme in product((LARGE, SMALL), THEMES):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=theme)
        for found in Axe().run(page).response["violations"]:
            if found["impact"] in {"serious", "critical"}:
                places = "; ".join(f"{node['target']} {node['any'][:1]}"[:300] for node in found["nodes"][:4])
                faults.append(f"{found['id']} ({theme}, {size[0]} wide): {places}")
    page.emulate_media(color_scheme="light")
    if before is not None:
        page.set_viewport_size(before)
    return faults
