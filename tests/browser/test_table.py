"""The table page in a real browser, for games without a camera: layout, buttons and keys."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from bunnymoose_cv.session.game_setup import LONGEST_NAME
from tests.browser.conftest import LARGE, SMALL, Open, box_of
from tests.unit.web.browsing import NAMES, Served

CARDS: Final = "L.WU+1 B.CD+1/-1 REVERSE R.?F-1 MOOSE*2 TONGUE+1"
LAPTOP: Final = (1366, 768)
SIZES: Final = (LARGE, LAPTOP, SMALL)

NARRATOR, *OTHERS = NAMES


def play(screen: Served) -> None:
    """Play a round in which all players show a moose."""
    owner, narrator = screen.owner_once, screen.call("narrator")
    assert owner.send("lay", cards=CARDS).status_code == 204
    for line in ("bam", *(f"show {player}" for player in NAMES if player != narrator)):
        screen.call(line)


def in_sight(page: Page, what: str) -> None:
    """Check that an element is visible without scrolling."""
    expect(page.locator(what).first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", SIZES)
def test_pose_can_be_entered_for_each_missing_verdict(screen: Served, open_page: Open, size: tuple[int, int]) -> None:
    screen.call("bam")
    visit = open_page(size)
    page = visit.come_in(screen, "/table")
    page.get_by_role("link", name="Say what it is").first.click()
    expect(page.get_by_role("heading", name=f"What does {OTHERS[0]} show?")).to_be_visible()
    assert (visit.complaints, visit.foreign) == ([], [])


def test_poses_are_entered_one_player_after_another(screen: Served, open_page: Open) -> None:
    assert screen.owner_once.send("lay", cards=CARDS).status_code == 204
    screen.call("bam")
    visit = open_page(LAPTOP)
    page = visit.come_in(screen, "/table")
    for waiting in (3, 2, 1):
        asks = page.get_by_role("link", name="Say what it is")
        expect(asks).to_have_count(waiting)
        asks.first.click()
        page.get_by_role("button", name="Correct it").click()
        page.wait_for_url("**/table")
    expect(page.get_by_text("Round 2 of")).to_be_visible()
    phone = screen.phone_of(OTHERS[0])
    pose = {"player": OTHERS[0], "left": "WU", "right": "WU", "tongue": ""}
    answer = phone.send("correct-verdict", round="1", **pose)
    assert (answer.status_code, answer.headers.get("location")) == (204, None)
    screen.call("bam")
    narrators, pose["player"] = screen.phone_of(screen.call("narrator")), NARRATOR
    assert narrators.send("correct-verdict", round="2", asked="1", **pose).headers["location"] == "/phone"
    assert (visit.complaints, visit.foreign) == ([], [])


@pytest.mark.parametrize("size", [LARGE, LAPTOP])
def test_main_parts_are_visible_without_scrolling(screen: Served, open_page: Open, size: tuple[int, int]) -> None:
    visit = open_page(size)
    page = visit.come_in(screen, "/table")
    screen.call("bet")
    for selector in (".trail .ground", ".controls .button", ".ranking", ".piles"):
        in_sight(page, selector)
    screen.call("bam")
    expect(page.get_by_role("link", name="Say what it is")).to_have_count(len(OTHERS))
    screen.owner_once.send("dismiss")
    play(screen)
    expect(page.get_by_text("Round 2 of")).to_be_visible()
    for selector in (".verdict .say", ".trail .ground", ".controls .button", ".ranking", ".bets"):
        in_sight(page, selector)
    assert visit.fits()
    for _ in range(7):
        play(screen)
    expect(page.get_by_text("The game is over.")).to_be_visible()
    for selector in (".ranking", ".verdict .say", "a.main:has-text('New game')"):
        in_sight(page, selector)
    expect(page.get_by_role("button", name="Bam!")).to_have_count(0)
    assert (visit.complaints, visit.foreign) == ([], [])


def test_stale_page_cannot_undo_a_second_time(screen: Served, open_page: Open) -> None:
    play(screen)
    here = open_page(LAPTOP).come_in(screen, "/table")
    behind = here.context.new_page()
    behind.route("**/events/**", lambda route: route.abort())
    behind.goto(f"{screen.here}/table")
    here.keyboard.press("u")
    expect(here.get_by_role("heading", name="Bam! Say what everybody shows")).to_be_visible()
    behind.keyboard.press("u")
    expect(behind.get_by_text("Something has just been corrected: please check again.")).to_be_visible()
    behind.keyboard.press("d")
    expect(behind.get_by_text("Something has just been corrected: please check again.")).to_be_visible()
    assert [name for name, _ in screen.call("entries")].count("Undone") == 1


def test_scroll_keys_do_not_say_bam_between_rounds(screen: Served, open_page: Open) -> None:
    play(screen)
    visit = open_page(LAPTOP)
    page = visit.come_in(screen, "/table")
    for key in ("PageDown", "Space", "Enter", "PageUp"):
        page.keyboard.press(key)
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="lay the first card")).to_be_visible()
    assert [name for name, _ in screen.call("entries")].count("Bam") == 1
    assert screen.owner_once.send("lay", cards=CARDS).status_code == 204
    expect(page.locator(".piles .face")).to_have_count(6)
    page.keyboard.press("PageDown")
    expect(page.get_by_role("heading", name="Bam! Say what everybody shows")).to_be_visible()
    assert (visit.complaints, visit.foreign) == ([], [])


@pytest.mark.parametrize(
    ("key", "place"),
    [("1", "Digit1"), ("1", "Numpad1"), ("+", "Digit1"), ("&", "Digit1")],
    ids=["us", "pad", "cs", "fr"],
)
def test_digit_keys_place_bets_on_every_keyboard_layout(screen: Served, open_page: Open, key: str, place: str) -> None:
    page = open_page(LAPTOP).come_in(screen, "/table")
    page.evaluate(
        "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true }))",
        [key, place],
    )
    expect(page.get_by_role("heading", name=f"{NARRATOR} bets on {OTHERS[0]}")).to_be_visible()


def test_visible_table_page_keeps_the_screen_awake(screen: Served, open_page: Open) -> None:
    visit = open_page(LAPTOP)
    visit.page.add_init_script("navigator.wakeLock.request = async (kind) => { window.stays = kind; }")
    page = visit.come_in(screen, "/table")
    assert page.evaluate("window.stays") == "screen"
    assert (visit.complaints, visit.foreign) == ([], [])


LONG_NOTICE: Final = """() => document.querySelector('[data-part=problem]').innerHTML =
    `<p class="notice bad">The film cannot be written: /home/${'people'.repeat(20)}.mp4</p>`"""


def test_long_notice_fits_on_a_phone(screen: Served, open_page: Open) -> None:
    visit = open_page(SMALL)
    visit.come_in(screen, "/table").evaluate(LONG_NOTICE)
    assert visit.fits()


def test_no_video_frame_is_shown_without_a_camera(screen: Served, open_page: Open) -> None:
    visit = open_page(LAPTOP)
    for path in ("/check", "/warm-up"):
        page = visit.come_in(screen, path)
        expect(page.get_by_role("link", name="Back to the table")).to_be_in_viewport(ratio=1)
        expect(page.locator(".live-video")).to_be_hidden()


FINGER_PX: Final = 44


def test_setup_buttons_are_large_enough_to_tap(screen: Served, open_page: Open) -> None:
    page = open_page(SMALL).come_in(screen, "/setup")
    expect(page.get_by_role("button", name="Add a player")).to_be_visible()
    for button in page.locator(".setup button").all():
        box = box_of(button)
        assert min(box["width"], box["height"]) >= FINGER_PX, button.get_attribute("aria-label")


LONG_NAMES: Final = ("Maximiliane-Sophie", "Bartholomäus", "Annegret", "Friedrich-Wilhelm", "Jo", "Ludmila")

OF_EIGHT_LETTERS: Final = ("Annegret", "Benedikt", "Carlotta", "Dietmara", "Ekkehard", "Franzisk")

BROKEN_WORDS: Final = """(name) => [...name.innerText.matchAll(/[^\\s-]+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(name.firstChild, word.index);
    range.setEnd(name.firstChild, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((each) => Math.round(each.top))).size > 1;
}).map((word) => word[0])"""
"""Script for the words of a text that are broken over lines."""


@pytest.mark.parametrize(
    ("names", "size"),
    [(LONG_NAMES, LARGE), (LONG_NAMES, LAPTOP), *((OF_EIGHT_LETTERS, size) for size in SIZES)],
)
def test_long_names_are_not_cut_or_broken(
    screen: Served, open_page: Open, names: tuple[str, ...], size: tuple[int, int]
) -> None:
    screen.call(f"begin en {','.join(names)}")
    page = open_page(size).come_in(screen, "/table")
    for name in page.locator(":is(.bets, .ranking) .name").all():
        assert name.evaluate("(each) => each.scrollWidth <= each.clientWidth"), name.inner_text()
    screen.call("bam")
    expect(page.get_by_role("link", name="Say what it is")).to_have_count(len(names) - 1)
    for name in page.locator(".verdict h2 .name").all():
        assert name.evaluate(BROKEN_WORDS) == []


@pytest.mark.parametrize("size", [LARGE, LAPTOP])
def test_lines_of_six_players_stay_in_their_panels_below_a_notice(
    screen: Served, open_page: Open, size: tuple[int, int]
) -> None:
    screen.call(f"begin en {','.join(LONG_NAMES)}")
    page = open_page(size).come_in(screen, "/table")
    page.evaluate(LONG_NOTICE)
    for panel, line in ((".bet-panel", ".bets .button"), (".ranking-panel", ".ranking li")):
        around, last = box_of(page.locator(panel)), box_of(page.locator(line).last)
        assert last["y"] + last["height"] <= around["y"] + around["height"], line


LONGEST_NAMES: Final = tuple(f"{letter}{'m' * (LONGEST_NAME - 1)}" for letter in "ABCDEF")

COVERED: Final = """(each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return !each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}"""
"""Script for whether something covers the middle of an element."""


def test_longest_names_cover_nothing_and_fit_on_a_phone(screen: Served, open_page: Open) -> None:
    screen.call(f"begin en {','.join(LONGEST_NAMES)}")
    page = open_page(LAPTOP).come_in(screen, "/table")
    pressed = page.locator(":is(.bets, .controls) .button:visible")
    expect(page.locator(".bets .button:visible")).to_have_count(len(LONGEST_NAMES) - 1)
    assert [button.inner_text() for button in pressed.all() if button.evaluate(COVERED)] == []
    assert screen.owner_once.send("lay", cards=CARDS).status_code == 204
    screen.call("bam")
    for name in LONGEST_NAMES[1:]:
        screen.call(f"show {name}")
    expect(page.locator(".bets .button:visible")).to_have_count(len(LONGEST_NAMES) - 1)
    assert [button.inner_text() for button in page.locator(".bets .button").all() if button.evaluate(COVERED)] == []
    visit = open_page(SMALL)
    expect(visit.come_in(screen, "/phone", LONGEST_NAMES[1]).locator(".verdict .move").first).to_be_visible()
    assert visit.fits()
