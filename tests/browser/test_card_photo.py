"""Photographs in Chromium: the cards at Bam, from the phone to the scores, and the enrolment of a deck."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, expect

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.cards import parse_table
from tests.browser.conftest import LARGE, SMALL, Open, box_of
from tests.browser.faults import serious_faults
from tests.unit.web.browsing import NAMES, Served
from tests.unit.web.photographs import LEFT_VALUE, MARKER, jpeg, laid_out, photograph

CARDS = "B.CD+1 REVERSE L.WU+2 R.?D+2 MOOSE+2 HUNTER"
TWIN = "L.WU-1"
KNOWN = f"{CARDS} {TWIN} B.CU+1 MOOSE+1 TONGUE+3"
"""Faces that the reader knows: fewer than a deck has, to save time."""

PHOTO = "**/cards/photo"


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A screen with the real reader of printed cards."""
    with Served(tmp_path_factory.mktemp("photo"), photos=KNOWN) as screen:
        yield screen


def file_of(content: bytes, name: str = "cards.jpg", kind: str = "image/jpeg") -> FilePayload:
    return {"name": name, "mimeType": kind, "buffer": content}


def large(content: bytes) -> bytes:
    """Return a photograph as a phone makes it: 12 megapixels, rotated by its EXIF orientation."""
    exif = Image.Exif()
    exif[0x0112] = 6
    stored = BytesIO()
    with Image.open(BytesIO(content)) as image:
        image.resize((4000, 2250)).rotate(90, expand=True).save(stored, "JPEG", quality=90, exif=exif.tobytes())
    return stored.getvalue()


def test_narrator_photographs_the_cards_after_bam(served: Served, open_page: Open) -> None:
    narrator = served.call("narrator")
    phone_visit, screen_visit = open_page(SMALL), open_page(LARGE)
    phone, screen = phone_visit.come_in(served, "/phone", narrator), screen_visit.come_in(served, "/table")
    camera, gallery = phone.get_by_label("Photograph the cards"), phone.get_by_label("From the gallery")
    expect(phone.get_by_role("button", name="Bam!")).to_be_visible()
    expect(camera).to_be_hidden()

    phone.get_by_role("button", name="Bam!").tap()
    expect(camera).to_be_visible()
    expect(camera).to_have_attribute("capture", "environment")
    assert gallery.get_attribute("capture") is None
    assert box_of(phone.locator(".photo-button").first)["height"] >= 44

    # Phones discard a page while the camera is open; it loads again in the same round.
    phone.reload()
    spoilt = large(jpeg(photograph(parse_table(CARDS), {3: (MARKER, LEFT_VALUE)})))
    camera.set_input_files(file_of(spoilt))
    image = phone.get_by_role("img", name="The photograph of the cards")
    expect(image).to_be_visible()
    assert served.call("size") == [2048, 1152], "scaled in the browser, and upright"

    # Each card is drawn on the photograph; a question offers the two likeliest faces of one.
    expect(phone.locator(".seen-cards .over svg svg")).to_have_count(5)
    expect(phone.get_by_role("heading", name="Which card is on pile 3?")).to_be_visible()
    expect(phone.get_by_text("There is a reflection on place 3")).to_be_visible()
    expect(phone.locator(".seen-question .face-button")).to_have_count(2)
    assert served.call("cards") == ""
    assert serious_faults(phone) == []
    phone.reload()
    expect(phone.get_by_role("heading", name="Which card is on pile 3?")).to_be_visible()

    # Poses are judged in the background; their scores need the card.
    players = [name for name in NAMES if name != narrator]
    served.call(f"show {players[0]}")
    expect(screen.get_by_text(f"{players[0]}: moose back 1")).to_have_count(0)
    assert not any("oose" in line for line in served.call("said"))

    # One tap answers.
    phone.locator(".seen-question .face-button").last.tap()
    expect(phone.get_by_role("heading", name=f"What does {players[1]} show?")).to_be_visible()
    expect(screen.get_by_role("link", name=f"{players[0]} Moose back 1")).to_be_visible()
    assert served.call("cards") == CARDS.replace("L.WU+2", TWIN)
    assert ["TableLaid", f"{narrator}'s phone"] in served.call("entries")
    assert any("oose back 1" in line and players[0] in line for line in served.call("said"))

    # A wrong tap is corrected in the list of all cards while other questions are open.
    phone.goto(phone.url.replace("/phone", "/cards"))
    expect(phone.get_by_text("All cards are known.")).to_be_visible()
    expect(phone.locator(".seen-cards .over svg svg")).to_have_count(6)
    phone.get_by_text("Correct a card").tap()
    phone.get_by_role("combobox", name="Pile 3").select_option("L.WU+2")
    expect(screen.get_by_role("link", name=f"{players[0]} Moose back 4")).to_be_visible()
    assert served.call("cards") == CARDS
    for visit in (phone_visit, screen_visit):
        assert (visit.complaints, visit.foreign) == ([], [])


