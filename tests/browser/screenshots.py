"""Takes the pictures of docs/reference/screen.md while an evening is played: `make screenshots`.

python -m tests.browser.screenshots docs/screens
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect, sync_playwright

from bunnymoose_cv.rules.cards import parse_table
from tests.browser.conftest import LARGE, SMALL, Visit
from tests.browser.evening import WORDS, Evening, Party
from tests.browser.program import EVENING, Program
from tests.browser.test_card_photo import CARDS, KNOWN, come_in, file_of
from tests.unit.web.browsing import Served
from tests.unit.web.photographs import LEFT_VALUE, MARKER, jpeg, laid_out, photograph

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PARTY: Final = Party("Ida", "Ben", "Noa", "Ota")
ASKS_ABOUT_TONGUES: Final = "[tongue]\nclear_out = 1\n"
"""Profile that asks about tongues: one player in the first round, so that there is a question to be seen."""

QUALITY: Final = 72
"""Of a JPEG: all pictures together stay below 4 MB."""

PICTURES_ARE_THERE: Final = (
    """() => [...document.images].every((each) => !each.checkVisibility() || each.naturalWidth)"""
)


class Camera:
    """Takes each page on a television and on a phone.

    Args:
        folder: of the pictures.
        browser: that shows the pages.
    """

    def __init__(self, folder: Path, browser: Browser) -> None:
        self._folder, self._browser = folder, browser

    def open_page(self, size: tuple[int, int]) -> Visit:
        """A device of its own."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=size == SMALL, reduced_motion="reduce"
        )
        return Visit(context.new_page())

    def take(self, name: str, page: Page) -> None:
        """Both pictures of a page, from its top; the page is left as it was."""
        before = page.viewport_size
        for size, device in ((LARGE, "television"), (SMALL, "phone")):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_function(PICTURES_ARE_THERE)
            path = self._folder / f"{name}_{device}.jpg"
            page.screenshot(path=path, type="jpeg", quality=QUALITY)
        if before is not None:
            page.set_viewport_size(before)


def take_cards(camera: Camera, folder: Path) -> None:
    """A photograph of the cards with an unsure pile, and the enrolment of a deck."""
    screen = Served(folder / "cards", photos=KNOWN)
    screen.tell("bam")
    page = come_in(camera.open_page(LARGE), screen, "/cards")
    spoilt = jpeg(photograph(parse_table(CARDS), {3: (MARKER, LEFT_VALUE)}))
    page.get_by_label("From the gallery").set_input_files(file_of(spoilt))
    expect(page.locator(".seen-question")).to_be_visible()
    camera.take("photo", page)
    page.goto(f"{screen.here}/enrol")
    page.get_by_label("From the gallery").set_input_files(file_of(jpeg(laid_out(parse_table(CARDS)))))
    expect(page.get_by_role("button", name="It is:")).to_be_visible()
    camera.take("enrol", page)
    screen.stop()


def main(folder: Path) -> None:
    """Play the evening, and take its pictures."""
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
        take_cards(camera, Path(data))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
