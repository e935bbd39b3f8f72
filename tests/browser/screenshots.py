"""Screenshots for docs/reference/screen.md, taken while an evening is played: `make screenshots`.

python -m tests.browser.screenshots docs/screens
"""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image as PillowImage
from playwright.sync_api import Browser, Page, expect, sync_playwright

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.session.warmup.warm_up_round import STEPS
from tests.browser.conftest import LARGE, SMALL, Visit, visit_on_device
from tests.browser.evening import WORDS, Evening, Party
from tests.browser.program import EVENING, Program
from tests.browser.test_card_photo import CARDS, KNOWN, file_of
from tests.browser.test_films import end_the_game, keep_game
from tests.doubles import party_reading
from tests.unit.calibration.streaming import streamed, with_noise
from tests.unit.web.browsing import NAMES, Served, waits_for
from tests.unit.web.photographs import LEFT_VALUE, MARKER, jpeg, laid_out, photograph

PARTY: Final = Party("Ida", "Ben", "Noa", "Ota")
ASKS_ABOUT_TONGUES: Final = "[tongue]\nclear_out = 1\n[questions]\nanswer_s = 600\n"
"""Profile that asks about tongues: one player in the first round, so that there is a question to be seen."""

SCENE: Final = Path(__file__).parents[2] / "fixtures" / "scenes" / "three_1.jpg"
TABLE_PX: Final = 960, 540
PATIENCE_MS: Final = 60_000

QUALITY: Final = 72
"""Quality of a JPEG: all images together stay below 2 MB."""

TAKEN_QUALITY: Final = 95
"""Quality of a screenshot before it is stored smaller."""

NOISY_QUALITY: Final = 38
"""Quality of pages that are mostly a noisy camera image."""

IMAGES_ARE_THERE: Final = """[...document.images].every((each) => !each.checkVisibility() || each.naturalWidth)"""


class Camera:
    """Camera that takes each page on a television and on a phone.

    Args:
        folder: destination of the images.
    """

    def __init__(self, folder: Path, browser: Browser) -> None:
        self._folder, self._browser = folder, browser

    def open_page(self, size: tuple[int, int]) -> Visit:
        return visit_on_device(self._browser, size)

    def take(self, name: str, page: Page, quality: int = QUALITY) -> None:
        """Take both images of a page, from its top, and restore the page."""
        before = page.viewport_size
        for size, device in ((LARGE, "television"), (SMALL, "phone")):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.evaluate("scrollTo(0, 0)")
            page.evaluate(waits_for(IMAGES_ARE_THERE))
            path = self._folder / f"{name}_{device}.jpg"
            page.screenshot(path=path, type="jpeg", quality=TAKEN_QUALITY)
            _store(path, 2 if size == LARGE else 1, quality)
        if before is not None:
            page.set_viewport_size(before)


def _store(path: Path, shrunk: int, quality: int) -> None:
    """Shrink a screenshot by a whole factor and store it as a progressive JPEG with optimized codes."""
    with PillowImage.open(path) as image:
        image.reduce(shrunk).save(path, quality=quality, optimize=True, progressive=True)


def take_cards(camera: Camera, folder: Path) -> None:
    """Take a photograph of the cards with an unsure pile, and the enrolment of a deck."""
    with Served(folder / "cards", photos=KNOWN) as screen:
        screen.call("bam")
        visit = camera.open_page(LARGE)
        page = visit.come_in(screen, "/cards")
        spoilt = jpeg(photograph(parse_table(CARDS), {3: (MARKER, LEFT_VALUE)}))
        page.get_by_label("From the gallery").set_input_files(file_of(spoilt))
        expect(page.locator(".seen-question")).to_be_visible()
        camera.take("photo", page)
        visit.come_in(screen, "/enrol")
        page.get_by_label("From the gallery").set_input_files(file_of(jpeg(laid_out(parse_table(CARDS)))))
        expect(page.get_by_role("button", name="It is:")).to_be_visible()
        camera.take("enrol", page)


def take_table(camera: Camera, folder: Path) -> None:
    """Take the check of a table with three players, and the seats, a pose and the result of their warm-up."""
    image = np.asarray(cv2.resize(read_image(SCENE), TABLE_PX, interpolation=cv2.INTER_AREA), np.uint8)
    with streamed(with_noise(image, 4), 15) as stream:
        words = ("play", "--camera", stream, "--games", f"{folder}/games", "--silent")
        with Program(folder / "table", words) as program:
            page = camera.open_page(LARGE).page
            page.set_default_timeout(PATIENCE_MS)
            page.goto(program.address)
            page.get_by_role("link", name="Check the table").click()
            page.get_by_role("button", name="Skip this question").click()
            expect(page.locator(".findings li", has_text="Computer")).to_be_visible(timeout=PATIENCE_MS)
            camera.take("check", page, NOISY_QUALITY)
            page.get_by_role("link", name="On to the game").click()
            page.get_by_role("link", name="Warm up").click()
            page.get_by_label("Red", exact=True).uncheck()
            expect(page.get_by_text("Everybody is seen.")).to_be_visible(timeout=PATIENCE_MS)
            page.keyboard.press("b")
            expect(page.get_by_text("Hold it!")).to_be_visible(timeout=PATIENCE_MS)
            camera.take("warm_up", page, NOISY_QUALITY)
            page.keyboard.press("n")  # the next pose is one that a player shows
            for step in STEPS[2:]:
                expect(page.get_by_role("heading", name=str(step.words))).to_be_visible(timeout=PATIENCE_MS)
                page.keyboard.press("n")
            expect(page.get_by_role("heading", name="What the referee understood")).to_be_visible()
            camera.take("understood", page, NOISY_QUALITY)


def take_end(camera: Camera, folder: Path) -> None:
    """Take the podium of a finished game, and the films on a player's phone."""
    keep_game(folder / "over", party_reading())
    with Served(folder / "over", resume=True) as screen:
        end_the_game(screen)
        visit = camera.open_page(LARGE)
        page = visit.come_in(screen, "/table")
        expect(page.locator(".podium")).to_be_visible()
        camera.take("podium", page)
        phone = camera.open_page(SMALL).come_in(screen, "/films", NAMES[1])
        expect(phone.get_by_role("heading").first).to_be_visible()
        camera.take("films", phone)


def main(folder: Path) -> None:
    """Play the evening, and take its images."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        camera = Camera(folder, browser)
        words = ("play", "--ask-everything", "--script", str(EVENING), "--games", f"{data}/games", *WORDS)
        with Program(Path(data), words, ASKS_ABOUT_TONGUES) as program:
            evening = Evening(program, camera.open_page, PARTY, camera.take)
            evening.play()
        take_end(camera, Path(data))
        take_cards(camera, Path(data))
        take_table(camera, Path(data))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