def test_unreadable_or_lost_photograph_is_reported(screen: Served, open_page: Open) -> None:
    screen.call("bam")
    phone = open_page(SMALL).come_in(screen, "/phone", screen.call("narrator"))
    gallery = phone.get_by_label("From the gallery")
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.method))
    gallery.set_input_files(file_of(b"\0\0\0\x18ftypheic" + b"\0" * 50, "IMG_1.HEIC", "image/heic"))
    expect(phone.get_by_text("This browser cannot open HEIC pictures")).to_be_visible()
    gallery.set_input_files(file_of(b"no picture"))
    expect(phone.get_by_text("The browser cannot open this picture")).to_be_visible()
    assert "POST" not in sent

    phone.goto(f"{screen.network}/cards")
    phone.route(PHOTO, lambda route: route.abort())
    content = file_of(jpeg(photograph(parse_table(CARDS))))
    gallery.set_input_files(content)
    expect(phone.get_by_text("The photograph did not arrive: send it again.")).to_be_visible()
    phone.unroute(PHOTO)
    gallery.set_input_files(content)
    expect(phone.get_by_text("All cards are known.")).to_be_visible()
    expect(phone.get_by_text("did not arrive")).to_be_hidden()


def test_no_question_is_asked_when_all_cards_are_known(screen: Served, open_page: Open) -> None:
    screen.call("bam")
    visit = open_page(LARGE)
    page = visit.come_in(screen, "/cards")
    page.get_by_label("From the gallery").set_input_files(file_of(jpeg(photograph(parse_table(CARDS)))))
    expect(page.get_by_text("All cards are known.")).to_be_visible()
    expect(page.locator(".seen-question")).to_have_count(0)
    assert screen.call("cards") == CARDS
    assert serious_faults(page) == []
    assert (visit.complaints, visit.foreign) == ([], [])


def test_photo_buttons_are_translated(screen: Served, open_page: Open) -> None:
    visit = open_page(SMALL)
    heard = set()
    for language in Language:
        visit.page.goto("about:blank")  # an open page would load itself again
        screen.call(f"begin {language}")
        screen.call("bam")
        buttons = visit.come_in(screen, "/cards").locator(".photo-button")
        expect(buttons.first).to_be_visible()
        heard.add(tuple(buttons.all_inner_texts()))
    assert len(heard) == len(Language)


def test_deck_is_enrolled_from_photographs(screen: Served, open_page: Open) -> None:
    visit = open_page(LARGE)
    page = visit.come_in(screen, "/enrol")
    expect(page.get_by_role("heading", name="0 of 94 faces")).to_be_visible()
    expect(page.get_by_role("heading", name="Which card is this?")).to_be_hidden()
    photo = jpeg(laid_out(parse_table("L.WU+2 TONGUE+3")))
    page.get_by_label("From the gallery").set_input_files([file_of(photo)])
    expect(page.get_by_role("heading", name="Which card is this?")).to_be_visible()
    expect(page.get_by_text("2 cards wait")).to_be_visible()
    assert serious_faults(page) == []

    # One press confirms a guess; the other card is chosen in the picker.
    for waiting in (2, 1):
        expect(page.get_by_text(f"{waiting} card")).to_be_visible()
        guess = page.get_by_role("button", name="It is: on your left: wide antler up, 2 ahead")
        if guess.count():
            guess.click()
        else:
            page.get_by_role("button", name="tongue", exact=False).first.click()
            page.get_by_role("dialog").get_by_role("button", name="3 ahead").click()
        expect(page.get_by_role("heading", name=f"{3 - waiting} of 94 faces")).to_be_visible()
    expect(page.get_by_role("heading", name="Which card is this?")).to_be_hidden()
    expect(page.get_by_text("Missing by the rulebook: 92")).to_be_visible()

    page.get_by_text("Forget a face").click()
    page.get_by_role("button", name="Forget: on your left: wide antler up, 2 ahead").click()
    expect(page.get_by_role("heading", name="1 of 94 faces")).to_be_visible()
    assert (visit.complaints, visit.foreign) == ([], [])
