"""Three rounds with a camera that sees photographs of people, or renders if `shared` has no photographs.

Questions are answered by one key each, and a calculator written from the rulebook checks every score.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.capture.images import read_image
from tests.browser.conftest import LARGE, Open
from tests.browser.faults import serious_faults
from tests.browser.program import playing
from tests.browser.test_setup import opened
from tests.media import MjpegCamera
from tests.score_calculator import Calculator, score, species

CHECKOUT: Final = Path(__file__).parents[2]
CROPS: Final = CHECKOUT.parent / "shared" / "people" / "crops"
RENDERS: Final = CHECKOUT / "fixtures" / "players"

PHOTOGRAPHED: Final = (
    ("frame_sv_moose_f0", "sk_zajac_f23", "lsc_app__src__main__res__raw__manos_f30"),
    ("sil_moose_f13", "frame_wl_rabbit_f21", "lsc_app__src__main__res__raw__gorro_f36"),
    ("ph_horse_f60", "sil_easter_f25", "echo_words__bright_f42"),
)
RENDERED: Final = (("0001", "0009", "0002"), ("0003", "0004", "0005"), ("0006", "0007", "0008"))
"""People of each round, from the image's left to its right."""

CARDS: Final = (
    "B.?U+1 RABBIT-2 L.WU+3 MOOSE*2 R.T?-1 TONGUE+2",
    "MOOSE+3 RABBIT+2 REVERSE B.WU-1/+2 L.C?-2 R.?S+2",
    "RABBIT*2 B.?S+1 L.WU-3 MOOSE-1 R.CU+2 B.T?+1/-2",
)
PLAYERS: Final = ("Red", "Blue", "Green", "Yellow")
SIDE_PX: Final = 480
NOISES: Final = 8
"""Frames of each round. They are encoded beforehand, since encoding 30 a second would keep a core busy."""


class Room:
    """Image of three people side by side, with the noise of a camera.

    Args:
        folder: folder of the pictures.
        rounds: names of the pictures of each round.
    """

    def __init__(self, folder: Path, rounds: tuple[tuple[str, ...], ...]) -> None:
        rows = [np.hstack([_square(read_image(folder / f"{name}.jpg")) for name in row]) for row in rounds]
        random = np.random.default_rng(0)
        self._frames = [[_noisy_jpeg(row, random) for _ in range(NOISES)] for row in rows]
        self.number = 0
        """Number of the round, from 0."""

    def jpeg(self, number: int) -> bytes:
        """Return a frame of the round."""
        return self._frames[self.number][number % NOISES]


def _noisy_jpeg(row: Image, random: np.random.Generator) -> bytes:
    noisy = np.clip(row + random.normal(0, 1.5, (*row.shape[:2], 1)), 0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", noisy)[1].tobytes()


def _square(image: Image) -> Image:
    """Cut out the middle of an image, as high as the room."""
    scale = SIDE_PX / min(image.shape[:2])
    scaled = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    top, left = ((side - SIDE_PX) // 2 for side in scaled.shape[:2])
    return scaled[top : top + SIDE_PX, left : left + SIDE_PX]


@contextmanager
def seen_by_camera(room: Room) -> Iterator[str]:
    """Serve the frames of a room at an address."""
    camera = MjpegCamera()
    camera.drawn = room.jpeg
    try:
        yield camera.address
    finally:
        camera.stop()


@pytest.mark.parametrize(
    ("folder", "rounds"),
    [
        pytest.param(
            CROPS,
            PHOTOGRAPHED,
            marks=pytest.mark.skipif(not CROPS.is_dir(), reason="needs ../shared/people beside the checkout"),
            id="photographs",
        ),
        pytest.param(RENDERS, RENDERED, id="renders"),
    ],
)
def test_every_score_matches_the_rulebook_calculator(
    tmp_path: Path, open_page: Open, folder: Path, rounds: tuple[tuple[str, ...], ...]
) -> None:
    room = Room(folder, rounds)
    with seen_by_camera(room) as camera, playing(tmp_path, "--language", "en", "--camera", camera) as program:
        visit = open_page(LARGE)
        page = opened(visit, program)
        expect(page.get_by_text("Everybody is seen.")).to_be_visible()
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/table")
        questions = 0
        for room.number, cards in enumerate(CARDS):
            questions += play_round(page, room.number + 1, cards)
        assert serious_faults(page) == []
        check_scores(page)
        assert (visit.complaints, visit.foreign) == ([], [])


def play_round(page: Page, number: int, cards: str) -> int:
    """Play a round at the table by keys alone and return the number of questions; each is answered by one key."""
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="lay the first card")).to_be_visible()
    page.keyboard.press("c")
    field = page.get_by_role("dialog", name="Type cards").get_by_role("textbox")
    expect(field).to_be_focused()
    field.fill(cards)
    field.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("html[data-closed]")).to_have_count(0)
    page.keyboard.press("Space")
    expect(page.locator(".verdict").first).to_be_visible()
    asks = page.locator(".asks")
    questions = waiting = asks.count()
    while waiting:
        page.keyboard.press("Enter")
        expect(asks).to_have_count(waiting - 1)
        waiting -= 1
    expect(page.get_by_text(f"Round {number + 1} of")).to_be_visible()
    return questions


def check_scores(page: Page) -> None:
    """Compare the rounds of the history and the ranking with the calculator's."""
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="History").click()
    address = page.get_by_role("link", name="Rounds for programs").get_attribute("href")
    kept: dict[str, Any] = page.request.get(f"{page.url.partition('/history')[0]}{address}").json()
    calculator = Calculator(PLAYERS)
    assert [played["cards"] for played in kept["rounds"]] == list(CARDS)
    for played in kept["rounds"]:
        poses = {verdict["player"]: verdict["pose"] for verdict in played["verdicts"]}
        for verdict in played["verdicts"]:
            is_bush = species(verdict["pose"]) == "bush"
            assert verdict["score"]["total"] == (None if is_bush else score(verdict["pose"], played["cards"]))
        calculator.score_round(played["narrator"], played["bet"], poses, played["cards"])
    ranking = [tuple(standing[key] for key in ("place", "player", "rear", "front")) for standing in kept["ranking"]]
    assert ranking == calculator.ranking()
