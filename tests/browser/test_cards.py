"""The narrator's page in a real browser: picking a card with two taps, undo, typing with mistakes, and dealing.

The Bam button of this page and of the table is within reach of the thumb on every device and covers nothing.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LARGE, SMALL, Open, box_of
from tests.unit.web.browsing import Served

TOUCH_PX = 44

SMALL_TARGETS = f"""() => [...document.querySelectorAll(".cards-page button, .cards-page a, .ways label")]
    .filter((each) => each.checkVisibility() && Math.min(each.offsetWidth, each.offsetHeight) < {TOUCH_PX})
    .map((each) => each.outerHTML.slice(0, 120))"""


DEVICES = (SMALL, (360, 640), (844, 390), (768, 1024), (1280, 720))

COVERED = """() => {
    scrollTo(0, document.body.scrollHeight);
    const bam = document.querySelector(".bam").getBoundingClientRect();
    return [...document.querySelectorAll(".glass, .trail, .panel, .controls .button, .way")]
        .filter((each) => each.checkVisibility() && !each.closest("dialog"))
        .map((each) => [each.className, each.getBoundingClientRect()])
        .filter(([, box]) => box.bottom > bam.top + 1 && box.top < bam.bottom)
        .filter(([, box]) => box.right > bam.left && box.left < bam.right)
        .map(([name]) => name);
}"""
"""Script for the elements that the Bam button covers when the page is scrolled to its end."""

BAR = """() => {
    const bam = document.querySelector(".bam").getBoundingClientRect();
    return document.elementFromPoint(2, bam.top + bam.height / 2).className;
}"""
"""Script for the elements beside the Bam button, at the left edge of a handheld device."""


MOVED = "(all) => all.map((each) => each.stood === undefined ? null : each.stood !== each.dataset.vars)"
"""Script for the figures that have moved since their place was noted on them."""

DRESSED = "(all) => all.map((each) => getComputedStyle(each).getPropertyValue('--across') !== '')"

SENDS_TWICE = """(field) => {
    field.form.addEventListener("submit", () => field.form.requestSubmit(), { once: true });
    const dialog = field.closest("dialog");
    dialog.close = () => {
        HTMLDialogElement.prototype.close.call(dialog);
        const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
        queueMicrotask(() => document.body.dispatchEvent(enter));
    };
}"""
"""Script that presses Enter again while the first request is pending, and as soon as the dialog has closed."""

CLOSES_AND_PRESSES = """(field, key) => {
    field.closest("dialog").close();
    field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""
"""Script that presses a key in the field of a dialog just after the dialog has closed."""


def test_picking_typing_and_dealing_mix_and_pages_stay_in_sync(screen: Served, open_page: Open) -> None:
    phone_visit, table_visit = open_page(SMALL), open_page(LARGE)
    phone, table = phone_visit.come_in(screen, "/cards", "Red"), table_visit.come_in(screen, "/cards")
    undo = phone.get_by_role("button", name="Undo")
    expect(phone.get_by_role("heading", name="Next: pile 1")).to_be_visible()
    expect(undo).to_be_disabled()
    assert phone_visit.fits()
    assert phone.evaluate(SMALL_TARGETS) == []

    # Picked: two taps, one for a card that is the only one of its kind.
    tile = phone.get_by_role("button", name="wide antler up", exact=True)
    place = box_of(tile)
    tile.tap()
    phone.get_by_role("button", name="on your left: wide antler up, 2 ahead", exact=True).tap()
    expect(phone.get_by_role("heading", name="Next: pile 2")).to_be_visible()
    assert box_of(tile) == place, "nothing moves under the thumb"
    expect(table.get_by_text("On pile 1: on your left: wide antler up, 2 ahead")).to_be_visible()
    table.get_by_role("button", name="reversal", exact=True).click()
    expect(phone.get_by_role("heading", name="Next: pile 3")).to_be_visible()
    assert screen.call("cards") == "L.WU+2 REVERSE"

    # A card that has been laid is disabled.
    tile.tap()
    used = phone.get_by_role("button", name="on your left: wide antler up, 2 ahead already laid")
    expect(used).to_be_disabled()
    phone.keyboard.press("Escape")

    # Undo works on either page.
    undo.tap()
    expect(table.get_by_role("heading", name="Next: pile 2")).to_be_visible()

    # Typing shows the cards understood and points at a mistake; nothing is laid until the text is right.
    field = table.get_by_label("Cards in the notation")
    table.keyboard.press("c")
    expect(field).to_be_focused()
    field.press_sequentially("r.ss+3 b.cx+1")
    expect(table.locator(".typed mark")).to_have_text("CX+1")
    expect(table.get_by_text("“CX” is not a card’s headgear")).to_be_visible()
    field.press("Enter")
    field.fill("r.ss+3 b.cd+1/-1")
    expect(table.locator(".understood svg")).to_have_count(2)
    assert screen.call("cards") == "L.WU+2"
    field.press("Enter")
    expect(phone.get_by_role("heading", name="Next: pile 4")).to_be_visible()
    expect(field).to_have_value("")

    # The referee deals from the next pile on, and can be paused.
    phone.locator(".ways label", has_text="Deal").tap()
    phone.get_by_role("button", name="Let the referee deal").tap()
    expect(phone.locator("[aria-current=step]")).to_have_count(1)
    expect(phone.locator(".piles .face").nth(3)).to_be_visible()
    phone.get_by_role("button", name="Let the dealer rest").tap()
    expect(phone.get_by_role("button", name="Let the referee deal")).to_be_visible()
    assert screen.call("cards").startswith("L.WU+2 R.SS+3 B.CD+1/-1 ")
    assert {who for what, who in screen.call("entries") if what == "CardLaid"} == {"Red's phone", "screen", "referee"}

    assert (phone_visit.complaints, table_visit.complaints) == ([], [])


def test_card_dialog_stays_open_until_the_cards_are_accepted(screen: Served, open_page: Open) -> None:
    visit = open_page(LARGE)
    page = visit.come_in(screen, "/table")
    dialog = page.get_by_role("dialog", name="Type cards")
    page.keyboard.press("c")
    expect(dialog.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("l.ss+1 moos")
    page.keyboard.press("Enter")
    expect(dialog.locator("mark")).to_have_text("MOOS")
    assert screen.call("cards") == ""
    dialog.get_by_role("textbox").fill("l.ss+1 moose+1")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    assert screen.call("cards") == "L.SS+1 MOOSE+1"

    # A key pressed while a dialog closes counts.
    page.keyboard.press("c")
    expect(dialog.get_by_role("textbox")).to_be_focused()
    dialog.get_by_role("textbox").evaluate(CLOSES_AND_PRESSES, "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert visit.complaints == []


def test_double_tap_or_double_submit_lays_one_card(screen: Served, open_page: Open) -> None:
    cards, table = open_page(LARGE).come_in(screen, "/cards"), open_page(LARGE).come_in(screen, "/table")
    cards.get_by_role("button", name="reversal", exact=True).dblclick()
    expect(cards.get_by_role("heading", name="Next: pile 2")).to_be_visible()
    field = table.get_by_role("dialog", name="Type cards").get_by_role("textbox")
    for lying, card in enumerate(("l.ss+1", "l.wu+2"), 1):
        expect(table.locator(".piles .face")).to_have_count(lying)
        expect(table.locator("html[data-closed]")).to_have_count(0)
        table.keyboard.press("c")
        field.fill(card)
        field.evaluate(SENDS_TWICE)
        table.keyboard.press("Enter")
        expect(field).to_be_hidden()
    expect(cards.get_by_role("heading", name="Next: pile 4")).to_be_visible()
    assert screen.call("cards") == "REVERSE L.SS+1 L.WU+2"
    assert "Bam" not in dict(screen.call("entries"))


def test_remaining_piles_are_entered_the_same_way_after_bam(screen: Served, open_page: Open) -> None:
    page = open_page(SMALL).come_in(screen, "/cards", "Red")
    page.get_by_role("button", name="hunter", exact=True).tap()
    expect(page.get_by_role("heading", name="Next: pile 2")).to_be_visible()
    page.get_by_role("button", name="Bam!").tap()
    expect(page.get_by_role("heading", name="Bam! Which card is on pile 2?")).to_be_visible()
    page.get_by_role("button", name="reversal", exact=True).tap()
    expect(page.get_by_role("heading", name="Bam! Which card is on pile 3?")).to_be_visible()
    page.locator(".ways label", has_text="Type").tap()
    page.get_by_label("Cards in the notation").fill("tongue+3 moose*2 l.wu+2 r.wu+2")
    page.get_by_role("button", name="Lay").tap()
    expect(page.get_by_role("heading", name="Bam! All cards are down")).to_be_visible()
    expect(page.get_by_label("Cards in the notation")).to_be_hidden()
    expect(page.locator(".ways")).to_be_hidden()


def test_only_the_narrators_phone_can_lay_cards(screen: Served, open_page: Open) -> None:
    lying = screen.call("cards")
    page = open_page(SMALL).come_in(screen, "/cards", "Blue")
    expect(page.get_by_role("heading", name="Red lays the cards")).to_be_visible()
    expect(page.locator(".picks")).to_be_hidden()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.get_by_role("button", name="Bam!")).to_be_hidden()
    page.evaluate(
        """() => {  // at once, or an event in between disables it again
            const button = document.querySelector('button[name="cards"][value="REVERSE"]');
            button.closest('fieldset').removeAttribute('disabled');
            button.click();
        }"""
    )
    expect(page.get_by_text("Only the narrator's phone and the screen at the table lay cards.")).to_be_visible()
    assert screen.call("cards") == lying


def test_typed_text_survives_while_figures_move(screen: Served, open_page: Open) -> None:
    visit = open_page(LARGE)
    page = visit.come_in(screen, "/table")
    page.evaluate("document.querySelectorAll('.trail .figure').forEach((each) => { each.stood = each.dataset.vars; })")
    page.keyboard.press("c")
    field = page.get_by_role("dialog", name="Type cards").get_by_role("textbox")
    field.fill("l.ss+1 moo")
    screen.call("play")
    expect(page.locator(".trail.walks")).to_be_attached()
    moved = page.locator(".trail .figure").evaluate_all(MOVED)
    assert len(moved) == 8
    assert None not in moved, "the same figures as before"
    assert True in moved
    expect(field).to_have_value("l.ss+1 moo")
    expect(field).to_be_focused()
    assert page.locator(".trail .figure").evaluate_all(DRESSED) == [True] * 8
    assert visit.complaints == []


@pytest.mark.parametrize("path", ["/table", "/cards"])
def test_bam_button_is_in_reach_and_covers_nothing(screen: Served, open_page: Open, path: str) -> None:
    visit = open_page(SMALL)
    page = visit.come_in(screen, path)
    bam = page.get_by_role("button", name="Bam!")
    for width, height in DEVICES:
        visit.resize((width, height))
        expect(bam).to_be_in_viewport(ratio=1)
        assert visit.fits()
        assert width > 999 or page.evaluate(BAR) == "at-hand"
        assert page.evaluate(COVERED) == [], (width, height)
        page.evaluate("scrollTo(0, 0)")
