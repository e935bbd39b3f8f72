"""Check, practice and warm-up with a camera in a real browser, read by the real networks."""

import re
import time
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.warmup.warm_up_round import STEPS
from tests.browser.conftest import LARGE, SMALL, Open
from tests.browser.faults import serious_faults
from tests.browser.program import Program, playing
from tests.browser.test_setup import opened
from tests.media import MjpegCamera
from tests.unit.calibration.streaming import streamed, with_noise

FIXTURES = Path(__file__).parents[2] / "fixtures"
SMALLER = (960, 540)
"""Size of images that are quickly sent and read."""


def line(page: Page, name: str) -> Locator:
    """Wait for the line of a check and return it."""
    return page.locator(".findings li").filter(has=page.get_by_text(name, exact=True))


def test_upside_down_camera_is_reported_before_and_during_a_game(tmp_path: Path, open_page: Open) -> None:
    turned = cv2.resize(
        cv2.rotate(read_image(FIXTURES / "scenes" / "three_1.jpg"), cv2.ROTATE_180),
        SMALLER,
        interpolation=cv2.INTER_AREA,
    )
    images = with_noise(np.asarray(turned, np.uint8), 4)
    with streamed(images, 15) as camera, playing(tmp_path, "--camera", camera) as program:
        visit = open_page(LARGE)
        page = opened(visit, program)
        page.get_by_role("link", name="Check the table").click()
        page.wait_for_url("**/check")
        expect(page.get_by_role("heading", level=1)).to_have_text("Is the table ready?")
        expect(line(page, "Upright")).to_contain_text(re.compile("✕.*bad.*Upright.*Turn the camera", re.DOTALL))
        expect(line(page, "Light")).to_contain_text(re.compile("✓.*good", re.DOTALL))
        expect(page.get_by_text("The camera’s delay is measured")).to_be_visible()
        page.keyboard.press("n")
        expect(page.get_by_text("You can play all the same")).to_be_visible()
        expect(line(page, "Left and right")).to_have_count(0)  # no hand is requested while the image is upside down
        expect(line(page, "Computer")).to_be_visible()
        expect(page.get_by_role("img", name="The players, as in a mirror")).to_be_visible()
        assert serious_faults(page) == []

        page.keyboard.press("a")
        expect(page.get_by_text("The camera is being checked")).to_be_visible()
        visit.resize(SMALL)
        assert visit.fits()

        page.get_by_role("link", name="On to the game").click()  # in the middle of the second check
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/table")
        visit.resize(LARGE)
        page.keyboard.press("h")
        page.wait_for_url("**/check")
        expect(line(page, "Upright")).to_contain_text("bad")
        expect(page.get_by_text("You can play all the same")).to_be_visible()
        expect(line(page, "Computer")).to_have_count(0)  # while a game runs the computer is not timed
        page.get_by_role("link", name="Back to the table").click()
        page.wait_for_url("**/table")
        expect(page.get_by_role("heading", name="narrates")).to_be_visible()
        assert (visit.complaints, visit.foreign) == ([], [])


SIDE_PX = 480

LONG = 2000
"""Number of images at ten a second, longer than all tests here take."""

ASKS_WU_WU_FIRST = "205"
"""Seed with which the practice first asks for the pose in 0009.jpg."""


def test_practice_gives_hints_resumes_after_reload_and_keeps_takes_only_on_request(
    tmp_path: Path, open_page: Open
) -> None:
    for number in range(LONG):  # a player who holds two wide antlers up
        (tmp_path / f"{number:04}.jpg").symlink_to(FIXTURES / "players" / "0009.jpg")
    takes = tmp_path / "data" / "bunnymoose" / "takes"
    words = ("mirror", "--camera", str(tmp_path), "--seed", ASKS_WU_WU_FIRST)
    with Program(tmp_path / "data", words) as program:
        visit = open_page(LARGE)
        page = opened(visit, program)
        expect(page.get_by_text("1 pose agreed")).to_be_visible()
        expect(page.get_by_text("No. 2")).to_be_visible()
        expect(page.locator(".hint")).to_contain_text("On your")
        expect(page.get_by_role("row", name="Tongue out or in").get_by_role("cell")).to_have_text("1 / 1")
        assert not takes.exists()

        page.get_by_label("Keep takes").check()
        expect(page.get_by_label("Keep takes")).to_be_checked()
        second = page.locator(".asked").inner_text()
        page.keyboard.press("i")
        expect(page.get_by_text("1 take", exact=True)).to_be_visible()
        page.get_by_label("Keep takes").uncheck()
        expect(page.get_by_text("No. 3")).to_be_visible()
        page.keyboard.press("i")
        expect(page.get_by_text("No. 4")).to_be_visible()
        assert len((takes / "takes.jsonl").read_text("utf-8").splitlines()) == 1
        assert second != page.locator(".asked").inner_text()
        assert not list(takes.glob("*.jpg"))

        page.reload()  # the practice resumes
        expect(page.get_by_text("No. 4")).to_be_visible()
        page.get_by_role("button", name="Delete them…").click()
        page.get_by_role("button", name="Delete for good").click()
        expect(page.get_by_text("0 takes")).to_be_visible()
        assert not takes.exists()
        visit.resize(SMALL)
        assert visit.fits()
        assert (visit.complaints, visit.foreign) == ([], [])


