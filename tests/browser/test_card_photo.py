"""Bam, a photograph chosen on the narrator's phone, cards drawn over it, an unsure one tapped, scores said."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, expect

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.cards import parse_table
from tests.browser.conftest import LARGE, SMALL
from tests.browser.faults import serious_faults
from tests.unit.web.browsing import NAMES, Served
from tests.unit.web.photographs import LEFT_VALUE, MARKER, jpeg, photograph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from tests.browser.conftest import Visit

CARDS = "B.CD+1 REVERSE L.WU+2 R.?D+2 MOOSE+2 HUNTER"
TWIN = "L.WU-1"
KNOWN = f"{CARDS} {TWIN} B.CU+1 MOOSE+1 TONGUE+3"
"""Faces that the reader knows: fewer than a deck has, as it takes its time over each."""

PHOTO = "**/cards/photo"
expect.set_options(timeout=60_000)


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A screen with the real reader of printed cards."""
    screen = Served(tmp_path_factory.mktemp("photo"), photos=KNOWN)
    yield screen
    screen.stop()


@pytest.fixture(scope="module")
def open_screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A screen that reads markers alone."""
    screen = Served(tmp_path_factory.mktemp("quick"), photos=True)
    yield screen
    screen.stop()


@pytest.fixture
def quick(open_screen: Served) -> Served:
    """The same in a new game, after Bam."""
    open_screen.tell("speak en")
    open_screen.tell("bam")
    return open_screen


def come_in(visit: Visit, served: Served, path: str, player: str | None = None) -> Page:
    base, guest = (served.here, served.owner()) if player is None else (served.network, served.phone_of(player))
    visit.page.context.add_cookies([{"name": n, "value": v, "url": base} for n, v in guest.cookies.items()])
    visit.page.goto(f"{base}{path}")
    return visit.page


def file_of(content: bytes, name: str = "cards.jpg", kind: str = "image/jpeg") -> FilePayload:
    return {"name": name, "mimeType": kind, "buffer": content}


def large(content: bytes) -> bytes:
    """The same as a phone's camera makes it: 12 megapixels, lying on its side by its EXIF orientation."""
    exif = Image.Exif()
    exif[0x0112] = 6
    stored = BytesIO()
    with Image.open(BytesIO(content)) as image:
        image.resize((4000, 2250)).rotate(90, expand=True).save(stored, "JPEG", quality=90, exif=exif.tobytes())
    return stored.getvalue()


def test_the_cards_are_photographed_at_bam(served: Served, open_page: Callable[..., Visit]) -> None:
    narrator = served.tell("narrator")
    phone_visit, screen_visit = open_page(SMALL), open_page(LARGE)
    phone, screen = come_in(phone_visit, served, "/phone", narrator), come_in(screen_visit, served, "/table")
    camera, gallery = phone.get_by_label("Photograph the cards"), phone.get_by_label("From the gallery")
    expect(phone.get_by_role("button", name="Bam!")).to_be_visible()
    expect(camera).to_be_hidden()

    phone.get_by_role("button", name="Bam!").tap()
    expect(camera).to_be_visible()
    expect(camera).to_have_attribute("capture", "environment")
    assert gallery.get_attribute("capture") is None
    button = phone.locator(".photo-button").first.bounding_box()
    assert button is not None
    assert button["height"] >= 44

    # The page is thrown away while the camera is open, as phones do: it comes back to the same round.
    phone.reload()
    spoilt = large(jpeg(photograph(parse_table(CARDS), {3: (MARKER, LEFT_VALUE)})))
    camera.set_input_files(file_of(spoilt))
    image = phone.get_by_role("img", name="The photograph of the cards")
    expect(image).to_be_visible()
    assert served.tell("size") == [2048, 1152], "scaled in the browser, and upright"

    # Each card is drawn over it, one is asked with its two likeliest.
    expect(phone.locator(".seen-cards .over svg svg")).to_have_count(5)
    expect(phone.get_by_role("heading", name="Which card lies on pile 3?")).to_be_visible()
    expect(phone.get_by_text("There is a reflection on place 3")).to_be_visible()
    expect(phone.locator(".seen-question .face-button")).to_have_count(2)
    assert served.tell("cards") == ""
    assert serious_faults(phone) == []
    phone.reload()
    expect(phone.get_by_role("heading", name="Which card lies on pile 3?")).to_be_visible()

    # Poses are judged meanwhile; what they score waits for the card.
    players = [name for name in NAMES if name != narrator]
    served.tell(f"show {players[0]}")
    expect(screen.get_by_text(f"{players[0]}: moose back 1")).to_have_count(0)
    assert not any("oose" in line for line in served.tell("said"))

    # One tap settles it.
    phone.locator(".seen-question .face-button").last.tap()
    expect(phone.get_by_text("All cards are known.")).to_be_visible()
    expect(phone.locator(".seen-cards .over svg svg")).to_have_count(6)
    assert served.tell("cards") == CARDS.replace("L.WU+2", TWIN)
    assert ["TableLaid", f"{narrator}'s phone"] in served.tell("entries")

    expect(screen.get_by_text(f"{players[0]}: moose back 1")).to_be_visible()
    assert any("oose back 1" in line and players[0] in line for line in served.tell("said"))

    # A wrong tap is put right in the list of all cards.
    phone.get_by_text("Put a card right").tap()
    phone.get_by_role("combobox", name="Pile 3").select_option("L.WU+2")
    expect(screen.get_by_text("Moose back 4", exact=True)).to_be_visible()
    expect(screen.get_by_text(f"{players[0]}: moose back 4")).to_be_visible()
    assert served.tell("cards") == CARDS
    for visit in (phone_visit, screen_visit):
        assert (visit.complaints, visit.foreign) == ([], [])


