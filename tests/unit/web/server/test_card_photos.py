"""The only upload: photographs of the cards at Bam and of an enrolled deck, and files of other kinds."""

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bunnymoose_cv.rules.cards import parse_table
from tests.unit.web.browsing import NAMES, Browser, Served, reach, seen_on
from tests.unit.web.in_process import InProcess
from tests.unit.web.photographs import MARKER, jpeg, laid_out, photograph, plain_jpeg

PHOTO = "/cards/photo"
CARDS = "L.WU+2 B.CD+1 REVERSE R.?D+2 MOOSE+2 HUNTER"

OFTEN = {"requests": [100_000, 10_000], "photos": [1000, 100], "photos_at_once": 8}


@pytest.fixture(scope="module")
def photographed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a frozen round whose cards are unknown."""
    with Served(tmp_path_factory.mktemp("photos"), photos=True, limits=OFTEN) as screen:
        screen.call("bam")
        yield screen


@pytest.fixture(scope="module")
def image() -> bytes:
    return jpeg(photograph(parse_table(CARDS)))


def claimed(width: int, height: int) -> bytes:
    """Return a small JPEG whose header claims other dimensions."""
    content = bytearray(plain_jpeg(400, 400))
    at = content.index(b"\xff\xc0") + 5
    content[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(content)


def png_bomb() -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1_000_000))
        + chunk(b"IEND", b"")
    )


def test_a_photograph_lays_the_cards_and_is_shown_back(tmp_path: Path, image: bytes) -> None:
    with InProcess(tmp_path, photos=True) as screen:
        phone = screen.phone(screen.call("narrator"))
        early = phone.send_photo(image)
        assert (early.status_code, early.text) == (409, "Photograph the cards once Bam has been said.")
        screen.call("bam")
        answer = phone.send_photo(image)
        assert (answer.status_code, answer.content) == (204, b"")
        assert screen.call("cards") == CARDS
        assert ["TableLaid", f"{NAMES[0]}'s phone"] in screen.call("entries")
        shown = phone.get(f"{PHOTO}/1.jpg")
        assert shown.headers["content-type"] == "image/jpeg"
        assert shown.headers["cache-control"] == "no-store"
        with Image.open(BytesIO(shown.content)) as opened:
            assert opened.size == (1280, 720)
        assert phone.get(f"{PHOTO}/2.jpg").status_code == 404
        assert screen.stranger().get(f"{PHOTO}/1.jpg").status_code == 403
        kept = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert kept
        assert not [path for path in kept if path.suffix in {".jpg", ".jpeg"} or b"\xff\xd8\xff" in path.read_bytes()]


def test_an_unclear_pile_is_asked_about_and_the_answer_is_not_overwritten(tmp_path: Path) -> None:
    with InProcess(tmp_path, photos=True) as screen:
        phone = screen.phone(screen.call("narrator"))
        screen.call("bam")
        assert phone.send_photo(jpeg(photograph(parse_table(CARDS), {4: (MARKER,)}))).status_code == 204
        assert screen.call("cards") == ""
        seen = screen.call("photo")
        assert [pile[0] for pile in seen] == ["L.WU+2", "B.CD+1", "REVERSE", "None", "MOOSE+2", "HUNTER"]
        assert len(seen[3]) == 3
        assert [len(pile) for pile in seen].count(1) == 5
        screen.call("lay L.WU-1")
        assert phone.send_photo(jpeg(photograph(parse_table(CARDS)))).status_code == 204
        assert screen.call("photo")[0] == ["L.WU-1", "L.WU-1", "L.WU+2"]
        assert screen.call("cards") == "L.WU-1"


WRONG = {
    "nothing": (lambda: b"", 413),
    "PNG": (lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 100, 415),
    "a bomb": (png_bomb, 415),
    "HEIC": (lambda: b"\0\0\0\x18ftypheic" + b"\0" * 100, 415),
    "GIF": (lambda: b"GIF89a" + b"\0" * 100, 415),
    "SVG": (lambda: b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", 415),
    "ZIP": (lambda: b"PK\x03\x04" + b"\0" * 100, 415),
    "a page": (lambda: b"<script>1</script>", 415),
    "too many pixels": (lambda: plain_jpeg(4000, 4000), 413),
    "claims 65,500 × 65,500": (lambda: claimed(65_500, 65_500), 413),
    "too small": (lambda: plain_jpeg(100, 100), 422),
    "a line": (lambda: plain_jpeg(4000, 321)[:200], 422),
    "cut off": (lambda: plain_jpeg(1000, 1000)[:-300], 422),
    "only the beginning of a JPEG": (lambda: b"\xff\xd8\xff" + b"\0" * 1000, 422),
    "noise after the beginning": (lambda: b"\xff\xd8\xff\xe0" + np.random.default_rng(1).bytes(50_000), 422),
}
"""Uploads that are not photographs, each with the status of its refusal."""


@pytest.mark.parametrize(("build", "status"), WRONG.values(), ids=WRONG)
def test_files_other_than_photographs_are_refused(
    photographed: Served, build: Callable[[], bytes], status: int
) -> None:
    owner, content = photographed.owner_once, build()
    answer = owner.send_photo(content)
    assert answer.status_code == owner.send_photo(content, "/enrol/photo").status_code == status
    assert photographed.call("photo") is None
    assert photographed.call("cards") == ""
    if content:
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.text.endswith(".")


def test_a_valid_orientation_tag_is_applied_and_a_damaged_one_ignored(photographed: Served) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = plain_jpeg(1000, 500, exif=exif.tobytes())
    damaged = plain_jpeg(1000, 500, exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
    for content in (turned, damaged):
        assert photographed.owner_once.send_photo(content).status_code == 204
    assert photographed.call("photo") == [["None"]] * 6
    assert photographed.call("cards") == ""


def test_only_the_narrator_and_the_table_send_photographs(photographed: Served, image: bytes) -> None:
    player = next(name for name in NAMES if name != photographed.call("narrator"))
    for browser in (photographed.phone_of(player), photographed.phone(), photographed.stranger()):
        assert browser.send_photo(image).status_code == 403


def test_an_aborted_upload_frees_its_place(photographed: Served, image: bytes) -> None:
    browser = photographed.owner_once
    head = browser.request(PHOTO, f"Origin: {browser.base}", "Content-Length: 100000", method="POST")
    for _ in range(12):
        with reach(browser.address) as connection:
            connection.sendall(head + image[:50_000])
    browser.get("/known")
    assert browser.send_photo(plain_jpeg(640, 480)).status_code == 204


def test_a_visitor_sends_one_photograph_at_a_time(photographed: Served, image: bytes) -> None:
    browser = photographed.owner()
    head = browser.request(PHOTO, f"Origin: {browser.base}", f"Content-Length: {len(image)}", method="POST")
    with reach(browser.address) as connection:
        connection.sendall(head + image[:1000])
        browser.get("/known")
        assert browser.send_photo(image).status_code == 429


def test_without_a_reader_photographs_are_refused_with_a_sentence(served: Served, image: bytes) -> None:
    answer = served.owner_once.send_photo(image)
    assert answer.status_code == 409
    assert answer.text == "No deck has been enrolled here, so cards cannot be read: lay them by hand."


def test_a_deck_is_enrolled_at_the_table_alone(photographed: Served) -> None:
    path, content = "/enrol/photo", jpeg(laid_out(parse_table("L.WU+2")))
    phone = photographed.phone_of(photographed.call("narrator"))
    assert phone.send_photo(content, path).status_code == 403
    assert phone.get("/enrol").status_code == 403
    owner = photographed.owner_once
    nothing = owner.send_photo(plain_jpeg(640, 480), path)
    assert (nothing.status_code, nothing.text[:18]) == (409, "No card was found:")
    assert owner.send_photo(content, path).status_code == 204
    crop = owner.get("/enrol/crop/1.jpg")
    assert (crop.status_code, crop.headers["content-type"]) == (200, "image/jpeg")
    assert crop.headers["cache-control"] == "no-store"
    assert phone.get("/enrol/crop/1.jpg").status_code == 404
    assert owner.get("/enrol/crop/2.jpg").status_code == 404


KNOWN = "L.WU+2"
"""A card of the printed deck, from which guesses are made, and one that is not in it."""
UNKNOWN = "TONGUE+3"


def photograph_cards(owner: Browser, cards: str) -> None:
    assert owner.send_photo(jpeg(laid_out(parse_table(cards))), "/enrol/photo").status_code == 204


def number_asked(page: str) -> str:
    """Return the number of the card that the page asks about."""
    found = re.search(r"/enrol/crop/(\d+)\.jpg", page)
    assert found, "a card waits"
    return found[1]


def test_no_question_is_open_before_a_photograph(in_process: InProcess) -> None:
    page = in_process.owner().html("/enrol")
    assert "0 of 94 faces" in page
    assert 'data-photo="/enrol/photo"' in page
    for absent in ("Which card is this?", "Forget a face", "/command/name-card", "<details"):
        assert absent not in page, absent


def test_a_card_is_guessed_named_announced_and_forgotten(served: Served) -> None:
    owner = served.owner()
    with owner.events("/enrol", seen_on(owner.html("/enrol"))) as events:
        assert next(events).parts == {}, "the browser has everything"
        photograph_cards(owner, KNOWN)
        news = next(events).parts
        assert set(news) == {"question", "motifs", "choices"}, "what has not changed is not sent"
        assert "1 card waits" in news["question"]
        assert f'name="card" value="{KNOWN}"' in news["question"]
        number = number_asked(news["question"])
        assert owner.send("name-card", number=number, card=KNOWN).status_code == 204
        news = next(events).parts
        assert "1 of 94" in news["progress"]
        assert "Missing by the rulebook: 93" in news["progress"]
        assert news["question"] == news["motifs"] == news["choices"] == ""
        assert f'value="{KNOWN}"' in news["faces"]
        assert owner.send("name-card", number=number, card=KNOWN).status_code == 409
        assert owner.send("forget-card", card=KNOWN).status_code == 204
        news = next(events).parts
        assert "0 of 94" in news["progress"]
        assert news["faces"] == ""


def test_an_upside_down_card_is_turned_and_another_one_rejected(in_process: InProcess) -> None:
    owner = in_process.owner()
    photograph_cards(owner, UNKNOWN)
    first = number_asked(owner.html("/enrol"))
    assert owner.send("turn-card", number=first).status_code == 204
    turned = number_asked(owner.html("/enrol"))
    assert turned != first, "no page shows the old picture"
    assert owner.send("turn-card", number=first).status_code == 409
    assert owner.send("reject-card", number=turned).status_code == 204
    assert "Which card is this?" not in owner.html("/enrol")
    answer = owner.send("reject-card", number=turned)
    assert (answer.status_code, answer.text) == (409, "That card already has a name.")
