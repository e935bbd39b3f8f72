"""The table on one page in a real browser: the moment of the verdict, sizes, actions and keys."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from tests.browser.conftest import LARGE, SMALL, Open, Visit
from tests.browser.faults import serious_faults
from tests.browser.test_table import CARDS, LAPTOP, in_sight, play
from tests.unit.web.browsing import NAMES, TALKS, Served, waits_for

SIX: Final = ("Annegret", "Benedikt", "Carlotta", "Dietmara", "Ekkehard", "Franzisk")
SHAPES: Final = ("WU CD", "TS SF t", "WU --", "TS TS", "CU CD")
"""Five poses, four of which score, each differently."""

READ_FROM_AFAR: Final = 28 / 1080
"""Minimum size of important text, as a share of the screen's height."""

ALWAYS: Final = (".waiting h1", ".ranking .name", ".ranking .spaces", ".trail .space", ".controls > form .button")
BEFORE_BAM: Final = (*ALWAYS, ".controls kbd", ":is(.bet-panel, .bets) .name")
MOMENT: Final = (*BEFORE_BAM, ".said p", ".verdict h2 .name", ".verdict .say", ".lines li:not(.idle, .turns) .why")

FAULTS: Final = """([selector, least]) => {
    const found = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    const name = (each) => `${selector} ${each.innerText.slice(0, 30)}`;
    const faults = found.length ? [] : [`no ${selector}`];
    for (const each of found) {
        const size = parseFloat(getComputedStyle(each).fontSize);
        if (size < least - 0.1 && !each.matches('kbd')) faults.push(`${name(each)}: ${size} px`);
        const { left, right, top, bottom } = each.getBoundingClientRect();
        const judged = each.closest('.judged')?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
        const inside = left >= 0 && right <= innerWidth + 1 && top >= judged.top - 1 && bottom <= judged.bottom + 1;
        if (!inside) faults.push(`${name(each)}: ${[left, top, right, bottom].map(Math.round)}`);
    }
    return faults;
}"""
"""Script for elements that are too small to be read, or out of sight."""

TRAIL: Final = """() => [...document.querySelectorAll('.trail :is(.ground, .figure)')].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight + 1;
}).length"""
"""Script for the number of parts of the trail that are not completely visible."""


def faults_of(visit: Visit, selectors: tuple[str, ...]) -> Iterator[str]:
    """Yield the elements that are too small or out of sight on a television and on a laptop."""
    for size in (LARGE, LAPTOP):
        visit.resize(size)
        least = READ_FROM_AFAR * size[1]
        for selector in selectors:
            yield from (f"{size[0]}: {fault}" for fault in visit.page.evaluate(FAULTS, [selector, least]))
        if visit.page.evaluate(TRAIL):
            yield f"{size[0]}: the trail is cut"
        if visit.page.evaluate("document.documentElement.scrollHeight > innerHeight"):
            yield f"{size[0]}: the page scrolls"


def show_five_shapes(screen: Served) -> None:
    """Play a round in which five players show different poses."""
    assert screen.owner_once.send("lay", cards=CARDS).status_code == 204
    screen.call("bam")
    seats = [player for player in SIX if player != screen.call("narrator")]
    for player, pose in zip(seats, SHAPES, strict=True):
        answer = screen.owner_once.send("correct-pose", typed=f"{player} {pose}")
        assert answer.status_code == 204, answer.text


SIX_CARDS: Final = "B.?U+1 RABBIT-2 L.WU+3 MOOSE*2 R.T?-1 TONGUE+2"


@pytest.mark.parametrize("language", Language)
def test_three_verdicts_show_all_six_cards_without_scrolling(
    screen: Served, open_page: Open, language: Language
) -> None:
    screen.call(f"begin {language} {','.join(SIX[:4])}")
    page = open_page(LARGE).come_in(screen, "/table")
    assert screen.owner_once.send("lay", cards=SIX_CARDS).status_code == 204
    screen.call("bam")
    for player, pose in zip(SIX[1:4], ("WU CD", "TS TS", "CU CU t"), strict=True):
        assert screen.owner_once.send("correct-pose", typed=f"{player} {pose}").status_code == 204
    expect(page.locator(".because .why:visible")).to_have_count(3 * 6)
    assert page.locator(".judged").evaluate("(judged) => judged.scrollHeight - judged.clientHeight") <= 0


