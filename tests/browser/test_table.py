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

CARDS: Final = "L.WU+1 B.CD+1/-1 REVERSE R.?F-1 MOOSE*2 TONGUE+1"
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


def play(served: Served) -> None:
    """A round: everybody shows a moose."""
    owner, narrator = served.owner_once, served.tell("narrator")
    assert owner.send("lay", cards=CARDS).status_code == 204
    for order in ("bam", *(f"show {player}" for player in NAMES if player != narrator)):
        served.tell(order)


def in_sight(page: Page, what: str) -> None:
    """Check that something can be seen without scrolling."""
    expect(page.locator(what).first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", SIZES)
def test_every_verdict_can_be_contested(table: Served, open_page: Callable[..., Visit], size: tuple[int, int]) -> None:
    table.tell("bam")
    visit = open_page(size)
    page = at_table(visit, table)
    page.get_by_role("link", name=f"Contest the verdict about {OTHERS[0]}").click()
    expect(page.get_by_role("heading", name=f"What does {OTHERS[0]} show?")).to_be_visible()
    assert (visit.complaints, visit.foreign) == ([], [])


def test_one_player_after_the_other_is_told(table: Served, open_page: Callable[..., Visit]) -> None:
    assert table.owner_once.send("lay", cards=CARDS).status_code == 204
    table.tell("bam")
    visit = open_page(LAPTOP)
    page = at_table(visit, table)
    for waiting in (3, 2, 1):
        asks = page.get_by_role("link", name="Say what it is")
        expect(asks).to_have_count(waiting)
        asks.first.click()
        page.get_by_role("button", name="Put right").click()
        page.wait_for_url("**/table")
    expect(page.get_by_text("Round 2 of")).to_be_visible()
    phone = table.phone_of(OTHERS[0])
    told = {"player": OTHERS[0], "left": "WU", "right": "WU", "tongue": ""}
    assert "location" not in phone.send("correct-verdict", round="1", **told).headers
    table.tell("bam")
    assert phone.send("correct-verdict", round="2", **told).headers["location"] == "/phone"
    assert (visit.complaints, visit.foreign) == ([], [])


@pytest.mark.parametrize("size", [LARGE, LAPTOP])
def test_what_matters_is_in_sight(table: Served, open_page: Callable[..., Visit], size: tuple[int, int]) -> None:
    visit = open_page(size)
    page = at_table(visit, table)
    table.tell("bet")
    for each in (".trail .ground", ".controls .button", ".ranking", ".piles"):
        in_sight(page, each)
    table.tell("bam")
    expect(page.get_by_role("link", name="Say what it is")).to_have_count(len(OTHERS))
    table.owner_once.send("dismiss")
    play(table)
    expect(page.get_by_text("Round 2 of")).to_be_visible()
    for each in (".verdict .say", ".trail .ground", ".controls .button", ".ranking", ".bets"):
        in_sight(page, each)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for _ in range(7):
        play(table)
    expect(page.get_by_text("The game is over.")).to_be_visible()
    for each in (".ranking", ".verdict .say", "a.main:has-text('New game')"):
        in_sight(page, each)
    expect(page.get_by_role("button", name="Bam!")).to_have_count(0)
    assert (visit.complaints, visit.foreign) == ([], [])


def test_a_page_that_has_not_seen_an_undo_takes_nothing_more_back(
    table: Served, open_page: Callable[..., Visit]
) -> None:
    play(table)
    here = at_table(open_page(LAPTOP), table)
    behind = here.context.new_page()
    behind.route("**/events/**", lambda route: route.abort())
    behind.goto(f"{table.here}/table")
    here.keyboard.press("u")
    expect(here.get_by_role("heading", name="Bam! Say what everybody shows")).to_be_visible()
    behind.keyboard.press("u")
    expect(behind.get_by_text("Something was put right meanwhile: look once more.")).to_be_visible()
    behind.keyboard.press("d")
    expect(behind.get_by_text("Something was put right meanwhile: look once more.")).to_be_visible()
    assert [name for name, _ in table.tell("entries")].count("Undone") == 1


def test_keys_that_scroll_say_no_bam_between_rounds(table: Served, open_page: Callable[..., Visit]) -> None:
    play(table)
    visit = open_page(LAPTOP)
    page = at_table(visit, table)
    for key in ("PageDown", "Space", "Enter", "PageUp"):
        page.keyboard.press(key)
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="lay the first card")).to_be_visible()
    assert [name for name, _ in table.tell("entries")].count("Bam") == 1
    assert table.owner_once.send("lay", cards=CARDS).status_code == 204
    expect(page.locator(".piles .face")).to_have_count(6)
    page.keyboard.press("PageDown")
    expect(page.get_by_role("heading", name="Bam! Say what everybody shows")).to_be_visible()
    assert (visit.complaints, visit.foreign) == ([], [])


