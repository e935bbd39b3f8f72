"""A page and its event stream: focus, unchanged parts, a refused stream, a lost server."""

import signal
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from bunnymoose_cv.web.limits import Limits
from tests.browser.conftest import FAR_LIMITS, LARGE, SMALL, Open
from tests.browser.evening import IMAGE_IS_THERE
from tests.browser.faults import serious_faults
from tests.browser.program import EVENING
from tests.unit.web.browsing import TALKS, Served, lasting_port, waits_for

MARKED = "(part) => { part.firstElementChild.dataset.marked = 'yes'; }"

SEES = """() => {{
    Object.defineProperty(document, "hidden", {{ get: () => {hidden}, configurable: true }});
    document.dispatchEvent(new Event("visibilitychange"));
}}"""
"""Script that hides the page or shows it again."""


def test_event_replaces_only_the_changed_parts(screen: Served, open_page: Open) -> None:
    visit = open_page(LARGE)
    phone = visit.come_in(screen, "/phone", screen.call("narrator"))
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
    phone.keyboard.press("Space")  # presses the focused button and says no Bam
    expect(bet).to_have_attribute("aria-pressed", "true")
    phone.locator("h1").click()
    phone.keyboard.press("Space")
    expect(phone.get_by_role("heading", name="Bam! Say which cards are on the piles")).to_be_visible()
    assert ["Bam", "Red's phone"] in screen.call("entries")
    assert serious_faults(phone) == []
    assert (visit.complaints, visit.foreign) == ([], [])


GIVES_UP_WHEN_TOLD = "window.given = new AbortController(); AbortSignal.timeout = () => given.signal;"
"""Script that lets requests wait for a test instead of their timeout."""


def test_a_bar_is_shown_until_a_command_is_given_up(screen: Served, open_page: Open) -> None:
    visit = open_page(LARGE)
    visit.page.add_init_script(GIVES_UP_WHEN_TOLD)
    page = visit.come_in(screen, "/table")
    page.route("**/command/*", lambda _: None)
    page.keyboard.press("1")
    expect(page.locator("html[data-sending]")).to_have_count(1)
    assert page.evaluate("getComputedStyle(document.documentElement, '::before').height") == "5px"
    page.evaluate("given.abort()")
    expect(page.locator("html[data-sending]")).to_have_count(0)


def test_choices_are_sent_one_after_the_other_and_before_any_other_command(screen: Served, open_page: Open) -> None:
    page = open_page(LARGE).come_in(screen, "/setup")
    page.get_by_text("Rules and variants").click()
    held, sent = list[Route](), list[str]()

    def pass_on(route: Route) -> None:
        sent.append(route.request.url.rpartition("/")[2])
        route.continue_()

    page.route("**/command/*", pass_on)
    page.route("**/command/choose-rules", lambda route: held.append(route), times=1)  # noqa: PLW0108 - marked by page
    for lines in ("8", "6"):  # in the end as before, since other tests use this screen, too
        page.get_by_label(lines, exact=True).check()
    page.get_by_role("button", name="Look again").click()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert (len(held), sent) == (1, [])
    with page.expect_response("**/command/look-for-cameras"):
        held.pop().continue_()
    assert sent == ["choose-rules", "look-for-cameras"]
    expect(page.get_by_label("6", exact=True)).to_be_checked()


@pytest.mark.parametrize(("path", "stream"), [("/join", "rests"), ("/warm-up", "open")])
def test_hidden_page_closes_its_stream_unless_the_page_must_stay_connected(
    screen: Served, open_page: Open, path: str, stream: str
) -> None:
    page = open_page(LARGE).come_in(screen, path)
    page.evaluate(SEES.format(hidden="true"))
    expect(page.locator("html")).to_have_attribute("data-stream", stream)


def test_live_image_pauses_while_hidden_or_displaced_and_resumes(tmp_path: Path, open_page: Open) -> None:
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
"""Script that records the timeout of each request."""


