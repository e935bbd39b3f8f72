"""The warm-up in a real browser: the last table is taken, people are seated, warmed up, and one is done again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.calibration.profiles.table_profiles import TableProfiles
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS
from tests.browser.conftest import LARGE, SMALL
from tests.browser.faults import serious_faults
from tests.browser.test_setup import playing
from tests.unit.calibration.streaming import streamed, with_noise

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.conftest import Visit

PLAYERS = Path(__file__).parents[2] / "fixtures" / "players"
SIDE_PX = 480
PATIENCE_MS = 120_000

expect.set_options(timeout=PATIENCE_MS)


def test_people_are_seated_warmed_up_and_done_again(tmp_path: Path, open_page: Callable[..., Visit]) -> None:
    rabbit, moose = (cv2.resize(read_image(PLAYERS / f"{name}.jpg"), (SIDE_PX, SIDE_PX)) for name in ("0001", "0009"))
    images = with_noise(np.asarray(np.hstack([rabbit, moose]), np.uint8), 4)
    files = ProfileFiles(tmp_path / "data" / "bunnymoose" / "profiles")
    with streamed(images, 15) as camera, playing(tmp_path, "--camera", camera) as address:
        TableProfiles(files).remember(camera, ("Ilse", "Omar", "Pia"), pytest.fail)
        visit = open_page(LARGE)
        page = visit.page
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        expect(page.get_by_text("The last table: Ilse, Omar, Pia; http://127.0.0.1:")).to_be_visible()
        page.get_by_role("button", name="Play there again").click()
        expect(page.get_by_label("Name of player 3")).to_have_value("Pia")
        expect(page.get_by_text("The last table:")).to_have_count(0)
        page.get_by_role("link", name="Warm up").click()
        page.wait_for_url("**/warm-up")
        page.get_by_label("Ilse", exact=True).uncheck()
        expect(page.get_by_text("Everybody is seen.")).to_be_visible()
        page.get_by_text("Everything of Pia is judged").click()
        page.get_by_label("No tongue: it counts as in").locator("visible=true").check()
        expect(page.get_by_text("Pia: Tongue not judged")).to_be_visible()
        assert serious_faults(page) == []

        page.keyboard.press("b")
        expect(page.get_by_role("heading", name=str(STEPS[0].words))).to_be_visible()
        expect(page.get_by_text("Take the pose …")).to_be_visible()
        width, height = SMALL
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.set_viewport_size({"width": LARGE[0], "height": LARGE[1]})
        for step in STEPS[1:]:
            expect(page.get_by_role("heading", name=str(step.words))).to_be_visible()
            page.keyboard.press("n")
        expect(page.get_by_role("heading", name="What the referee understood")).to_be_visible()
        expect(page.get_by_text("Omar: no pose was understood.")).to_be_visible()
        expect(page.locator(".understood li", has_text="Pia").get_by_text("parts understood")).to_be_visible()
        assert serious_faults(page) == []

        page.get_by_role("button", name="Omar once more").click()
        expect(page.get_by_text("Pose 1 of 5 · Omar")).to_be_visible()
        page.get_by_role("button", name="Leave off").click()
        page.get_by_role("link", name="On to the game").click()
        page.wait_for_url("**/setup")
        assert (visit.complaints, visit.foreign) == ([], [])
    pia = PlayerProfiles(files).find("Pia")
    assert pia is not None
    assert pia.exempt == {Exemption.TONGUE}
    assert {take.shown for take in pia.takes} == {STEPS[0].asked}
