"""The table page in a real browser, of games without a camera: what lies where, and what can be pressed."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LARGE, SMALL, Open
from tests.unit.web.browsing import NAMES, Served

CARDS: Final = "L.WU+1 B.CD+1/-1 REVERSE R.?F-1 MOOSE*2 TONGUE+1"
LAPTOP: Final = (1366, 768)
SIZES: Final = (LARGE, LAPTOP, SMALL)

NARRATOR, *OTHERS = NAMES


def play(screen: Served) -> None:
    """A round: everybody shows a moose."""
    owner, narrator = screen.owner_once, screen.tell("narrator")
    assert owner.send("lay", cards=CARDS).status_code == 204
    for order in ("bam", *(f"show {player}" for player in NAMES if player != narrator)):
        screen.tell(order)


def in_sight(page: Page, what: str) -> None:
    """Check that something can be seen without scrolling."""
    expect(page.locator(what).first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", SIZES)
def test_every_verdict_can_be_contested(screen: Served, open_page: Open, size: tuple[int, int]) -> None:
    screen.tell("bam")
    visit = open_page(size)
    page = visit.come_in(screen, "/table")
    page.get_by_role("link", name=f"Contest the verdict about {OTHERS[0]}").click()
    expect(page.get_by_role("heading", name=f"What does {OTHERS[0]} show?")).to_be_visible()
    assert (visit.complaints, visit.foreign) == ([], [])


def test_one_player_after_the_other_is_told(screen: Served, open_page: Open) -> None:
    assert screen.owner_once.send("lay", cards=CARDS).status_code == 204
    screen.tell("bam")
    visit = open_page(LAPTOP)
    page = visit.come_in(screen, "/table")
    for waiting in (3, 2, 1):
        asks = page.get_by_role("link", name="Say what it is")
        expect(asks).to_have_count(waiting)
        asks.first.click()
        page.get_by_role("button", name="Put right").click()
        page.wait_for_url("**/table")
    expect(page.get_by_text("Round 2 of")).to_be_visible()
    phone = screen.phone_of(OTHERS[0])
    told = {"player": OTHERS[0], "left": "WU", "right": "WU", "tongue": ""}
    answer = phone.send("correct-verdict", round="1", **told)
    assert (answer.status_code, answer.headers.get("location")) == (204, None)
    screen.tell("bam")
    assert phone.send("correct-verdict", round="2", **told).headers["location"] == "/phone"
    assert (visit.complaints, visit.foreign) == ([], [])


@pytest.mark.parametrize("size", [LARGE, LAPTOP])
def test_what_matters_is_in_sight(screen: Served, open_page: Open, size: tuple[int, int]) -> None:
    visit = open_page(size)
    page = visit.come_in(screen, "/table")
    screen.tell("bet")
    for each in (".trail .ground", ".controls .button", ".ranking", ".piles"):
        in_sight(page, each)
    screen.tell("bam")
    expect(page.get_by_role("link", name="Say what it is")).to_have_count(len(OTHERS))
    screen.owner_once.send("dismiss")
    play(screen)
    expect(page.get_by_text("Round 2 of")).to_be_visible()
    for each in (".verdict .say", ".trail .ground", ".controls .button", ".ranking", ".bets"):
        in_sight(page, each)
    assert visit.fits()
    for _ in range(7):
        play(screen)
    expect(page.get_by_text("The game is over.")).to_be_visible()
    for each in (".ranking", ".verdict .say", "a.main:has-text('New game')"):
        in_sight(page, each)
    expect(page.get_by_role("button", name="Bam!")).to_have_count(0)
    assert (visit.complaints, visit.foreign) == ([], [])


def test_a_page_that_has_not_seen_an_undo_takes_nothing_more_back(screen: Served, open_page: Open) -> None:
    play(screen)
    here = open_page(LAPTOP).come_in(screen, "/table")
    behind = here.context.new_page()
    behind.route("**/events/**", lambda route: route.abort())
    behind.goto(f"{screen.here}/table")
    here.keyboard.press("u")
    expect(here.get_by_role("heading", name="Bam! Say what everybody shows")).to_be_visible()
    behind.keyboard.press("u")
    expect(behind.get_by_text("Something was put right meanwhile: look once more.")).to_be_visible()
    behind.keyboard.press("d")
    expect(behind.get_by_text("Something was put right meanwhile: look once more.")).to_be_visible()
    assert [name for name, _ in screen.tell("entries")].count("Undone") == 1


def test_keys_that_scroll_say_no_bam_between_rounds(screen: Served, open_page: Open) -> None:
    play(screen)
    visit = open_page(LAPTOP)
    page = visit.come_in(screen, "/table")
    for key in ("PageDown", "Space", "Enter", "PageUp"):
        page.keyboard.press(key)
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="lay the first card")).to_be_visible()
    assert [name for name, _ in screen.tell("entries")].count("Bam") == 1
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
def test_digits_bet_on_the_keyboards_of_all_languages(screen: Served, open_page: Open, key: str, place: str) -> None:
    page = open_page(LAPTOP).come_in(screen, "/table")
    page.evaluate(
        "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true }))",
        [key, place],
    )
    expect(page.get_by_role("heading", name=f"{NARRATOR} bets on {OTHERS[0]}")).to_be_visible()


def test_the_screen_stays_on_while_it_is_looked_at(screen: Served, open_page: Open) -> None:
    visit = open_page(LAPTOP)
    visit.page.add_init_script("navigator.wakeLock.request = async (kind) => { window.stays = kind; }")
    page = visit.come_in(screen, "/table")
    assert page.evaluate("window.stays") == "screen"
    assert (visit.complaints, visit.foreign) == ([], [])


LONG_NOTICE: Final = """() => document.querySelector('[data-part=problem]').innerHTML =
    `<p class="notice bad">The film cannot be written: /home/${'people'.repeat(20)}.mp4</p>`"""


def test_a_long_notice_stays_within_a_phone(screen: Served, open_page: Open) -> None:
    visit = open_page(SMALL)
    visit.come_in(screen, "/table").evaluate(LONG_NOTICE)
    assert visit.fits()


def test_without_a_camera_no_empty_frame_is_shown(screen: Served, open_page: Open) -> None:
    visit = open_page(LAPTOP)
    for path in ("/check", "/warm-up"):
        page = visit.come_in(screen, path)
        expect(page.get_by_role("link", name="Back to the table")).to_be_in_viewport(ratio=1)
        expect(page.locator(".live-video")).to_be_hidden()


FINGER_PX: Final = 44


def test_every_button_of_the_set_up_is_as_large_as_a_finger(screen: Served, open_page: Open) -> None:
    page = open_page(SMALL).come_in(screen, "/setup")
    expect(page.get_by_role("button", name="Add a player")).to_be_visible()
    for button in page.locator(".setup button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= FINGER_PX, button.get_attribute("aria-label")


LONG_NAMES: Final = ("Maximiliane-Sophie", "Bartholomäus", "Annegret", "Friedrich-Wilhelm", "Jo", "Ludmila")

OF_EIGHT_LETTERS: Final = ("Annegret", "Benedikt", "Carlotta", "Dietmara", "Ekkehard", "Franzisk")

LINES: Final = """(name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    return new Set([...range.getClientRects()].map((each) => Math.round(each.top))).size;
}"""


@pytest.mark.parametrize(
    ("names", "size"),
    [(LONG_NAMES, LARGE), (LONG_NAMES, LAPTOP), *((OF_EIGHT_LETTERS, size) for size in SIZES)],
)
def test_long_names_are_read_whole(
    screen: Served, open_page: Open, names: tuple[str, ...], size: tuple[int, int]
) -> None:
    screen.tell(f"begin en {','.join(names)}")
    page = open_page(size).come_in(screen, "/table")
    for name in page.locator(":is(.bets, .ranking) .name").all():
        assert name.evaluate("(each) => each.scrollWidth <= each.clientWidth"), name.inner_text()
    screen.tell("bam")
    expect(page.get_by_role("link", name="Say what it is")).to_have_count(len(names) - 1)
    for name in page.locator(".verdict h2 .name").all():
        words = name.inner_text().count("-") + 1
        assert name.evaluate(LINES) <= words, name.inner_text()