def test_commands_that_judge_have_a_longer_timeout(screen: Served, open_page: Open) -> None:
    visit = open_page(SMALL)
    visit.page.add_init_script(PATIENCE)
    phone = visit.come_in(screen, "/phone", screen.call("narrator"))
    phone.get_by_role("button", name="Blue").tap()
    expect(phone.get_by_role("button", name="Blue")).to_have_attribute("aria-pressed", "true")
    phone.get_by_role("button", name="Bam!").tap()
    expect(phone.get_by_role("heading", name="Bam! Say which cards are on the piles")).to_be_visible()
    bet_ms, bam_ms = phone.evaluate("window.waits")
    phone.get_by_role("link", name="Lay cards").tap()
    phone.get_by_role("button", name="hunter", exact=True).tap()
    expect(phone.get_by_role("heading", name="Bam! Which card is on pile 2?")).to_be_visible()
    (lay_ms,) = phone.evaluate("window.waits")
    assert bam_ms == lay_ms > bet_ms


def test_oldest_page_over_the_stream_limit_reports_it_and_resumes_when_another_closes(
    screen: Served, open_page: Open
) -> None:
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
    screen.call("bam")
    expect(oldest.get_by_role("article")).to_have_count(3)
    (number,) = (number for number, player in screen.call("players") if player == "Blue")
    screen.call(f"remove {number}")
    expect(oldest.get_by_text("Who are you?")).to_be_visible()


def test_lost_press_is_reported_and_the_next_press_works(screen: Served, open_page: Open) -> None:
    phone = open_page(SMALL).come_in(screen, "/phone", screen.call("narrator"))
    bet, error = (
        phone.get_by_role("button", name="Blue"),
        phone.get_by_text("The table does not answer: try again."),
    )
    phone.context.set_offline(True)
    bet.tap()
    expect(error).to_be_visible()
    phone.context.set_offline(False)
    bet.tap()
    expect(bet).to_have_attribute("aria-pressed", "true")
    expect(error).to_be_hidden()
    phone.route("**/command/bet", lambda _: None)
    with phone.expect_request("**/command/bet"):
        bet.tap()
    expect(error).to_be_visible()


def test_page_reports_a_lost_program_and_reconnects(tmp_path: Path, open_page: Open) -> None:
    served = Served(tmp_path, port=lasting_port())
    visit = open_page(LARGE)
    table = visit.come_in(served, "/table")
    phone = open_page(SMALL).come_in(served, "/phone", served.call("narrator"))
    served.call("bet")
    expect(table.get_by_role("heading", name="Red bets on Blue")).to_be_visible()
    served.kill()
    expect(table.get_by_text("start it with the same options and --resume")).to_be_visible()
    expect(phone.get_by_text("Wait: this page goes on when it does")).to_be_visible()
    for page in (table, phone):
        assert page.locator(".bam").evaluate("(bam) => bam.inert")
        assert page.get_by_role("alert").filter(visible=True).count() == 1
    assert (visit.fits(), serious_faults(table), serious_faults(phone)) == (True, [], [])
    table.keyboard.press("Space")
    with Served(tmp_path, resume=True) as again:
        table.evaluate(TALKS)
        expect(table.get_by_text("start it with the same options and --resume")).to_be_hidden()
        assert not any(entry[0] == "Bam" for entry in again.call("entries"))
        table.keyboard.press("Space")
        expect(table.get_by_role("heading", name="Bam! Say which cards are on the piles")).to_be_visible()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system suspends no program by a signal")
def test_page_reports_a_hanging_program_until_it_answers(tmp_path: Path, open_page: Open) -> None:
    with Served(tmp_path, limits=FAR_LIMITS) as served:
        visit = open_page(LARGE)
        visit.page.clock.install()
        table = visit.come_in(served, "/table")
        banner = table.get_by_text("The program does not answer.")
        served.process.send_signal(signal.SIGSTOP)
        try:
            table.clock.fast_forward(10_000)
            expect(banner).to_be_hidden()
            table.clock.fast_forward(15_000)
            expect(banner).to_be_visible()
        finally:
            served.process.send_signal(signal.SIGCONT)
        table.clock.fast_forward(5_000)
        expect(banner).to_be_hidden()
