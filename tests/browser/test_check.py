"""The check of the table in a real browser: before a game and beside one, skipped, done again, and never in the way."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from playwright.sync_api import expect

from bunnymoose_cv.capture.images import read_image
from tests.browser.conftest import LARGE, SMALL
from tests.browser.faults import serious_faults
from tests.browser.test_setup import playing
from tests.unit.calibration.streaming import streamed, with_noise

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Visit

SCENE = Path(__file__).parents[2] / "fixtures" / "scenes" / "three_1.jpg"
SMALLER = (960, 540)
"""Images that are quickly read, and sent."""

PATIENCE_MS = 180_000
"""A whole check on a busy computer; beside a game it waits for the referee besides."""

expect.set_options(timeout=PATIENCE_MS)


def line(page: Page, name: str) -> Locator:
    """The line of a check, as soon as it is there."""
    return page.locator(".findings li").filter(has=page.get_by_text(name, exact=True))


def test_a_turned_camera_is_told_before_and_beside_a_game(tmp_path: Path, open_page: Callable[..., Visit]) -> None:
    turned = cv2.resize(cv2.rotate(read_image(SCENE), cv2.ROTATE_180), SMALLER, interpolation=cv2.INTER_AREA)
    images = with_noise(np.asarray(turned, np.uint8), 4)
    with streamed(images, 15) as camera, playing(tmp_path, "--camera", camera) as address:
        visit = open_page(LARGE)
        page = visit.page
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        page.get_by_role("link", name="Check the table").click()
        page.wait_for_url("**/check")
        expect(page.get_by_role("heading", level=1)).to_have_text("Is the table ready?")
        expect(line(page, "Upright")).to_contain_text(re.compile("✕.*bad.*Upright.*Turn the camera", re.DOTALL))
        expect(line(page, "Light")).to_contain_text(re.compile("✓.*good", re.DOTALL))
        expect(page.get_by_text("You may play all the same")).to_be_visible()
        expect(line(page, "Left and right")).to_have_count(0)  # nobody is asked for a hand in a turned image
        expect(line(page, "Computer")).to_be_visible()
        expect(page.get_by_role("img", name="The players, as in a mirror")).to_be_visible()
        assert serious_faults(page) == []

        page.keyboard.press("a")
        expect(page.get_by_text("The camera is looked through")).to_be_visible()
        width, height = SMALL
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width

        page.get_by_role("link", name="On to the game").click()  # in the middle of the second check
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/table")
        page.set_viewport_size({"width": LARGE[0], "height": LARGE[1]})
        page.keyboard.press("h")
        page.wait_for_url("**/check")
        expect(line(page, "Upright")).to_contain_text("bad")
        expect(page.get_by_text("You may play all the same")).to_be_visible()
        expect(line(page, "Computer")).to_have_count(0)  # while a game runs the computer is not timed
        page.get_by_role("link", name="Back to the table").click()
        page.wait_for_url("**/table")
        expect(page.get_by_role("heading", name="narrates")).to_be_visible()
        assert (visit.complaints, visit.foreign) == ([], [])
