"""The only upload, as the narrator's phone uses it and as somebody who means no good does."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.web.limits import Limits
from tests.unit.web.browsing import NAMES, Served, raw, reach
from tests.unit.web.in_process import InProcess
from tests.unit.web.photographs import MARKER, jpeg, laid_out, photograph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

    from tests.unit.web.browsing import Browser

PHOTO = "/cards/photo"
CARDS = "L.WU+2 B.CD+1 REVERSE R.?D+2 MOOSE+2 HUNTER"

OFTEN = {"requests": [100_000, 10_000], "photos": [1000, 100], "photos_at_once": 8}


@pytest.fixture(scope="module")
def photographed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A frozen round whose cards nobody has told."""
    screen = Served(tmp_path_factory.mktemp("photos"), photos=True, limits=OFTEN)
    screen.tell("bam")
    yield screen
    screen.stop()


@pytest.fixture(scope="module")
def image() -> bytes:
    return jpeg(photograph(parse_table(CARDS)))


def send(browser: Browser, content: bytes, **headers: str) -> httpx.Response:
    given = {"Origin": browser.base, "Content-Type": "image/jpeg"} | headers
    return browser.ask("POST", PHOTO, content=content, headers=given)


def plain(width: int, height: int, **how: object) -> bytes:
    """A grey JPEG."""
    stored = BytesIO()
    Image.new("L", (width, height), 128).save(stored, "JPEG", **how)
    return stored.getvalue()


def claimed(width: int, height: int) -> bytes:
    """A small JPEG whose header claims other dimensions."""
    content = bytearray(plain(400, 400))
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
    screen = InProcess(tmp_path, photos=True)
    try:
        phone = screen.phone(screen.tell("narrator"))
        early = send(phone, image)
        assert (early.status_code, early.text) == (409, "Photograph the cards once Bam has been said.")
        screen.tell("bam")
        answer = send(phone, image)
        assert (answer.status_code, answer.content) == (204, b"")
        assert screen.tell("cards") == CARDS
        assert ["TableLaid", f"{NAMES[0]}'s phone"] in screen.tell("entries")
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
    finally:
        screen.stop()


def test_an_unsure_pile_is_asked_and_what_people_told_is_not_overwritten(tmp_path: Path) -> None:
    screen = InProcess(tmp_path, photos=True)
    try:
        phone = screen.phone(screen.tell("narrator"))
        screen.tell("bam")
        assert send(phone, jpeg(photograph(parse_table(CARDS), {4: (MARKER,)}))).status_code == 204
        assert screen.tell("cards") == ""
        seen = screen.tell("photo")
        assert [pile[0] for pile in seen] == ["L.WU+2", "B.CD+1", "REVERSE", "None", "MOOSE+2", "HUNTER"]
        assert len(seen[3]) == 3
        assert [len(pile) for pile in seen].count(1) == 5
        screen.tell("lay L.WU-1")
        assert send(phone, jpeg(photograph(parse_table(CARDS)))).status_code == 204
        assert screen.tell("photo")[0] == ["L.WU-1", "L.WU-1", "L.WU+2"]
        assert screen.tell("cards") == "L.WU-1"
    finally:
        screen.stop()


