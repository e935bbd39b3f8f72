"""Table page as the server builds it: keys, names, what a phone is offered, and what changes on it when."""

import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, TableLaid
from bunnymoose_cv.session.table_state import TableState
from bunnymoose_cv.web.auth.access import Role
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.pages.table_page import keys_of, page
from bunnymoose_cv.web.widgets.controls import bam_html
from tests.unit.web.hosts import NARRATOR, OTHER, guest_of, host_at, visitor_of
from tests.unit.web.states import CARDS, OVER, ROUND, state_after

TEXTS = Texts()
FROZEN = (TableLaid(CARDS), Bam())

SCREEN_PAGE = Path(__file__).parents[4] / "docs" / "reference" / "screen.md"


def test_every_way_to_say_bam_by_keys_is_told() -> None:
    pressed = re.search(r'aria-keyshortcuts="([^"]+)"', str(bam_html(TEXTS, can_press=True, by_keys=True)))
    assert pressed is not None
    told = {"Space": "Space", "Enter": "Enter", "Page ↓": "PageDown", "Page ↑": "PageUp"}
    assert [told[key] for key in keys_of(TEXTS, at_table=True)[0].keys] == pressed[1].split()


def test_keys_are_called_as_on_the_keyboard_of_the_language() -> None:
    assert {"Leertaste", "Bild ↓", "Bild ↑"} < set(keys_of(Texts(Language.GERMAN), at_table=True)[0].keys)


@pytest.mark.parametrize("key", sorted({key for each in keys_of(TEXTS, at_table=True) for key in each.keys}))
def test_the_documentation_names_every_key(key: str) -> None:
    table = SCREEN_PAGE.read_text("utf-8").partition("| key | does |")[2].partition("\n\n")[0].replace("`", "")
    assert re.search(rf"(?<!\w){re.escape(key)}(?!\w)", table)


def shown(folder: Path, state: TableState | None, player: str | None = None) -> HtmlPage:
    host = host_at(folder, state)
    return page(host, visitor_of(host, player))


def document(folder: Path, state: TableState | None, player: str | None = None) -> str:
    host = host_at(folder, state)
    visitor = visitor_of(host, player)
    return page(host, visitor).document(visitor, TEXTS, "/events/table")


def keys_on(text: str) -> set[str]:
    """Keys that something on the page listens to."""
    tags = [tag for tag in re.findall(r"<[a-z]+[^>]*>", text) if not tag.endswith(" disabled>")]
    found = re.findall(r'aria-keyshortcuts="?([^">]*)[">]', "".join(tags))
    return {key for said in found for key in said.split()}


def listed_keys(*, at_table: bool) -> set[str]:
    return {key for each in keys_of(TEXTS, at_table=at_table) for key in each.keys}


def test_the_owner_finds_every_key_of_the_list_on_the_page(tmp_path: Path) -> None:
    keys = keys_on(document(tmp_path, state_after()))
    assert {"Space", "Enter", "PageDown", "b", "1", "2", "3", "c", "k", "t", "r", "p", "f", "?"} <= keys
    assert "u" in keys_on(document(tmp_path, state_after(BetPlaced(OTHER))))
    frozen = keys_on(document(tmp_path, state_after(*FROZEN)))
    assert "d" in frozen
    assert not {"Space", "1"} & frozen  # no Bam and no bet while people are asked
    assert {"b", "c", "s", "d", "k", "t", "u", "r", "p", "f", "?"} <= listed_keys(at_table=True)


def test_keys_that_scroll_say_no_bam_until_a_round_has_begun(tmp_path: Path) -> None:
    between, begun = (keys_on(document(tmp_path, state_after(*ROUND, *more))) for more in ((), (BetPlaced("Red"),)))
    assert {"Space", "Enter", "PageDown"} & between == set()
    assert {"Space", "Enter", "PageDown"} <= begun


