"""A judged round in a real browser: images and landmarks, frames by keys, a correction seen on two devices."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LARGE, SMALL, Open, box_of
from tests.unit.web.browsing import Served
from tests.unit.web.judging import EVENING, JudgedRound, judge_round

Judged = tuple[Served, JudgedRound]

IMAGES = """async () => Promise.all([...document.querySelectorAll('.seen image')].map(async (each) => {
    const picture = new Image();
    picture.src = each.href.baseVal;
    await picture.decode();
    return picture.naturalWidth;
}))"""

SHOWN = "[...document.querySelectorAll('.viewer .seen')].flatMap((e, at) => e.matches('.shown') ? [at] : [])"
"""Script for the positions of the visible frames."""

MIRRORED = "matrix(-1, 0, 0, 1, 0, 0)"


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    """A screen that resumes a game with one judged round."""
    folder = tmp_path_factory.mktemp("verdicts")
    judged = judge_round(folder)
    with Served(folder, script=str(EVENING / "evening.toml"), blind=True, resume=True) as served:
        yield served, judged


def test_verdicts_show_every_player_at_bam_uncovered_by_buttons(judged: Judged, open_page: Open) -> None:
    visit, count = open_page(LARGE), len(judged[1].truth)
    page = visit.come_in(judged[0], "/verdicts/1")
    expect(page.get_by_role("article")).to_have_count(count)
    widths = page.evaluate(IMAGES)
    assert len(widths) == count
    assert all(width > 100 for width in widths)
    expect(page.locator(".lines use").first).to_be_visible()
    expect(page.locator(".seen > svg").first).to_have_css("transform", MIRRORED)
    for size in (LARGE, (1280, 720), SMALL):
        visit.resize(size)
        assert visit.fits()
        for figure in page.locator(".verdict figure").all():
            image, button = box_of(figure.locator(".seen")), box_of(figure.locator(".contest"))
            beside = image["x"] + image["width"] <= button["x"]
            below = image["y"] + image["height"] <= button["y"]
            assert beside or below, size
    assert (visit.complaints, visit.foreign) == ([], [])


def test_arrow_keys_step_through_the_frames(judged: Judged, open_page: Open) -> None:
    visit = open_page(LARGE)
    page = visit.come_in(judged[0], "/contest/1/2")
    time, viewer = page.locator(".viewer .time"), page.locator(".viewer")
    expect(time).to_contain_text("after Bam")
    assert {960} == set(page.evaluate(IMAGES))
    frozen, before = time.inner_text(), page.evaluate(SHOWN)
    scene = page.locator(".viewer .shown .scene")
    expect(scene).to_have_css("transform", re.compile(r"matrix\((?!1,)"))
    page.keyboard.press("ArrowRight")
    expect(time).not_to_have_text(frozen)
    assert page.evaluate(SHOWN) == [before[0] + 1]
    page.keyboard.press("Home")
    expect(time).to_have_text(frozen)
    chosen = page.locator("input[name=left]:checked")
    value = chosen.input_value()
    chosen.focus()
    page.keyboard.press("ArrowRight")
    expect(chosen).not_to_have_value(value)
    expect(time).to_have_text(frozen)
    page.keyboard.press("l")
    expect(viewer).to_have_class(re.compile("bare"))
    expect(page.get_by_role("button", name="Landmarks")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".viewer .shown .landmarks")).to_be_hidden()
    page.keyboard.press("z")
    expect(viewer).not_to_have_class(re.compile("zoomed"))
    expect(scene).to_have_css("transform", "none")
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Slow motion")).to_have_attribute("aria-pressed", "true")
    expect(time).not_to_have_text(frozen)
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Slow motion")).to_have_attribute("aria-pressed", "false")
    assert (visit.complaints, visit.foreign) == ([], [])


def test_unsaved_input_survives_a_correction_from_another_page(judged: Judged, open_page: Open) -> None:
    served, played = judged
    player = next(iter(played.truth))
    visit = open_page(SMALL)
    page = visit.come_in(served, "/contest/1/1")
    assert visit.box("[name=cards]")["width"] > SMALL[0] / 2, "the cards can be read where they are put right"
    visit.resize(LARGE)
    drawn, chosen = page.locator(".chooser .result svg"), re.compile("left: wide antler up")
    page.get_by_role("group", name=f"On {player}’s left").get_by_role("radio", name="wide antler up").check()
    expect(drawn).to_have_attribute("aria-label", chosen)
    page.get_by_label("Other cards were there").fill("MOOSE*2 TONG")
    page.get_by_label("The narrator had bet on").focus()
    page.get_by_role("button", name="Closer").click()
    right = {"player": player, "round": "1", "left": "SF", "right": "TF", "tongue": "t"}
    assert served.owner_once.send("correct-verdict", **right).status_code == 204
    expect(page.get_by_role("heading", name="What the correction changed")).to_be_visible()
    expect(page.locator("input[name=left]:checked")).to_have_value("WU")
    expect(drawn).to_have_attribute("aria-label", chosen)
    expect(page.get_by_label("Other cards were there")).to_have_value("MOOSE*2 TONG")
    expect(page.locator(".viewer")).not_to_have_class(re.compile("zoomed"))
    assert served.owner_once.send("correct-bet", round="1", player=player).status_code == 204
    expect(page.get_by_label("The narrator had bet on")).to_have_value(player)
    expect(page.get_by_label("Other cards were there")).to_have_value("MOOSE*2 TONG")
    page.get_by_role("button", name="Correct the cards").click()
    expect(page.locator("[data-notices]")).to_contain_text("is not a card")
    page.get_by_role("button", name="Undo the newest").click()
    expect(page.get_by_label("The narrator had bet on")).not_to_have_value(player)
    page.get_by_role("button", name="Undo the newest").click()
    expect(page.locator(".corrections")).to_contain_text("Nothing has been corrected")
    expect(page.locator("input[name=left]:checked")).to_have_value("WU")
    visit.complaints.clear()  # the browser complains about the refused cards
    assert visit.foreign == []


def test_keyboard_correction_appears_on_every_page_and_can_be_undone(judged: Judged, open_page: Open) -> None:
    served, played = judged
    player = next(iter(played.truth))
    phone_visit, screen_visit = open_page(SMALL), open_page(LARGE)
    phone = phone_visit.come_in(served, "/contest/1/1", player)
    table = screen_visit.come_in(served, "/verdicts/1")
    assert phone_visit.fits()
    legends = [f"On {player}’s left", f"On {player}’s right", "Tongue"]  # from the left, as in a mirror
    assert phone.locator(".chooser legend").all_inner_texts() == legends
    left = phone.get_by_role("group", name=legends[0]).get_by_role("radio")
    left.locator("xpath=self::*[@checked]").focus()
    phone.keyboard.press("ArrowDown")
    chosen = phone.locator("input[name=left]:checked").get_attribute("value")
    phone.get_by_role("button", name="Correct it").press("Enter")
    expect(phone.get_by_role("heading", name="What the correction changed")).to_be_visible()
    expect(phone.locator(".corrections")).to_contain_text("phone")
    expect(table.get_by_role("heading", name="What the correction changed")).to_be_visible()
    expect(table.get_by_text("corrected by")).to_be_visible()
    assert chosen not in {None, str(played.truth[player].left)}
    expect(phone.get_by_role("button", name="Undo the newest")).to_have_count(0)  # only the table may undo it
    table.get_by_role("link", name=f"Contest the verdict about {player}").click()
    table.get_by_role("button", name="Undo the newest").click()
    for page in (phone, table):
        expect(page.locator(".corrections")).to_contain_text("Nothing has been corrected")
    assert (phone_visit.complaints, screen_visit.complaints, screen_visit.foreign) == ([], [], [])


@pytest.mark.parametrize("size", [LARGE, (1366, 768)])
def test_look_alikes_and_their_reasons_fit_on_one_screen(
    judged: Judged, open_page: Open, size: tuple[int, int]
) -> None:
    screen, round_ = judged
    for player in round_.truth:
        screen.owner_once.send("correct-pose", typed=f"{player} WU CD")
    page = open_page(size).come_in(screen, "/table")
    expect(page.locator(".verdict")).to_have_count(1)
    expect(page.locator(".verdict figure .seen > svg")).to_have_count(3)
    for what in (".seen > svg", ".say", ".lines .why"):
        for element in page.locator(f".verdict {what}").all():
            expect(element).to_be_in_viewport(ratio=0.98)  # edges are rounded
    expect(page.locator(".trail .ground")).to_be_in_viewport(ratio=1)