NOBODY_ANSWERED: Final = """() => document.querySelectorAll('.verdict .badge.ask').forEach((badge) => {
    badge.textContent = 'personne n’a répondu : le plus probable compte';
})"""


def test_unanswered_verdicts_fit_without_scrolling(screen: Served, open_page: Open) -> None:
    screen.call(f"begin fr {','.join(SIX)}")
    page = open_page(LARGE).come_in(screen, "/table")
    show_five_shapes(screen)
    expect(page.locator(".moment")).to_be_visible()
    expect(page.locator(".verdict")).to_have_count(5)
    page.evaluate(NOBODY_ANSWERED)
    expect(page.get_by_text("personne n’a répondu")).to_have_count(5)
    assert page.locator(".judged").evaluate("(judged) => judged.scrollHeight - judged.clientHeight") <= 0


@pytest.mark.parametrize("language", Language)
def test_table_of_six_players_fits_without_scrolling(screen: Served, open_page: Open, language: Language) -> None:
    screen.call(f"begin {language} {','.join(SIX)}")
    visit, texts = open_page(LARGE), Texts(language)
    page = visit.come_in(screen, "/table")
    faults = [f"new, {fault}" for fault in faults_of(visit, BEFORE_BAM)]
    screen.call("bet")
    assert screen.owner_once.send("lay", cards=CARDS).status_code == 204
    expect(page.locator(".piles .face")).to_have_count(6)
    faults += [f"cards, {fault}" for fault in faults_of(visit, (*BEFORE_BAM, ".piles .face"))]
    screen.owner_once.send("deal", tempo="8")
    expect(page.get_by_role("button", name=texts("Slower"))).to_be_visible()
    faults += [f"dealer, {fault}" for fault in faults_of(visit, (*ALWAYS, ".verse", ".tempo-steps span"))]
    screen.owner_once.send("rest")
    show_five_shapes(screen)
    expect(page.locator(".moment")).to_be_visible()
    expect(page.locator(".verdict")).to_have_count(5)
    faults += [f"moment, {fault}" for fault in faults_of(visit, MOMENT)]
    assert not faults, "\n".join(faults)
    assert (visit.complaints, visit.foreign) == ([], [])


def test_verdict_stays_large_until_the_next_round_begins(screen: Served, open_page: Open) -> None:
    screen.call("bet")
    play(screen)
    visit = open_page(LARGE)
    page = visit.come_in(screen, "/table")
    said = page.locator(".said p")
    expect(said).to_have_text(
        [
            "Blue, Green and Yellow: moose back 2",
            "Red: moose back 2",
            "Catching up — Red, Blue, Green and Yellow: rabbit ahead 1",
            "Catching up — Red, Blue, Green and Yellow: moose ahead 1",
        ]
    )
    for line in said.all():
        expect(line).to_be_in_viewport(ratio=1)
    sizes = [font_px(page, selector) for selector in (".said p", ".waiting h1")]
    assert sizes[0] > 1.3 * sizes[1], "what comes next stands smaller"
    assert visit.box(".said")["y"] < visit.box(".waiting h1")["y"]
    assert serious_faults(page) == []
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="lay the first card")).to_be_visible()
    expect(page.locator(".verdict")).to_have_count(0)
    assert font_px(page, ".waiting h1") > 1.3 * sizes[1]


def font_px(page: Page, selector: str) -> float:
    return float(page.locator(selector).first.evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)"))


def test_whole_trail_is_visible_after_a_game_of_six(screen: Served, open_page: Open) -> None:
    screen.call(f"begin en {','.join(SIX)}")
    visit = open_page(LARGE)
    page = visit.come_in(screen, "/table")
    while screen.owner_once.send("lay", cards=CARDS).status_code == 204:
        screen.call("bam")
        narrator = screen.call("narrator")
        for player in SIX:
            if player != narrator:
                screen.call(f"show {player}")
    expect(page.locator(".waiting.over")).to_be_visible()
    assert list(faults_of(visit, ALWAYS)) == []
    in_sight(page, "a.main:has-text('New game')")


MOVING: Final = """() => document.getAnimations().map((each) => [
    each.effect.target.className, each.transitionProperty ?? ''])"""