@pytest.mark.parametrize(("player", "begins"), [(None, True), (NARRATOR, False)])
def test_after_a_game_the_next_one_is_a_press_away(tmp_path: Path, player: str | None, *, begins: bool) -> None:
    openers = [shown(tmp_path, state_after(*events), player).parts["openers"] for events in (ROUND, OVER)]
    assert ['href="/setup"' in each for each in openers] == [False, begins]


MISSING = (CardLaid(CARDS[0]), Bam())


@pytest.mark.parametrize(
    ("state", "player", "reads", "words"),
    [
        (state_after(), None, False, "Lay cards"),
        (state_after(*MISSING), None, False, "Lay cards"),
        (state_after(*MISSING), None, True, "Lay or photograph the cards"),
        (state_after(CardLaid(CARDS[0])), NARRATOR, True, "Lay cards"),
        (state_after(*ROUND), NARRATOR, True, ""),
        (state_after(CardLaid(CARDS[0])), OTHER, True, ""),
        (state_after(*FROZEN), None, True, ""),
        (state_after(CardLaid(CARDS[0]), judging=True), None, True, ""),
        (state_after(*OVER), None, True, ""),
    ],
)
def test_the_table_leads_to_where_cards_are_laid(
    tmp_path: Path, state: TableState, player: str | None, words: str, *, reads: bool
) -> None:
    host = host_at(tmp_path, state)
    host.card_reader = Mock() if reads else None
    parts = page(host, visitor_of(host, player)).parts
    assert re.findall(r'href="/cards"[^>]*>([^<]*)<', parts["openers"]) == ([words] if words else [])
    assert ('<a href="/cards"' in parts["pile-1"]) is bool(words)
    assert ('data-opens="type-cards"' in parts["openers"]) is bool(words), "no way to type what cannot be laid"


def test_a_phone_is_offered_only_what_it_may_do(tmp_path: Path) -> None:
    narrator, other = (keys_on(document(tmp_path, state_after(), player)) for player in (NARRATOR, OTHER))
    assert {"Space", "1", "c"} <= narrator
    assert not {"p", "k"} & narrator
    assert not {"Space", "1", "c", "p", "u"} & other
    for keys in (narrator, other, listed_keys(at_table=False)):
        assert not {"k", "t", "r", "p"} & keys, "these lead to what is not for phones"


def test_the_bet_is_seen_by_more_than_its_colour(tmp_path: Path) -> None:
    text = document(tmp_path, state_after(BetPlaced("Green")))
    pressed = re.findall(r'aria-pressed="true"[^>]*>(.*?)</button>', text, re.DOTALL)
    assert [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in pressed] == ["■ Green 2"]
    assert "<h1>Red bets on Green: lay the first card</h1>" in text


@pytest.mark.parametrize("state", [state_after(), state_after(*FROZEN), state_after(*ROUND)])
def test_everything_has_a_name_and_its_place_in_the_outline(tmp_path: Path, state: TableState) -> None:
    text = document(tmp_path, state)
    for tag, content in re.findall(r"<(?:button|a)\b([^>]*)>(.*?)</(?:button|a)>", text, re.DOTALL):
        assert 'aria-label="' in tag or re.sub(r"<[^>]*>", "", content).strip(), (tag, content)
    assert text.count("<h1") == 1
    for role in ("status", "alert", "log"):
        assert f'role="{role}"' in text
    assert all(' alt="' in tag or " aria-hidden" in tag for tag in re.findall(r"<img[^>]*>", text))
    assert set(re.findall(r'tabindex="([^"]*)"', text)) <= {"-1"}  # the order of the focus is that of the page


