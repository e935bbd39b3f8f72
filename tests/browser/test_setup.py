"""From the program's start to the first round in a real browser, as a new user does it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LARGE, SMALL, Open, Visit
from tests.browser.faults import serious_faults
from tests.browser.program import EVENING, Program, playing

PATIENCE_MS = 60_000


def opened(visit: Visit, program: Program) -> Page:
    """Open the program in the owner's browser."""
    visit.page.set_default_timeout(PATIENCE_MS)
    visit.page.goto(program.address)
    return visit.page


def figures(page: Page) -> list[str]:
    """Return the names with the symbols of their colours."""
    rows = page.locator(".who-plays li").all()
    return [f"{row.locator('.symbol').inner_text()} {row.get_by_role('textbox').input_value()}" for row in rows]


def test_game_is_set_up_killed_and_resumed(tmp_path: Path, open_page: Open) -> None:
    program = playing(tmp_path, "--script", str(EVENING), canned=True)
    with program:
        visit = open_page(LARGE)
        page = opened(visit, program)
        expect(page).to_have_url(re.compile("/setup$"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Who plays?")

        # The camera's image with all seats.
        expect(page.get_by_text("Everybody is seen.")).to_be_visible()
        expect(page.get_by_text("Red narrates first")).to_be_visible()

        # The players, their order and their figures.
        assert figures(page) == ["● Red", "▲ Blue", "■ Green", "◆ Yellow"]
        page.get_by_role("button", name="Add a player").click()
        page.get_by_label("Name of player 5").fill("Anna <b>")
        page.get_by_role("button", name="Figures of Anna <b>: Orange. Take others").click()
        expect(page.get_by_role("button", name="Figures of Anna <b>: Purple. Take others")).to_be_visible()
        page.get_by_role("button", name="Let Anna <b> sit one place earlier").click()
        expect(page.get_by_text("? Not seen: Yellow")).to_be_visible()
        page.get_by_role("button", name="Anna <b> does not play").click()
        expect(page.locator(".who-plays li")).to_have_count(4)
        page.get_by_label("Name of player 4").fill("Ota")
        assert figures(page) == ["● Red", "▲ Blue", "■ Green", "◆ Ota"]

        # Another language, and rules that cannot contradict each other.
        page.get_by_label("Language").select_option("cs")
        expect(page.get_by_role("heading", name="Kdo hraje?")).to_be_visible()
        assert figures(page)[3] == "◆ Ota"
        page.locator("select").first.select_option("en")
        expect(page.get_by_role("heading", name="Who plays?")).to_be_visible()
        page.get_by_text("Rules and variants").click()
        page.get_by_label("8", exact=True).check()
        page.get_by_role("radio", name=re.compile("^Second edition")).check()
        page.get_by_label("A first game", exact=False).check()
        page.get_by_label("4", exact=True).check()

        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/table")
        expect(page.get_by_text("Ota").first).to_be_visible()
        assert (visit.complaints, visit.foreign) == ([], [])

    kept = json.loads((tmp_path / "data" / "bunnymoose" / "screen" / "choices.json").read_text("utf-8"))
    assert (kept["players"][3], kept["colours"]) == ("Ota", [1, 2, 3, 4])
    assert kept["variants"] == ["first-game", "four-lines"]

    # After a kill the set-up page offers the same game with its choices, even without --resume.
    with program:
        page = opened(open_page(SMALL), program)
        expect(page.get_by_text("The last game was not finished: Red, Blue, Green, Ota.")).to_be_visible()
        page.get_by_role("button", name="Go on with it").click()
        page.wait_for_url("**/table")
        expect(page.get_by_text("Ota").first).to_be_visible()


def test_two_pages_set_up_a_game_without_a_camera(tmp_path: Path, open_page: Open) -> None:
    with playing(tmp_path) as program:
        visit = open_page(SMALL)
        page, other = opened(visit, program), opened(open_page(LARGE), program)

        # Text being typed and ticked boxes survive a change of the players on another page.
        field, box = page.get_by_label("Name of player 2"), page.get_by_label("A voice announces")
        field.fill("Ma")
        field.press("ArrowLeft")
        expect(other.get_by_label("Name of player 2")).to_have_value("Ma")  # or its press is refused as out of date
        other.get_by_role("button", name="Add a player").click()
        expect(page.locator(".who-plays li")).to_have_count(5)
        page.keyboard.type("ri")
        assert field.input_value() == "Mria"
        expect(other.get_by_label("Name of player 2")).to_have_value("Mria")
        box.click()
        expect(other.get_by_label("A voice announces")).to_be_checked()
        expect(box).to_be_focused()
        expect(box).to_be_checked()

        # Without a camera the page says what helps, and links nowhere else.
        page.get_by_label("No camera: people say what everybody shows").check()
        expect(page.get_by_text("Played without a camera")).to_be_visible()
        expect(page.get_by_text("No camera found: plug one in; this page sees it.")).to_be_visible()
        expect(page.get_by_role("button", name="Warm up")).to_be_disabled()
        page.get_by_label("Address or file").fill("nowhere.mp4")
        page.get_by_role("button", name="Look at it").click()
        expect(page.get_by_text("Nothing is found at “nowhere.mp4”")).to_be_visible()

        # A repeated name is reported as it is typed, and refused; otherwise one press begins the game.
        field.fill("Red")
        expect(page.get_by_text("Somebody else has that name.")).to_have_count(2)
        expect(field).to_have_attribute("aria-invalid", "true")
        assert (visit.fits(), serious_faults(page)) == (True, [])
        page.get_by_role("button", name="Begin").click()
        expect(page.get_by_text("Every player needs a name of their own")).to_be_visible()
        field.fill("Ida")  # the fifth player may have been named “Blue”, which the second one gave up
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/table")
        expect(page.get_by_role("heading", name="Red narrates")).to_be_visible()
        refused = "Failed to load resource: the server responded with a status of 409 (Conflict)"
        assert (visit.complaints, visit.foreign) == ([refused] * 2, []), "the browser notes both refusals"


def test_running_game_ends_only_after_confirmation_and_can_be_resumed(tmp_path: Path, open_page: Open) -> None:
    with playing(tmp_path) as program:
        page = opened(open_page(LARGE), program)
        page.get_by_label("Name of player 1").fill("Ida")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Name of player 2")).to_be_focused()
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/table")
        page.get_by_role("button", name="Bam!").click()
        expect(page.get_by_role("button", name="That was no Bam")).to_be_visible()

        setup = f"{program.address.partition('/open')[0]}/setup"
        page.goto(setup)
        begin, dialog = page.locator("[data-focus=begin]"), page.get_by_role("dialog", name="Begin a new game?")
        begin.click()
        dialog.get_by_role("link", name="Back to the table").click()
        page.wait_for_url("**/table")
        expect(page.get_by_role("heading", name="Ida").or_(page.get_by_text("Ida")).first).to_be_visible()

        page.goto(setup)
        page.get_by_label("Name of player 1").fill("Zoe")
        begin.click()
        dialog.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/table")
        expect(page.get_by_role("heading", name="Zoe narrates")).to_be_visible()
        page.get_by_role("button", name="Bam!").click()
        expect(page.get_by_role("button", name="That was no Bam")).to_be_visible()

        for left, other in (("Ida", "Zoe"), ("Zoe", "Ida")):
            page.goto(setup)
            expect(page.get_by_text(f"The last game was not finished: {left}, Blue, Green, Yellow.")).to_be_visible()
            page.get_by_role("button", name="Go on with it").click()
            page.wait_for_url("**/table")
            expect(page.locator(".state").get_by_text(left)).to_be_visible()
            expect(page.get_by_text(other)).to_have_count(0)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--json",), "--json is for the terminal: add --no-screen"),
        (("--resume",), "There is no unfinished game"),
        (("--players", "A,B", "--camera", "nowhere.mp4"), "3 to 6 people can play, not 2"),
        (("--players", "A,B,C", "--camera", "nowhere.mp4"), "There is no camera, clip or folder “nowhere.mp4”"),
    ],
)
def test_options_that_the_screen_cannot_play_are_refused(
    bunnymoose: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    more: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, out, err = bunnymoose("play", "--port", "0", "--games", str(tmp_path / "games"), "--silent", *more)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err
