"""The owner enrols a deck in Chromium: a photograph, a guess confirmed, another card named in the picker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bunnymoose_cv.rules.cards import parse_table
from tests.browser.conftest import LARGE
from tests.browser.faults import serious_faults
from tests.browser.test_card_photo import come_in, file_of
from tests.unit.web.browsing import Served
from tests.unit.web.photographs import jpeg, laid_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.browser.conftest import Visit

expect.set_options(timeout=60_000)


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    screen = Served(tmp_path_factory.mktemp("enrol"))
    yield screen
    screen.stop()


def test_a_deck_is_enrolled_on_its_page(served: Served, open_page: Callable[..., Visit]) -> None:
    visit = open_page(LARGE)
    page = come_in(visit, served, "/enrol")
    expect(page.get_by_role("heading", name="0 of 94 faces")).to_be_visible()
    expect(page.get_by_role("heading", name="Which card is this?")).to_be_hidden()
    photo = jpeg(laid_out(parse_table("L.WU+2 TONGUE+3")))
    page.get_by_label("From the gallery").set_input_files([file_of(photo)])
    expect(page.get_by_role("heading", name="Which card is this?")).to_be_visible()
    expect(page.get_by_text("2 cards wait")).to_be_visible()
    assert serious_faults(page) == []

    # A guess is confirmed by one press, whichever of both comes first; the other is named in the picker.
    for waiting in (2, 1):
        expect(page.get_by_text(f"{waiting} card")).to_be_visible()
        guess = page.get_by_role("button", name="It is: on your left: wide antler up, 2 ahead")
        if guess.count():
            guess.click()
        else:
            page.get_by_role("button", name="tongue", exact=False).first.click()
            page.get_by_role("dialog").get_by_role("button", name="3 ahead").click()
        expect(page.get_by_role("heading", name=f"{3 - waiting} of 94 faces")).to_be_visible()
    expect(page.get_by_role("heading", name="Which card is this?")).to_be_hidden()
    expect(page.get_by_text("Missing by the rulebook: 92")).to_be_visible()

    page.get_by_text("Forget a face").click()
    page.get_by_role("button", name="Forget: on your left: wide antler up, 2 ahead").click()
    expect(page.get_by_role("heading", name="1 of 94 faces")).to_be_visible()
    assert (visit.complaints, visit.foreign) == ([], [])