def test_what_the_browser_cannot_open_is_said_and_not_sent(quick: Served, open_page: Callable[..., Visit]) -> None:
    phone = come_in(open_page(SMALL), quick, "/phone", quick.tell("narrator"))
    gallery = phone.get_by_label("From the gallery")
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.method))
    gallery.set_input_files(file_of(b"\0\0\0\x18ftypheic" + b"\0" * 50, "IMG_1.HEIC", "image/heic"))
    expect(phone.get_by_text("This browser cannot open HEIC pictures")).to_be_visible()
    gallery.set_input_files(file_of(b"no picture"))
    expect(phone.get_by_text("This is no picture that the browser can open")).to_be_visible()
    assert "POST" not in sent


def test_at_the_table_nothing_is_asked_where_all_are_sure(quick: Served, open_page: Callable[..., Visit]) -> None:
    visit = open_page(LARGE)
    page = come_in(visit, quick, "/cards")
    page.get_by_label("From the gallery").set_input_files(file_of(jpeg(photograph(parse_table(CARDS)))))
    expect(page.get_by_text("All cards are known.")).to_be_visible()
    expect(page.locator(".seen-question")).to_have_count(0)
    assert quick.tell("cards") == CARDS
    assert serious_faults(page) == []
    assert (visit.complaints, visit.foreign) == ([], [])


def test_a_photograph_that_does_not_arrive_is_told(quick: Served, open_page: Callable[..., Visit]) -> None:
    visit = open_page(SMALL)
    phone = come_in(visit, quick, "/cards", quick.tell("narrator"))
    phone.route(PHOTO, lambda route: route.abort())
    picker = phone.get_by_label("From the gallery")
    content = file_of(jpeg(photograph(parse_table(CARDS))))
    picker.set_input_files(content)
    expect(phone.get_by_text("The photograph did not arrive: send it once more.")).to_be_visible()
    phone.unroute(PHOTO)
    picker.set_input_files(content)
    expect(phone.get_by_text("All cards are known.")).to_be_visible()
    expect(phone.get_by_text("did not arrive")).to_be_hidden()


def test_the_buttons_speak_every_language(quick: Served, open_page: Callable[..., Visit]) -> None:
    visit = open_page(SMALL)
    heard = set()
    for language in Language:
        visit.page.goto("about:blank")  # an open page loads itself anew
        quick.tell(f"speak {language.value}")
        quick.tell("bam")
        page = come_in(visit, quick, "/cards")
        buttons = page.locator(".photo-button")
        expect(buttons.first).to_be_visible()
        heard.add(tuple(buttons.all_inner_texts()))
    assert len(heard) == len(Language)