@pytest.mark.parametrize(
    ("state", "classes"),
    [
        (state_after(), {"bet", "long"}),
        (state_after(TableLaid(CARDS), judging=True), {"freeze"}),
        (state_after(*FROZEN), {"check", "long", "after-bam", "asking"}),
        (state_after(CardLaid(CARDS[0]), Bam()), {"check", "long", "after-bam", "asking", "cards-missing"}),
        (state_after(*ROUND), {"bet", "long", "after-bam"}),
        (state_after(*ROUND, BetPlaced("Red")), {"bet", "long"}),
    ],
)
def test_verdicts_stay_until_the_next_round_begins(tmp_path: Path, state: TableState, classes: set[str]) -> None:
    parts = shown(tmp_path, state).parts
    found = re.match(r'<div class="waiting ([^"]*)">', parts["headline"])
    assert found is not None
    assert {*found[1].split()} == classes
    assert bool(parts["tile-1"]) is bool(parts["cards"]) is ("after-bam" in classes)


def test_the_frame_stays_from_bam_to_bam_for_everybody(tmp_path: Path) -> None:
    states = (state_after(), state_after(*FROZEN), state_after(*ROUND), state_after(judging=True))
    for player in (None, NARRATOR, OTHER):
        seen = [shown(tmp_path, state, player).parts for state in states]
        assert len({tuple(parts) for parts in seen}) == 1
        assert len({parts["sheets"] for parts in seen}) == 1, "what somebody types there stays"
        assert len({parts["live-video"] for parts in seen}) == 1, "the picture goes on"


def test_only_the_table_types_poses_and_guests_type_nothing(tmp_path: Path) -> None:
    dialogs = [
        re.findall(r'<dialog id="([\w-]+)"', shown(tmp_path, state_after(), who).parts["sheets"])
        for who in (None, OTHER)
    ]
    assert dialogs == [["type-cards", "type-pose"], ["type-cards"]]
    host = host_at(tmp_path, state_after())
    guest = guest_of(host)
    assert guest.role is Role.GUEST
    assert not page(host, guest).parts["sheets"]


@pytest.mark.parametrize(
    ("state", "has", "lacks"),
    [
        (state_after(), '<img src="/live.mjpeg" alt="The players, as in a mirror">', "owl"),
        (state_after(camera=CameraState.NONE), "Played without a camera", "/live.mjpeg"),
    ],
)
def test_the_live_video_shows_what_camera_there_is(tmp_path: Path, state: TableState, has: str, lacks: str) -> None:
    live_video = shown(tmp_path, state).parts["live-video"]
    assert has in live_video
    assert lacks not in live_video


@pytest.mark.parametrize("camera", CameraState)
def test_only_a_camera_is_checked(tmp_path: Path, camera: CameraState) -> None:
    shown_page = shown(tmp_path, state_after(camera=camera))
    checks = camera is not CameraState.NONE
    assert ('href="/check"' in shown_page.parts["openers"]) is checks
    assert (("h",) in [each.keys for each in shown_page.keys]) is checks


def test_the_live_video_stands_still_while_it_is_looked_who_moves(tmp_path: Path) -> None:
    watched, not_watched = (
        shown(tmp_path, state_after(*FROZEN, watching=watching)).parts["watched"] for watching in (True, False)
    )
    assert "frozen" in watched
    assert not not_watched


def test_announcements_are_told_beside_the_headline_and_each_has_its_place(tmp_path: Path) -> None:
    headline = "Red narrates: bet on somebody or lay the first card"
    parts = shown(tmp_path, state_after(said=("Blue: moose ahead 3", headline, "<b>"))).parts
    assert re.findall(r'data-key="(\d)">([^<]*)<', parts["said"]) == [("1", "Blue: moose ahead 3"), ("2", "&lt;b&gt;")]


def test_the_problem_of_the_table_is_shown(tmp_path: Path) -> None:
    assert "The camera is gone." in shown(tmp_path, state_after(problem="The camera is gone.")).parts["problem"]


@pytest.mark.parametrize(("player", "way"), [(None, True), (OTHER, False)])
def test_without_a_game_it_says_so(tmp_path: Path, player: str | None, *, way: bool) -> None:
    part = shown(tmp_path, None, player).parts["no-game"]
    assert "No game runs" in part
    assert ('href="/setup"' in part) is way