@pytest.mark.parametrize(
    ("key", "place"),
    [("1", "Digit1"), ("1", "Numpad1"), ("+", "Digit1"), ("&", "Digit1")],
    ids=["us", "pad", "cs", "fr"],
)
def test_digits_bet_on_the_keyboards_of_all_languages(
    table: Served, open_page: Callable[..., Visit], key: str, place: str
) -> None:
    page = at_table(open_page(LAPTOP), table)
    page.evaluate(
        "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true }))",
        [key, place],
    )
    expect(page.get_by_role("heading", name=f"{NARRATOR} bets on {OTHERS[0]}")).to_be_visible()


def test_the_screen_stays_on_while_it_is_looked_at(table: Served, open_page: Callable[..., Visit]) -> None:
    visit = open_page(LAPTOP)
    visit.page.add_init_script("navigator.wakeLock.request = async (kind) => { window.stays = kind; }")
    page = at_table(visit, table)
    assert page.evaluate("window.stays") == "screen"
    assert (visit.complaints, visit.foreign) == ([], [])


LONG_NOTICE: Final = """() => {
    const told = document.querySelector('[data-part=problem]');
    told.innerHTML = `<p class="notice bad">The film cannot be written: /home/${'people'.repeat(20)}.mp4</p>`;
    return document.documentElement.scrollWidth;
}"""


def test_a_long_notice_stays_within_a_phone(table: Served, open_page: Callable[..., Visit]) -> None:
    assert at_table(open_page(SMALL), table).evaluate(LONG_NOTICE) <= SMALL[0]


@pytest.mark.parametrize("path", ["/check", "/warm-up"])
def test_without_a_camera_no_empty_frame_stands_there(
    table: Served, open_page: Callable[..., Visit], path: str
) -> None:
    page = at_table(open_page(LAPTOP), table)
    page.goto(f"{table.here}{path}")
    expect(page.get_by_role("link", name="Back to the table")).to_be_in_viewport(ratio=1)
    expect(page.locator(".live-video")).to_be_hidden()


FINGER_PX: Final = 44


def test_every_button_of_the_set_up_is_as_large_as_a_finger(table: Served, open_page: Callable[..., Visit]) -> None:
    page = at_table(open_page(SMALL), table)
    page.goto(f"{table.here}/setup")
    expect(page.get_by_role("button", name="Add a player")).to_be_visible()
    for button in page.locator(".setup button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= FINGER_PX, button.get_attribute("aria-label")


LONG_NAMES: Final = ("Maximiliane-Sophie", "Bartholomäus", "Annegret", "Friedrich-Wilhelm", "Jo", "Ludmila")

LINES: Final = """(name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    return new Set([...range.getClientRects()].map((each) => Math.round(each.top))).size;
}"""


@pytest.mark.parametrize("size", [LARGE, LAPTOP])
def test_long_names_are_read_whole(tmp_path: Path, open_page: Callable[..., Visit], size: tuple[int, int]) -> None:
    served = Served(tmp_path, names=LONG_NAMES, deals=False)
    page = at_table(open_page(size), served)
    for name in page.locator(":is(.bets, .ranking) .name").all():
        assert name.evaluate("(each) => each.scrollWidth <= each.clientWidth"), name.inner_text()
    served.tell("bam")
    expect(page.get_by_role("link", name="Say what it is")).to_have_count(len(LONG_NAMES) - 1)
    for name in page.locator(".verdict h2 .name").all():
        words = name.inner_text().count("-") + 1
        assert name.evaluate(LINES) <= words, name.inner_text()
    served.stop()


def test_names_of_eight_letters_are_whole(tmp_path: Path, open_page: Callable[..., Visit]) -> None:
    names = ("Annegret", "Benedikt", "Carlotta", "Dietmara", "Ekkehard", "Franzisk")
    served = Served(tmp_path, names=names, deals=False)
    for size in SIZES:
        page = at_table(open_page(size), served)
        for name in page.locator(":is(.bets, .ranking) .name").all():
            assert name.evaluate("(each) => each.scrollWidth <= each.clientWidth"), (size, name.inner_text())
    served.stop()