WRONG = [
    ("nothing", b"", 413),
    ("PNG", b"\x89PNG\r\n\x1a\n" + b"\0" * 100, 415),
    ("a bomb", png_bomb(), 415),
    ("HEIC", b"\0\0\0\x18ftypheic" + b"\0" * 100, 415),
    ("GIF", b"GIF89a" + b"\0" * 100, 415),
    ("SVG", b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", 415),
    ("ZIP", b"PK\x03\x04" + b"\0" * 100, 415),
    ("a page", b"<script>1</script>", 415),
    ("too many pixels", plain(4000, 4000), 413),
    ("claims 65,500 × 65,500", claimed(65_500, 65_500), 413),
    ("too small", plain(100, 100), 422),
    ("a line", plain(4000, 321)[:200], 422),
    ("cut off", plain(1000, 1000)[:-300], 422),
    ("only the beginning of a JPEG", b"\xff\xd8\xff" + b"\0" * 1000, 422),
    ("noise after the beginning", b"\xff\xd8\xff\xe0" + np.random.default_rng(1).bytes(50_000), 422),
]


@pytest.mark.parametrize(("content", "status"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_what_is_no_photograph_is_refused(photographed: Served, content: bytes, status: int) -> None:
    answer = send(photographed.owner_once, content)
    assert answer.status_code == status
    assert photographed.tell("photo") is None
    assert photographed.tell("cards") == ""
    if status != 413 or content:
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.text.endswith(".")


@pytest.mark.parametrize(("content", "status"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_the_enrolment_refuses_the_same(photographed: Served, content: bytes, status: int) -> None:
    owner = photographed.owner_once
    headers = {"Origin": owner.base, "Content-Type": "image/jpeg"}
    assert owner.ask("POST", "/enrol/photo", content=content, headers=headers).status_code == status


def test_an_orientation_in_the_file_is_heeded_and_a_damaged_one_ignored(photographed: Served) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = plain(1000, 500, exif=exif.tobytes())
    damaged = plain(1000, 500, exif=b"Exif\0\0II*\0\xff\xff\xff\xff")
    for content in (turned, damaged):
        assert send(photographed.owner_once, content).status_code == 204
    assert photographed.tell("photo") == [["None"]] * 6
    assert photographed.tell("cards") == ""


@pytest.mark.parametrize("who", ["another player", "a guest", "a stranger"])
def test_only_the_narrator_and_the_table_send_photographs(photographed: Served, image: bytes, who: str) -> None:
    narrator = photographed.tell("narrator")
    browsers = {
        "another player": lambda: photographed.phone_of(next(name for name in NAMES if name != narrator)),
        "a guest": photographed.phone,
        "a stranger": photographed.stranger,
    }
    assert send(browsers[who](), image).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1"])
def test_a_page_of_somebody_else_sends_nothing(photographed: Served, image: bytes, origin: str) -> None:
    assert send(photographed.owner_once, image, Origin=origin).status_code == 403


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS"])
def test_no_other_way_leads_in(photographed: Served, method: str) -> None:
    assert photographed.owner_once.ask(method, PHOTO, content=b"x").status_code == 405
    assert photographed.owner_once.ask("POST", f"{PHOTO}/1.jpg", content=b"x").status_code == 405
    assert photographed.owner_once.ask("POST", "/cards", content=b"x").status_code == 405


def test_a_size_is_told_and_kept_to(photographed: Served) -> None:
    browser = photographed.owner_once
    most = Limits().photo_bytes
    origin = f"Origin: {browser.base}"
    for headers in (
        ("Transfer-Encoding: chunked",),
        (f"Content-Length: {most + 1}",),
        ("Content-Length: 9" + "9" * 30,),
        ("Content-Length: 0",),
        (),
    ):
        answer = raw(browser.address, browser.request(PHOTO, origin, *headers, method="POST"))
        assert answer.startswith(b"HTTP/1.1 4"), headers
        assert b"connection: close" in answer.lower()
    head = browser.request(PHOTO, origin, "Content-Length: 5", "Content-Length: 6", method="POST")
    assert raw(browser.address, head).startswith(b"HTTP/1.1 400")


def test_who_hangs_up_in_the_middle_takes_nobodys_place(photographed: Served, image: bytes) -> None:
    browser = photographed.owner_once
    head = browser.request(PHOTO, f"Origin: {browser.base}", "Content-Length: 100000", method="POST")
    for _ in range(12):
        with reach(browser.address) as connection:
            connection.sendall(head + image[:50_000])
    browser.get("/known")
    assert send(browser, plain(640, 480)).status_code == 204


def test_photographs_have_a_rate_and_a_time_of_their_own(tmp_path: Path) -> None:
    screen = Served(tmp_path, photos=True, limits={"photos": [4, 0.0001], "photo_s": 0.5})
    try:
        screen.tell("bam")
        browser = screen.owner()
        head = browser.request(PHOTO, f"Origin: {browser.base}", "Content-Length: 100000", method="POST")
        answer = raw(browser.address, head + b"\xff\xd8\xff")
        assert answer.startswith(b"HTTP/1.1 408")
        assert b"took too long" in answer
        statuses = [send(browser, plain(640, 480)).status_code for _ in range(5)]
        assert statuses == [204, 204, 204, 429, 429]
        phone = screen.phone(screen.tell("narrator"))
        assert send(phone, plain(640, 480)).status_code == 204, "everybody has a budget of their own"
        assert browser.get("/table").status_code == 200
    finally:
        screen.stop()


def test_nobody_sends_two_at_once(photographed: Served, image: bytes) -> None:
    browser = photographed.owner()
    head = browser.request(PHOTO, f"Origin: {browser.base}", f"Content-Length: {len(image)}", method="POST")
    with reach(browser.address) as connection:
        connection.sendall(head + image[:1000])
        browser.get("/known")
        assert send(browser, image).status_code == 429


def test_without_a_reader_photographs_are_refused_in_a_sentence(served: Served, image: bytes) -> None:
    answer = send(served.owner_once, image)
    assert answer.status_code == 409
    assert answer.text == "No deck is known here that cards could be read by: lay them by hand."


def test_a_deck_is_enrolled_at_the_table_alone(photographed: Served) -> None:
    path, content = "/enrol/photo", jpeg(laid_out(parse_table("L.WU+2")))
    headers = {"Origin": photographed.network, "Content-Type": "image/jpeg"}
    phone = photographed.phone_of(photographed.tell("narrator"))
    assert phone.ask("POST", path, content=content, headers=headers).status_code == 403
    assert phone.get("/enrol").status_code == 403
    owner = photographed.owner_once
    headers = {"Origin": owner.base, "Content-Type": "image/jpeg"}
    nothing = owner.ask("POST", path, content=plain(640, 480), headers=headers)
    assert (nothing.status_code, nothing.text[:18]) == (409, "No card was found:")
    assert owner.ask("POST", path, content=content, headers=headers).status_code == 204
    crop = owner.get("/enrol/crop/1.jpg")
    assert (crop.status_code, crop.headers["content-type"]) == (200, "image/jpeg")
    assert crop.headers["cache-control"] == "no-store"
    assert phone.get("/enrol/crop/1.jpg").status_code == 404
    assert owner.get("/enrol/crop/2.jpg").status_code == 404
