"""The history in a real browser: films play with sound, and can be made, downloaded and deleted."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import expect

from bunnymoose_cv.record.game_folders import is_played
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.web.urls import download_address, game_number
from tests.browser.conftest import LARGE, SMALL, Open
from tests.unit.web.browsing import Served

Games = tuple[Served, GameStore]

PLAYS = """async (film) => {
    film.muted = true;
    await film.play();
    await new Promise((seen) => film.requestVideoFrameCallback(seen));
    while (!film.webkitAudioDecodedByteCount) await new Promise((later) => setTimeout(later, 50));
    film.pause();
    return [film.videoWidth, film.duration, film.webkitAudioDecodedByteCount];
}"""


CAPTIONS = """async (film) => {
    const track = film.textTracks[0];
    track.mode = "showing";
    while (!track.cues?.length) await new Promise((later) => setTimeout(later, 50));
    return [...track.cues].map((cue) => cue.text).join("\\n");
}"""


@pytest.fixture(scope="module")
def games(played_games: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Games]:
    """A screen with a current evening and a past one."""
    folder = tmp_path_factory.mktemp("history")
    copytree(played_games, folder / "games")
    with Served(folder) as served:
        yield served, GameStore(folder / "games")


def test_history_shows_the_current_evening_and_lists_older_ones(games: Games, open_page: Open) -> None:
    visit = open_page(LARGE)
    visit.come_in(games[0], "/history")
    expect(visit.page.get_by_text("No round is over yet")).to_be_visible()
    visit.page.get_by_role("link", name="Birthday").click()
    expect(visit.page.get_by_role("heading", name="Birthday")).to_be_visible()
    expect(visit.page.get_by_role("article")).to_have_count(2)
    for size in (LARGE, SMALL):
        visit.resize(size)
        assert visit.fits()
    visit.page.get_by_text("The same as a table").click()
    expect(visit.page.get_by_role("rowheader")).to_have_count(3)
    assert (visit.complaints, visit.foreign) == ([], [])


def test_films_can_be_played_made_downloaded_and_deleted(games: Games, open_page: Open) -> None:
    served, store = games
    birthday, visit = store.find("Birthday"), open_page(LARGE)
    page = visit.come_in(served, f"/history/{game_number(birthday.folder)}")

    film = page.get_by_label("Film of round 1", exact=True)
    width, length_s, sound_bytes = film.evaluate(PLAYS)
    assert width == 1280
    assert length_s > 5
    assert sound_bytes > 0
    assert "Blue: rabbit" in film.evaluate(CAPTIONS)
    expect(page.get_by_text("There is no film of this round")).to_be_visible()  # of the second

    page.get_by_role("button", name="Make the film").click()
    expect(page.get_by_label("Highlights of the evening", exact=True).and_(page.locator("video"))).to_be_visible()
    film.evaluate("async (film) => { window.watched = film; film.loop = true; await film.play(); }")
    page.get_by_text("Close-ups", exact=True).click()
    page.get_by_role("button", name="Make: Film of Green in round 1").click()
    seat_film = page.get_by_label("Film of Green in round 1", exact=True).and_(page.locator("video"))
    expect(seat_film).to_be_visible()
    assert film.evaluate("(film) => film === window.watched && !film.paused"), "what is watched goes on"
    assert seat_film.evaluate("async (film) => { film.muted = true; await film.play(); return film.videoWidth; }") > 0

    round_folder(birthday.folder, 1).replay.write_bytes(b"coffee")
    page.reload()
    film.evaluate("(film) => film.play().catch(() => {})")
    expect(page.get_by_role("alert")).to_contain_text("This film cannot be played")
    visit.complaints.clear()  # the browser rightly complains about the film

    answer = page.request.get(f"{served.here}{download_address(birthday.folder, 'zip')}")
    with zipfile.ZipFile(BytesIO(answer.body())) as archive:
        assert archive.testzip() is None
        assert {"replay.mp4", "rounds.csv", "events.jsonl", "highlights.mp4", "seat_2.mp4"} <= {
            name.rpartition("/")[2] for name in archive.namelist()
        }

    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Keep it").click()
    assert birthday.folder.is_dir()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Delete for good").click()
    page.wait_for_url(f"{served.here}/history")
    expect(page.get_by_role("link", name="Birthday")).to_have_count(0)
    assert not birthday.folder.exists()
    assert (visit.complaints, visit.foreign) == ([], [])


def test_deleting_the_current_evening_ends_its_game(games: Games, open_page: Open) -> None:
    served, store = games
    playing = store.find("last")
    assert is_played(playing.folder)
    page = open_page(LARGE).come_in(served, "/history")
    page.get_by_role("button", name="Delete…").click()
    expect(page.get_by_text("the game ends, too")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "POST"):  # comes when the folder is gone
        page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("No evening is kept yet")).to_be_visible()
    assert not playing.folder.exists()
