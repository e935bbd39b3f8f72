"""The table page in a real browser, of games without a camera: what lies where, and what can be pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LARGE, SMALL
from tests.unit.web.browsing import NAMES, TALKS, Served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.conftest import Visit

LAPTOP: Final = (1366, 768)
SIZES: Final = (LARGE, LAPTOP, SMALL)

NARRATOR, *OTHERS = NAMES


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    """A screen with a game that has just begun."""
    often = [1000, 1000]
    served = Served(tmp_path, deals=False, limits={"requests": often, "pages": often, "commands": often})
    yield served
    served.stop()


def at_table(visit: Visit, served: Served) -> Page:
    """The table page, at the table."""
    owner = served.owner_once
    visit.page.context.add_cookies([{"name": n, "value": v, "url": served.here} for n, v in owner.cookies.items()])
    visit.page.goto(f"{served.here}/table")
    visit.page.evaluate(TALKS)
    return visit.page


@pytest.mark.parametrize("size", SIZES)
def test_every_verdict_can_be_contested(table: Served, open_page: Callable[..., Visit], size: tuple[int, int]) -> None:
    table.tell("bam")
    visit = open_page(size)
    page = at_table(visit, table)
    page.get_by_role("link", name=f"Contest the verdict about {OTHERS[0]}").click()
    expect(page.get_by_role("heading", name=f"What does {OTHERS[0]} show?")).to_be_visible()
    assert (visit.complaints, visit.foreign) == ([], [])
