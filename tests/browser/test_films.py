"""The end of a game in a real browser: podium, films at the table, and films that phones save and share."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Page, expect

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
from bunnymoose_cv.record.evidence_writing import RoundEvidence
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.readings import FrameReading
from tests.browser.conftest import LARGE, SMALL, Open, box_of
from tests.browser.faults import serious_faults
from tests.browser.test_languages import sticking_out
from tests.doubles import CannedFootage
from tests.unit.web.browsing import NAMES, Served, waits_for
from tests.unit.web.states import CARDS

OFFERS_THE_SHARE_SHEET = """
navigator.canShare = ({files}) => files[0].type === "video/mp4";
navigator.share = async ({files}) => {
    window.shared = {name: files[0].name, size: files[0].size};
};
"""
"""Script that adds a share sheet as phones have it on secure pages; Chromium on Linux has none."""

IMAGE_IS_THERE = """async (image) => {
    const picture = new Image();
    picture.src = image.href.baseVal;
    await picture.decode();
    return picture.naturalWidth;
}"""


def keep_game(folder: Path, party: FrameReading) -> None:
    """Store a game with a film of its first round, whose last round lacks the poses."""
    rules = rules_for(DEFAULT_EDITION, advanced=True, variants=())
    with GameStore(folder / "games").begin(GameStarted(NAMES, rules), source="a test", who="people") as game:
        for number in range(1, rules.rounds(len(NAMES))):
            poses = PosesJudged(dict.fromkeys(game.game.seats, Pose.parse("TS TF" if number == 1 else "WU WU")))
            played = game.append([TableLaid(CARDS), Bam(), poses], "said at the table", "people").rounds[-1]
            if number == 1:
                keeper = EvidenceKeeper(game.folder, pytest.fail)
                seats, verdicts = played.facts.seats, played.verdicts
                evidence = RoundEvidence(1, 20.0, seats, (party, party), party, verdicts, moved={2: 20.9})
                keeper.store_readings(evidence)
                keeper.complete(evidence, CannedFootage(party.image, 17.0, 20.0, 24.0))
                keeper.finish()
        game.append([TableLaid(CARDS), Bam()], "said at the table", "people")


@pytest.fixture(scope="module")
def nearly_over(party: FrameReading, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game whose last round lacks the poses."""
    folder = tmp_path_factory.mktemp("nearly")
    keep_game(folder, party)
    return folder


def end_the_game(served: Served) -> None:
    """Enter all poses of the last round."""
    narrator = served.call("narrator")
    for player in NAMES:
        if player != narrator:
            served.call(f"show {player}")


@pytest.fixture
def over(nearly_over: Path, tmp_path: Path) -> Iterator[Served]:
    copytree(nearly_over, tmp_path / "screen")
    with Served(tmp_path / "screen", resume=True) as served:
        end_the_game(served)
        yield served


def in_sight(page: Page, name: str) -> bool:
    box = box_of(page.get_by_role("button", name=name))
    return box["y"] + box["height"] <= LARGE[1]


def test_phones_can_save_and_share_films_after_the_game(over: Served, open_page: Open) -> None:
    table, blue, green = open_page(LARGE), open_page(SMALL), open_page(SMALL)
    page = table.come_in(over, "/table")
    expect(page.get_by_role("list", name="Podium")).to_be_visible()
    assert page.locator(".best .seen image").first.evaluate(IMAGE_IS_THERE) > 100
    expect(page.get_by_role("img", name="Code that a phone joins with")).to_be_visible()
    assert in_sight(page, "Films of the evening")
    assert serious_faults(page) == []
    page.get_by_role("button", name="Films of the evening").click()
    page.wait_for_url("**/history")
    highlights = page.get_by_label("Highlights of the evening", exact=True).and_(page.locator("video"))
    expect(highlights).to_be_visible()

    # On plain HTTP a film is saved, and a sentence says how to share it.
    phone = blue.come_in(over, "/films", "Blue")
    phone.get_by_role("button", name="Make my films").tap()
    own = phone.get_by_label("Film of Blue in round 1", exact=True).and_(phone.locator("video"))
    expect(own).to_be_visible()
    expect(phone.get_by_text("then send it on from your phone’s gallery")).to_be_visible()
    expect(phone.get_by_role("button", name="Send: Film of Blue in round 1")).to_have_count(0)
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Save: Film of Blue in round 1").tap()
    assert download.value.suggested_filename == "Film of Blue in round 1.mp4"
    assert download.value.path().stat().st_size <= 1_000_000
    assert serious_faults(phone) == []

    # Films of other players appear and disappear with their players' consent while the page is open.
    others = phone.get_by_label("Film of Green in round 1", exact=True).and_(phone.locator("video"))
    greens = green.come_in(over, "/films", "Green")
    greens.get_by_role("button", name="Make my films").tap()
    expect(greens.locator("[data-part=own] video")).to_be_visible()
    expect(others).to_have_count(0)
    greens.get_by_role("button", name="Show them to the other players, too").tap()
    expect(others).to_be_visible()
    greens.get_by_role("button", name="No longer show them to the others").tap()
    expect(others).to_have_count(0)

    # If the browser has a share sheet, the film is shared through it.
    phone.add_init_script(OFFERS_THE_SHARE_SHEET)
    phone.reload()
    expect(phone.get_by_text("then send it on from your phone’s gallery")).to_be_hidden()
    phone.get_by_role("button", name="Send: Film of Blue in round 1").tap()
    shared = phone.evaluate(waits_for("window.shared", then="window.shared"))
    assert (shared["name"], shared["size"]) == ("Film of Blue in round 1.mp4", download.value.path().stat().st_size)
    for visit in (table, blue, green):
        assert (visit.complaints, visit.foreign) == ([], [])


def test_podium_and_films_fit_in_every_language(nearly_over: Path, tmp_path: Path, open_page: Open) -> None:
    visit, faults = open_page(LARGE), list[str]()
    for language in Language:
        folder = Path(copytree(nearly_over, tmp_path / language.value))
        with Served(folder, resume=True, language=language.value) as served:
            end_the_game(served)
            for path, player in (("/table", None), ("/films", "Blue"), ("/join", None)):
                visit.come_in(served, path, player)
                faults += [f"{language}, {path}: {element}" for element in sticking_out(visit)]
            visit.page.goto("about:blank")
    assert faults == []
