"""The screen during questions: all on one page, answered by keys, and by whom they may be answered."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from bunnymoose_cv.i18n.language import Language
from tests.browser.conftest import FAR_LIMITS, LARGE, SMALL, Open
from tests.browser.faults import serious_faults
from tests.browser.test_table import LONG_NOTICE
from tests.quick import write_profile
from tests.unit.web.browsing import Served

NAMES: Final = ("Anna", "Blue", "Benedikt", "Green", "Maximiliane", "Yellow")
NARRATOR: Final = NAMES[0]
CARDS: Final = "L.WU+1 B.CD+1/-1 R.TS+2 R.?F-1 MOOSE*2 TONGUE+1"
MOST: Final = len(NAMES) - 1

ANSWER_S: Final = 600
"""Time for an answer, longer than all tests here take, so that no question expires."""

FAULTS: Final = """(smallest) => {
    const found = [];
    const UNSEEN = 'svg, .spoken, dialog, .skip, [data-part=said], [data-part=headline]';
    const shown = (each) => each.checkVisibility() && !each.closest(UNSEEN);
    if (document.documentElement.scrollHeight > innerHeight) found.push('the page scrolls');
    for (const each of document.querySelectorAll('body *')) {
        if (!shown(each)) continue;
        if (each.getBoundingClientRect().bottom > innerHeight + 1) found.push(`below: ${each.className}`);
    }
    for (const each of document.querySelectorAll('.asks, .asks h2, .choice, .words, .settled a, .controls')) {
        if (!shown(each) || !each.clientWidth) continue;
        const isCut = each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1;
        if (isCut) found.push(`cut: ${each.className}: ${each.innerText}`);
    }
    const asks = [...document.querySelectorAll('.asks')].filter(shown);
    const bottoms = asks.map((each) => each.getBoundingClientRect().bottom);
    const next = document.querySelector('.asking').getBoundingClientRect().top;
    if (Math.max(...bottoms) > next) found.push('a question covers what stands below');
    for (const [what, least] of Object.entries(smallest)) {
        for (const each of document.querySelectorAll(what)) {
            if (shown(each) && each.clientHeight < least) found.push(`small: ${what}, ${each.clientHeight} px`);
        }
    }
    return found;
}"""
"""Script for elements that are out of sight without scrolling, or smaller than allowed, in pixels."""

LARGE_ENOUGH: Final = {".asks figure": 150, ".choice .pose": 54}
IN_THE_HAND: Final = {".asks figure": 84, ".choice .pose": 50}


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A screen whose camera sees five players in a row."""
    folder, data = tmp_path_factory.mktemp("asking"), tmp_path_factory.mktemp("data")
    write_profile(data, f"[questions]\nanswer_s = {ANSWER_S}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(data))
        with Served(folder, names=NAMES, doubts=True, limits=FAR_LIMITS) as screen:
            yield screen


def ask(screen: Served, count: int, language: Language = Language.ENGLISH) -> None:
    """Begin a game, and say a Bam after which a number of players are asked."""
    screen.call(f"begin {language} {','.join(NAMES)}")
    screen.call(f"doubt {count}")
    assert screen.owner_once.send("lay", cards=CARDS).status_code == 204
    screen.call("bam")


def questions(page: Page) -> int:
    """Return the number of visible questions."""
    return page.locator(".asks:visible").count()


@pytest.mark.parametrize("language", Language)
def test_all_questions_fit_without_scrolling(asking: Served, open_page: Open, language: Language) -> None:
    television, phone, faults = open_page(LARGE), open_page(SMALL), dict[str, list[str]]()
    for count in range(1, MOST + 1):
        for visit in (television, phone):
            visit.page.goto("about:blank")  # an open page would load itself again
        ask(asking, count, language)
        page = television.come_in(asking, "/table")
        faults[f"{count} on the television"] = page.evaluate(FAULTS, LARGE_ENOUGH)
        page.evaluate(LONG_NOTICE)
        faults[f"{count} with a notice"] = page.evaluate(FAULTS, LARGE_ENOUGH)
        assert (questions(page), page.locator(".answer-time .bar:visible").count()) == (count, 1)
        assert page.locator(".trail, .bet-panel, .deal, .bam, .live-video").filter(visible=True).count() == 0
        assert page.locator(".settled .player").count() == MOST - count
        if count == MOST:
            phone.come_in(asking, "/table").evaluate(LONG_NOTICE)
            faults["the table's page in the hand, with a notice"] = phone.page.evaluate(FAULTS, IN_THE_HAND)
    for waiting in range(MOST, 0, -1):
        page = phone.come_in(asking, "/phone", NARRATOR)
        assert (questions(page), page.locator(".asks").count()) == (1, waiting), "one after the other"
        expect(page.locator(".answer-time .bar")).to_be_visible()
        faults[f"{waiting} on the narrator's phone"] = page.evaluate(FAULTS, IN_THE_HAND)
        if waiting > 1:
            page.locator(".asks:visible .choice").first.tap()
            expect(page.locator(".asks")).to_have_count(waiting - 1)
    assert {where: found for where, found in faults.items() if found} == {}
    assert (television.complaints, television.foreign, phone.complaints, phone.foreign) == ([], [], [], [])


def test_each_key_answers_only_the_first_question(asking: Served, open_page: Open) -> None:
    ask(asking, 3)
    page = open_page(LARGE).come_in(asking, "/table")
    for key, place in (("2", 1), ("Enter", 0), ("1", 0)):
        waiting = page.locator(".asks").count()
        expect(page.locator(".asks.marked")).to_have_count(1 if waiting > 1 else 0)
        first = page.locator(".asks").first
        expect(first.locator("kbd").first).to_have_text("1")
        assert page.locator(".asks kbd").count() == first.locator("kbd").count(), "keys are drawn where they answer"
        pose = first.locator(".choice").nth(place).get_attribute("value")
        player = first.locator("[name=player]").get_attribute("value")
        with page.expect_request("**/command/answer-question") as sent:
            page.keyboard.press(key)
        form = sent.value.post_data_json
        assert form is not None
        assert (form["pose"], form["player"]) == (pose, player)
        expect(page.locator(".asks")).to_have_count(waiting - 1)
    expect(page.get_by_text("Round 2 of")).to_be_visible()
    assert [name for name, _ in asking.call("entries")].count("PosesJudged") == 4, "the sure ones, then one by one"


def test_tap_enlarges_picture_and_page_is_accessible(asking: Served, open_page: Open) -> None:
    ask(asking, 3)
    visit = open_page(LARGE)
    page = visit.come_in(asking, "/table")
    before = visit.box(".asks figure")
    page.get_by_role("button", name="Enlarge the picture of Blue").click()
    after = visit.box("dialog[open] .seen svg")
    assert after["width"] * after["height"] > 2 * before["width"] * before["height"]
    assert after["y"] + after["height"] <= LARGE[1]
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert serious_faults(page) == []
    name, duration = page.locator(".answer-time .bar").evaluate(
        """(each) => {
            const look = getComputedStyle(each, '::before');
            return [look.animationName, look.animationDuration];
        }"""
    )
    assert name == "runs-out", "it shrinks also where less motion is wished"
    assert 0 < float(duration.removesuffix("s")) <= ANSWER_S
    assert visit.complaints == []


def test_phone_offers_only_the_answers_its_player_may_give(asking: Served, open_page: Open) -> None:
    ask(asking, 2)
    for player, choices in ((NARRATOR, 3), ("Blue", 1), ("Yellow", 0)):
        visit = open_page(SMALL)
        page = visit.come_in(asking, "/phone", player)
        expect(page.locator(".asks:visible .choice")).to_have_count(choices)
        assert page.evaluate(FAULTS, IN_THE_HAND) == [], player
        assert serious_faults(page) == [], player
    page = open_page(SMALL).come_in(asking, "/phone", "Blue")
    page.get_by_role("button", name="Yes, ").tap()
    expect(page.locator(".asks")).to_have_count(1)
    assert page.locator(".choice").count() == 0, "the other question is not for this phone"
    assert asking.call("entries")[-1] == ["PosesJudged", "Blue's phone"]