def test_warm_up_seats_players_and_can_be_repeated(tmp_path: Path, open_page: Open) -> None:
    rabbit, moose = (
        cv2.resize(read_image(FIXTURES / "players" / f"{name}.jpg"), (SIDE_PX, SIDE_PX)) for name in ("0001", "0009")
    )
    images = with_noise(np.asarray(np.hstack([rabbit, moose]), np.uint8), 4)
    files = ProfileFiles(tmp_path / "data" / "bunnymoose" / "profiles")
    with streamed(images, 15) as camera, playing(tmp_path, "--camera", camera) as program:
        files.remember_table(camera, ("Ilse", "Omar", "Pia"), pytest.fail)
        visit = open_page(LARGE)
        page = opened(visit, program)
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
        visit.resize(SMALL)
        assert visit.fits()
        visit.resize(LARGE)
        for step in STEPS[1:]:
            expect(page.get_by_role("heading", name=str(step.words))).to_be_visible()
            page.keyboard.press("n")
        expect(page.get_by_role("heading", name="What the referee understood")).to_be_visible()
        expect(page.get_by_text("Omar: no pose was understood.")).to_be_visible()
        expect(page.locator(".understood li", has_text="Pia").get_by_text("1 of 5 poses understood.")).to_be_visible()
        assert serious_faults(page) == []

        page.get_by_role("button", name="Omar again").click()
        expect(page.get_by_text("Pose 1 of 5 · Omar")).to_be_visible()
        page.get_by_role("button", name="Leave off").click()
        page.get_by_role("link", name="On to the game").click()
        page.wait_for_url("**/setup")
        assert (visit.complaints, visit.foreign) == ([], [])
    pia = files.player("Pia")
    assert pia is not None
    assert pia.exempt == {Exemption.TONGUE}


RECORDS: Final = """() => {
    window.turns = [];
    const look = () => {
        const lit = document.querySelector('[data-pattern]')?.classList.contains('lit') ?? false;
        if (lit !== turns.at(-1)?.[1]) turns.push([Date.now() / 1000, lit]);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] });
    look();
}"""
"""Script that records on a page when its pattern turns light or dark, by the clock of `time.time()`."""


class LateView:
    """View of a camera that films a screen and is late.

    Args:
        delay_s: delay of the view, in seconds. The screen must be seen more often, but not at once.
    """

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._turns: list[tuple[float, bool]] = []
        self.images = {lit: self._encoded(lit=lit) for lit in (True, False)}

    @staticmethod
    def _encoded(*, lit: bool) -> list[bytes]:
        table = cv2.resize(read_image(FIXTURES / "scenes" / "three_1.jpg"), SMALLER, interpolation=cv2.INTER_AREA)
        table[-120:, :200] = 220 if lit else 30
        return [cv2.imencode(".jpg", image)[1].tobytes() for image in with_noise(np.asarray(table, np.uint8), 3)]

    def see(self, page: Page) -> None:
        """Take over what a page has recorded."""
        self._turns = page.evaluate("turns")

    def jpeg(self, number: int) -> bytes:
        """Return the view at this moment."""
        shown_s = time.time() - self._delay_s
        lit = next((lit for time_s, lit in reversed(self._turns) if time_s <= shown_s), False)
        return self.images[lit][number % 3]


def test_stream_delay_is_measured_with_the_page_pattern(tmp_path: Path, open_page: Open) -> None:
    camera, view = MjpegCamera(), LateView(1.3)
    camera.drawn = view.jpeg
    try:
        with playing(tmp_path, "--camera", camera.address) as program:
            page = opened(open_page(LARGE), program)
            page.get_by_role("link", name="Check the table").click()
            expect(page.get_by_text("hold your right hand up")).to_be_visible()
            page.keyboard.press("n")
            expect(page.get_by_text("The camera’s delay is measured")).to_be_visible()
            page.evaluate(RECORDS)
            page.wait_for_selector("[data-pattern]")
            while page.locator("[data-pattern]").count():
                view.see(page)
            expect(line(page, "Delay")).to_contain_text(re.compile("✓.*come 1.[234] s late", re.DOTALL))
    finally:
        camera.stop()
    (table,) = ProfileFiles(tmp_path / "data" / "bunnymoose" / "profiles").tables
    assert table.delay_s == pytest.approx(1.3, abs=0.15)
    assert table.delay_at == "960x540"
