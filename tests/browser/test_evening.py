"""A whole evening of two rounds in a real browser, from the program's start to the downloads, killed in the middle."""

import csv
import json
import zipfile
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Final

import av
from playwright.sync_api import Page, expect

from tests.browser.conftest import LARGE, Open
from tests.browser.evening import PATIENCE_MS, WORDS, Evening, Party
from tests.browser.faults import serious_faults
from tests.browser.program import EVENING, Program
from tests.quick import QUICK_FREEZE
from tests.unit.web.browsing import IS_UP, waits_for

PARTY: Final = Party("Red", "Blue", "Green", "<b>Ann</b>")

LAPTOP: Final = (1280, 720)

ALWAYS_ASKS: Final = f"{QUICK_FREEZE}[tongue]\nclear_in = 0\nclear_out = 1\n[questions]\nanswer_s = 0\n"
"""Profile that asks about the tongue of every player."""

POLLS_MS: Final = 300

SAYS: Final = """() => {
    const page = document.querySelector('.house.page');
    const from = page ?? document.head ?? document;  // a page that is being loaded may have neither
    const left = "ancestor::*[contains(@class, 'live-video') or @data-part='said']";
    const words = document.evaluate(`.//text()[not(${left})]`, from);
    const said = [];
    for (let each = words.iterateNext(); each; each = words.iterateNext()) said.push(each.data);
    return said.join('\\n');
}"""
"""Script for the text of a page without the live video and without the log of spoken questions."""

RESTS: Final = f"{IS_UP} && ({SAYS})() && window.saidBefore === (window.saidBefore = ({SAYS})())"
"""Script for whether the page is connected and its text has not changed since the last call."""

PLAYS: Final = """async (film) => {
    film.muted = true;
    await film.play();
    film.pause();
    return film.readyState;
}"""


def test_whole_evening_is_played_and_survives_a_kill(tmp_path: Path, open_page: Open) -> None:
    seen: dict[str, list[str]] = {}

    def look(name: str, page: Page) -> None:
        seen[name] = serious_faults(page)
        if name == "asked":
            check_questions_are_in_sight(page)

    words = ("play", "--ask-everything", "--script", str(EVENING), "--games", str(tmp_path / "games"), *WORDS)
    with Program(tmp_path, words, ALWAYS_ASKS, canned=True) as program:
        evening = Evening(program, open_page, PARTY, look)
        film = evening.play(lambda: kill_and_go_on(program, evening, tmp_path), checks=False)

        assert film.evaluate(PLAYS) >= 2
        base = evening.table.url.partition("/history")[0]
        check_film(evening.table.request.get(f"{base}{film.get_attribute('src')}").body())
        check_downloads(evening)
        expect(evening.table.get_by_text(PARTY.fourth).first).to_be_visible()
        assert evening.table.locator("b").count() == 0
        for name, dialog in dialogs(evening.table, base):
            look(name, dialog)
        assert {name: faults for name, faults in seen.items() if faults} == {}
        for visit in evening.visits:
            assert (visit.complaints, visit.foreign) == ([], [])


def check_questions_are_in_sight(page: Page) -> None:
    """Check that a question, its image and its answers fit on a television and on a laptop."""
    for width, height in (LAPTOP, LARGE):
        page.set_viewport_size({"width": width, "height": height})
        for each in (".asks .seen", ".asks .say", ".asks .choice"):
            expect(page.locator(each).first).to_be_in_viewport(ratio=1)


def dialogs(table: Page, base: str) -> Iterator[tuple[str, Page]]:
    """Yield the table with each of its dialogs open, with the dialog's name."""
    table.get_by_role("button", name="Delete…").click()
    yield "delete", table
    table.goto(f"{base}/table")
    expect(table.locator(".controls")).to_be_visible()
    said(table)  # a part that is rebuilt when the page connects would close an open dialog
    for name, key in (("keys", "?"), ("type cards", "c"), ("type a pose", "k")):
        table.keyboard.press(key)
        expect(table.get_by_role("dialog")).to_be_visible()
        yield name, table
        table.keyboard.press("Escape")
        expect(table.get_by_role("dialog")).to_have_count(0)


def kill_and_go_on(program: Program, evening: Evening, games: Path) -> None:
    """Kill and resume the program during questions; every open page reconnects and shows the same as before."""
    assert evening.asked == 3
    wait_until_kept(evening.table, games)
    pages = (evening.table, evening.narrators, evening.players)
    before = [said(page) for page in pages]
    began = [page.evaluate("performance.timeOrigin") for page in pages]
    program.kill()
    program.go_on()
    for page, then_s, words in zip(pages, began, before, strict=True):
        assert said(page) == words
        assert page.evaluate("performance.timeOrigin") == then_s, "a stream comes back alone"
    evening.wait_for_the_live_video()
    for visit in evening.visits:
        visit.complaints.clear()  # browsers rightly complained while the server was away


def wait_until_kept(page: Page, games: Path) -> None:
    """Wait until the evidence of the round is on the disk."""
    for _ in range(PATIENCE_MS // POLLS_MS):
        if any(games.rglob("replay.json")):
            return
        page.wait_for_timeout(POLLS_MS)
    raise AssertionError


def said(page: Page) -> str:
    """Return the text of a connected page once it is stable, without the live video's."""
    page.evaluate(waits_for(RESTS))
    return str(page.evaluate(SAYS))


def check_film(content: bytes) -> None:
    """Check that all frames of a film can be decoded, and that it has sound."""
    with av.open(BytesIO(content), "r") as film:
        frames = [frame for frame in film.decode(video=0) if isinstance(frame, av.VideoFrame)]
        assert len(frames) > 30
        assert {(frame.width, frame.height) for frame in frames} == {(1280, 720)}
    with av.open(BytesIO(content), "r") as film:
        assert sum(frame.samples for frame in film.decode(audio=0) if isinstance(frame, av.AudioFrame)) > 0


def check_downloads(evening: Evening) -> None:
    """Download everything, the rounds as a table, the rounds for programs."""
    with zipfile.ZipFile(BytesIO(evening.take_along("Everything, with films"))) as archive:
        assert archive.testzip() is None
        assert sum(name.endswith("replay.mp4") for name in archive.namelist()) == 2
    rows = list(csv.DictReader(StringIO(evening.take_along("Rounds as a table").decode("utf-8-sig"))))
    assert len(rows) == 2 * len(PARTY)
    assert PARTY.fourth in json.dumps(json.loads(evening.take_along("Rounds for programs")))