def test_figures_are_animated_only_on_the_trail(screen: Served, chromium: Browser) -> None:
    context = chromium.new_context(viewport={"width": LARGE[0], "height": LARGE[1]}, reduced_motion="no-preference")
    context.add_cookies(screen.owner_once.for_chromium)
    page = context.new_page()
    page.goto(f"{screen.here}/table")
    page.evaluate(TALKS)
    page.evaluate(
        "addEventListener('transitionrun', ({ target }) => { window.moved ||= target.matches('.trail .figure'); })"
    )
    play(screen)
    page.evaluate(waits_for("window.moved"))
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))")
    for width, height in (LAPTOP, SMALL, LARGE):
        page.set_viewport_size({"width": width, "height": height})
        moving = page.evaluate(f"({MOVING})()")
        assert [moved for moved in moving if moved[0] in {"figure", "ground", "space"}] == []
    page.keyboard.press("1")  # changes the layout, without an animation
    expect(page.locator(".moment")).to_have_count(0)
    assert [moved for moved in page.evaluate(f"({MOVING})()") if moved[0] in {"figure", "ground", "space"}] == []
    context.close()


def test_controls_in_the_more_menu_have_keys(screen: Served, open_page: Open) -> None:
    visit = open_page(LARGE)
    page = visit.come_in(screen, "/table")
    expect(page.locator(".controls > form .button")).to_have_count(3)
    behind = page.get_by_role("button", name="Pause")
    expect(behind).to_be_hidden()
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="The table takes a break")).to_be_visible()
    page.keyboard.press("p")
    page.locator(".more summary").focus()
    page.keyboard.press("Enter")
    expect(behind).to_be_in_viewport(ratio=1)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.more') !== null")
    assert serious_faults(page) == []
    page.keyboard.press("Escape")
    expect(behind).to_be_hidden()
    page.locator(".more summary").click()
    page.locator(".waiting h1").click()
    expect(behind).to_be_hidden()
    page.locator(".more summary").click()
    page.get_by_role("link", name="How to play").click()
    expect(page.get_by_role("heading", name="How to play")).to_be_visible()
    expect(page.locator(".steps li")).to_have_count(6)
    for drawn in page.locator(".steps .drawn svg").all():
        expect(drawn).to_be_visible()
    assert serious_faults(page) == []
    visit.resize(SMALL)
    assert visit.fits()
    assert (visit.complaints, visit.foreign) == ([], [])


SPACE_ONCE_CLOSED: Final = """(dialog) => dialog.addEventListener("close", () => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
}, { once: true })"""
"""Script that presses Space as soon as a dialog has closed."""


def test_key_without_effect_explains_why(screen: Served, open_page: Open) -> None:
    visit = open_page(LARGE)
    page = visit.come_in(screen, "/table")
    message = page.locator(".toast")
    for key, reason in (("d", "There is no Bam to undo."), ("4", "3 players can be bet on.")):
        page.keyboard.press(key)
        expect(message).to_have_text(reason)
    page.keyboard.press("c")
    dialog = page.get_by_role("dialog", name="Type cards")
    dialog.evaluate(SPACE_ONCE_CLOSED)
    dialog.get_by_role("textbox").fill(CARDS)
    page.keyboard.press("Enter")
    expect(message).to_have_text("A dialog has just closed: press again for Bam.")
    expect(page.locator("html[data-closed]")).to_have_count(0)
    page.keyboard.press("Space")
    expect(page.get_by_role("heading", name="Bam! Say what everybody shows")).to_be_visible()
    for key in ("s", "5", "b", "Space"):  # 1 answers the question
        page.locator(".toast").evaluate("(toast) => toast.replaceChildren()")
        page.keyboard.press(key)
        expect(message).to_have_text("Not yet. First: Bam! Say what everybody shows")
    page.goto(f"{screen.here}/verdicts")
    page.evaluate(TALKS)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".toast")).to_have_text("“←” does nothing just now.")
    assert (visit.complaints, visit.foreign) == ([], [])


def test_phone_shows_the_rules_and_the_winner(screen: Served, open_page: Open) -> None:
    visit = open_page(SMALL)
    page = visit.come_in(screen, "/phone", NAMES[1])
    page.get_by_role("link", name="How to play").click()
    expect(page.locator(".steps li")).to_have_count(6)
    for _ in range(8):
        play(screen)
    for path in ("/phone", "/cards"):
        visit.come_in(screen, path, NAMES[1])
        expect(page.get_by_role("heading", name=re.compile("wins?( together)?!"))).to_be_visible()
        expect(page.locator(".ranking li")).to_have_count(len(NAMES))
        expect(page.locator(".slot")).to_have_count(0)
        assert serious_faults(page) == []
    assert visit.fits()
    assert (visit.complaints, visit.foreign) == ([], [])
