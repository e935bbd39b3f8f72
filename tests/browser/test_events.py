"""A phone's page as its stream of events changes it: focus, what stays, a refused stream, a server that is away."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from bunnymoose_cv.web.limits import Limits
from tests.browser.conftest import LARGE, SMALL, Open
from tests.browser.evening import IMAGE_IS_THERE
from tests.browser.faults import serious_faults
from tests.browser.program import EVENING
from tests.unit.web.browsing import TALKS, Served, waits_for

MARKED = "(part) => { part.firstElementChild.dataset.marked = 'yes'; }"

SEES = """() => {{
    Object.defineProperty(document, "hidden", {{ get: () => {hidden}, configurable: true }});
    document.dispatchEvent(new Event("visibilitychange"));
}}"""
"""Script: the page is seen no more, or again."""


def test_what_changes_is_replaced_and_nothing_else(screen: Served, open_page: Open) -> None:
    visit = open_page(LARGE)
    phone = visit.come_in(screen, "/phone", screen.tell("narrator"))
    for name in ("name", "narrating"):
        phone.locator(f"[data-part={name}]").evaluate(MARKED)
    bet = phone.get_by_role("button", name="Blue")
    bet.focus()
    phone.keyboard.press("Enter")
    expect(bet).to_have_attribute("aria-pressed", "true")
    expect(bet).to_be_focused()
    expect(phone.get_by_role("heading", name="Red bets on Blue: lay the first card")).to_be_visible()
    assert phone.locator("[data-marked]").evaluate_all(
        "(all) => all.map((each) => each.parentElement.dataset.part)"
    ) == ["name"]
    phone.keyboard.press("2")
    expect(phone.get_by_role("button", name="Green")).to_have_attribute("aria-pressed", "true")
    phone.keyboard.press("Space")  # the focus is on a button: that is pressed, and no Bam is said
    expect(bet).to_have_attribute("aria-pressed", "true")
    phone.locator("h1").click()
    phone.keyboard.press("Space")
    expect(phone.get_by_role("heading", name="Bam! Say which cards lie on the piles")).to_be_visible()
    assert ["Bam", "Red's phone"] in screen.tell("entries")
    assert serious_faults(phone) == []
    assert (visit.complaints, visit.foreign) == ([], [])


@pytest.mark.parametrize(("path", "stream"), [("/join", "rests"), ("/warm-up", "open")])
def test_a_page_that_is_not_seen_rests_unless_it_holds_something_open(
    screen: Served, open_page: Open, path: str, stream: str
) -> None:
    page = open_page(LARGE).come_in(screen, path)
    page.evaluate(SEES.format(hidden="true"))
    expect(page.locator("html")).to_have_attribute("data-stream", stream)


def test_a_live_image_rests_unseen_or_displaced_and_comes_back(tmp_path: Path, open_page: Open) -> None:
    with Served(tmp_path, script=str(EVENING), limits={"streams_of_one": 1}) as served:
        visit = open_page(LARGE)
        turned_away = []
        visit.page.route("**/live.mjpeg*", lambda route: turned_away.append(route.abort()), times=1)
        page = visit.come_in(served, "/table")
        image = page.locator(".glass img")
        image.evaluate(IMAGE_IS_THERE)
        assert len(turned_away) == 1, "it is asked for again"
        page.evaluate(SEES.format(hidden="true"))
        other = page.context.new_page()
        other.goto(page.url)
        other.locator(".glass img").evaluate(IMAGE_IS_THERE)
        page.evaluate(SEES.format(hidden="false"))
        image.evaluate(IMAGE_IS_THERE)
        other.evaluate(waits_for("document.querySelector('.glass img').naturalWidth <= 100"))
        page.close()
        other.locator(".glass img").evaluate(IMAGE_IS_THERE)


PATIENCE = """
    window.waits = [];
    const within = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => { waits.push(ms); return within(ms); };
"""
"""Script: the page counts how long each request is waited for."""


def test_what_ends_in_judging_is_waited_for_longer(screen: Served, open_page: Open) -> None:
    visit = open_page(SMALL)
    visit.page.add_init_script(PATIENCE)
    phone = visit.come_in(screen, "/phone", screen.tell("narrator"))
    phone.get_by_role("button", name="Blue").tap()
    expect(phone.get_by_role("button", name="Blue")).to_have_attribute("aria-pressed", "true")
    phone.get_by_role("button", name="Bam!").tap()
    expect(phone.get_by_role("heading", name="Bam! Say which cards lie on the piles")).to_be_visible()
    bet_ms, bam_ms = phone.evaluate("window.waits")
    phone.get_by_role("link", name="Lay cards").tap()
    phone.get_by_role("button", name="hunter", exact=True).tap()
    expect(phone.get_by_role("heading", name="Bam! What lies on pile 2?")).to_be_visible()
    (lay_ms,) = phone.evaluate("window.waits")
    assert bam_ms == lay_ms > bet_ms


def test_the_oldest_page_of_too_many_says_so_and_goes_on_when_there_is_room(screen: Served, open_page: Open) -> None:
    oldest = open_page(SMALL).come_in(screen, "/phone", "Blue")
    oldest.goto(f"{screen.network}/verdicts")
    oldest.evaluate(TALKS)
    others = [oldest.context.new_page() for _ in range(Limits().event_streams_of_one)]
    for page in others:
        page.goto(f"{screen.network}/phone")
        page.evaluate(TALKS)
    expect(oldest.get_by_text("This browser has too many pages open: close some.")).to_be_visible()
    others[0].close()
    expect(oldest.locator("html")).to_have_attribute("data-stream", "open")
    assert [page.locator("html").get_attribute("data-stream") for page in others[1:]] == ["open", "open"]
    screen.tell("bam")
    expect(oldest.get_by_role("article")).to_have_count(3)
    (number,) = (number for number, player in screen.tell("players") if player == "Blue")
    screen.tell(f"remove {number}")
    expect(oldest.get_by_text("Who are you?")).to_be_visible()


def test_a_press_that_does_not_arrive_is_told_and_the_page_goes_on_with_the_next_one(
    screen: Served, open_page: Open
) -> None:
    phone = open_page(SMALL).come_in(screen, "/phone", screen.tell("narrator"))
    bet, told = phone.get_by_role("button", name="Blue"), phone.get_by_text("The table does not answer: try once more.")
    phone.context.set_offline(True)
    bet.tap()
    expect(told).to_be_visible()
    phone.context.set_offline(False)
    bet.tap()
    expect(bet).to_have_attribute("aria-pressed", "true")
    expect(told).to_be_hidden()
    phone.route("**/command/bet", lambda _: None)
    with phone.expect_request("**/command/bet"):
        bet.tap()
    expect(told).to_be_visible()
