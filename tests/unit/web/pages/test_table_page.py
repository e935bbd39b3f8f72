"""Table page as rendered by the server: keys, accessible names, controls of phones, and changes of state."""

import re
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final
from unittest.mock import Mock

import pytest

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.poem import PoemLine
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, TableLaid
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.table_state import DealState, TablePhase, TableState
from bunnymoose_cv.web.auth.permissions import Role
from bunnymoose_cv.web.pages import phone_pages
from bunnymoose_cv.web.pages.html_page import HtmlPage, with_camera_banner
from bunnymoose_cv.web.pages.table_page import keys_of, page
from bunnymoose_cv.web.widgets.controls import FASTEST_S, bam_html
from bunnymoose_cv.web.widgets.standings import best_verdict
from tests.unit.web.hosts import NARRATOR, OTHER, guest_of, host_at, visitor_of
from tests.unit.web.states import CARDS, OVER, ROUND, rounds_without_bets, state_after

TEXTS = Texts()
FROZEN = (TableLaid(CARDS), Bam())

RECITES = DealState((PoemLine("Draw a card", "and lay it."),) * 6, 2, 2.0)
RESTS = replace(RECITES, line=None)

SCREEN_PAGE = Path(__file__).parents[4] / "docs" / "reference" / "screen.md"


def test_every_key_for_bam_is_listed() -> None:
    pressed = re.search(r'aria-keyshortcuts="([^"]+)"', str(bam_html(TEXTS, can_press=True, by_keys=True)))
    assert pressed is not None
    names = {"Space": "Space", "Enter": "Enter", "Page ↓": "PageDown", "Page ↑": "PageUp"}
    assert [names[key] for key in next(iter(keys_of(TEXTS, at_table=True)))] == pressed[1].split()


def test_keys_have_the_names_on_keyboards_of_the_language() -> None:
    assert {"Leertaste", "Bild ↓", "Bild ↑"} < set(next(iter(keys_of(Texts(Language.GERMAN), at_table=True))))


@pytest.mark.parametrize("key", sorted({"?", *chain(*keys_of(TEXTS, at_table=True))}))
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
    """Return the keys for which the page has a button."""
    tags = [tag for tag in re.findall(r"<[a-z]+[^>]*>", text) if not tag.endswith(" disabled>")]
    found = re.findall(r'aria-keyshortcuts="?([^">]*)[">]', "".join(tags))
    return {key for said in found for key in said.split()}


def listed_keys(*, at_table: bool) -> set[str]:
    return {*chain(*keys_of(TEXTS, at_table=at_table))}


def test_the_owner_finds_every_key_of_the_list_on_the_page(tmp_path: Path) -> None:
    keys = keys_on(document(tmp_path, state_after()))
    assert {"Space", "Enter", "PageDown", "b", "1", "2", "3", "c", "k", "t", "r", "p", "f", "?"} <= keys
    assert "u" in keys_on(document(tmp_path, state_after(BetPlaced(OTHER))))
    frozen = keys_on(document(tmp_path, state_after(*FROZEN)))
    assert "d" in frozen
    assert "Space" not in frozen  # no Bam while players are asked
    assert {"1", "Enter"} <= frozen  # keys answer the first question
    assert {"b", "c", "s", "d", "k", "t", "u", "r", "p", "f"} <= listed_keys(at_table=True)
    assert "<dt><kbd>?</kbd></dt><dd>These keys</dd>" in document(tmp_path, state_after())


def test_scrolling_keys_do_not_trigger_bam_between_rounds(tmp_path: Path) -> None:
    between, begun = (keys_on(document(tmp_path, state_after(*ROUND, *more))) for more in ((), (BetPlaced("Red"),)))
    assert {"Space", "Enter", "PageDown"} & between == set()
    assert {"Space", "Enter", "PageDown"} <= begun


@pytest.mark.parametrize(("player", "begins"), [(None, True), (NARRATOR, False)])
def test_after_a_game_one_press_leads_to_the_next(tmp_path: Path, player: str | None, *, begins: bool) -> None:
    controls = [shown(tmp_path, state_after(*events), player).parts["controls"] for events in (ROUND, OVER)]
    assert ['href="/setup"' in control for control in controls] == [False, begins]


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
        (state_after(CardLaid(CARDS[0]), phase=TablePhase.JUDGING), None, True, ""),
        (state_after(*OVER), None, True, ""),
    ],
)
def test_the_table_leads_to_where_cards_are_laid(
    tmp_path: Path, state: TableState, player: str | None, words: str, *, reads: bool
) -> None:
    host = host_at(tmp_path, state)
    host.card_reader = Mock() if reads else None
    parts = page(host, visitor_of(host, player)).parts
    assert re.findall(r'href="/cards"[^>]*><span>([^<]*)<', parts["controls"]) == ([words] if words else [])
    assert ('<a href="/cards"' in parts["pile-1"]) is bool(words)
    assert ('data-opens="type-cards"' in parts["controls"]) is bool(words), "no way to type what cannot be laid"


def test_a_phone_is_offered_only_what_it_may_do(tmp_path: Path) -> None:
    narrator, other = (keys_on(document(tmp_path, state_after(), player)) for player in (NARRATOR, OTHER))
    assert {"Space", "1", "c"} <= narrator
    assert not {"p", "k"} & narrator
    assert not {"Space", "1", "c", "p", "u"} & other
    for keys in (narrator, other, listed_keys(at_table=False)):
        assert not {"k", "t", "r", "p"} & keys, "these lead to what is not for phones"


def test_the_bet_is_not_marked_by_colour_alone(tmp_path: Path) -> None:
    text = document(tmp_path, state_after(BetPlaced("Green")))
    pressed = re.findall(r'aria-pressed="true"[^>]*>(.*?)</button>', text, re.DOTALL)
    assert [" ".join(re.sub(r"<[^>]*>", " ", button).split()) for button in pressed] == ["■ Green 2"]
    assert "<h1>Red bets on Green: lay the first card</h1>" in text


@pytest.mark.parametrize("state", [state_after(), state_after(*FROZEN), state_after(*ROUND)])
def test_all_parts_have_accessible_names_and_headings(tmp_path: Path, state: TableState) -> None:
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
        (state_after(TableLaid(CARDS), phase=TablePhase.JUDGING), {"freeze"}),
        (state_after(*FROZEN), {"check", "long", "after-bam"}),
        (state_after(*ROUND, deal=RECITES), {"deal"}),
        (state_after(*OVER), {"over", "after-bam", "moment"}),
        (state_after(CardLaid(CARDS[0]), Bam()), {"check", "long", "after-bam", "cards-missing"}),
        (state_after(*ROUND), {"bet", "long", "after-bam", "moment"}),
        (state_after(*ROUND, BetPlaced("Red")), {"bet", "long"}),
    ],
)
def test_verdicts_stay_until_the_next_round_begins(tmp_path: Path, state: TableState, classes: set[str]) -> None:
    parts = shown(tmp_path, state).parts
    found = re.match(r'<div class="waiting ([^"]*)">', parts["headline"])
    assert found is not None
    assert {*found[1].split()} == classes
    assert bool(parts["tile-1"]) is bool(parts["cards"]) is ("after-bam" in classes)


def test_the_frame_of_the_page_is_constant_for_all_visitors(tmp_path: Path) -> None:
    states = (state_after(), state_after(*FROZEN), state_after(*ROUND), state_after(phase=TablePhase.JUDGING))
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
    assert ('href="/check"' in shown_page.parts["controls"]) is checks
    assert (("h",) in shown_page.keys) is checks


def test_the_live_video_is_frozen_while_movement_is_watched(tmp_path: Path) -> None:
    watched, not_watched = (
        shown(tmp_path, state_after(*FROZEN, phase=phase)).parts["watched"]
        for phase in (TablePhase.WATCHING, TablePhase.ASKING)
    )
    assert "frozen" in watched
    assert not not_watched


def test_announcements_are_shown_beside_the_headline_in_order(tmp_path: Path) -> None:
    headline = "Red narrates: bet on somebody or lay the first card"
    parts = shown(tmp_path, state_after(said=("Blue: moose ahead 3", headline, "<b>"))).parts
    assert re.findall(r'data-key="(\d)">([^<]*)<', parts["said"]) == [("1", "Blue: moose ahead 3"), ("2", "&lt;b&gt;")]


def test_announcements_of_a_round_remain_until_the_next_begins(tmp_path: Path) -> None:
    stale = ("Blue: moose ahead 9", "Red narrates: bet on somebody or lay the first card")
    lines, after = (
        re.findall(r"<p[^>]*>([^<]*)<", shown(tmp_path, state_after(*ROUND, *more, said=stale)).parts["said"])
        for more in ((), (BetPlaced("Red"),))
    )
    assert lines == [
        "Blue, Green and Yellow: moose back 2",
        "Red: moose back 2",
        "Catching up — Red, Blue, Green and Yellow: rabbit ahead 1",
        "Catching up — Red, Blue, Green and Yellow: moose ahead 1",
    ]
    assert after == [*stale]


@pytest.mark.parametrize(
    ("state", "first"),
    [
        (state_after(deal=RESTS), ["Deal", "Lay cards", "Type cards"]),
        (state_after(CardLaid(CARDS[0]), deal=RECITES), ["Let the dealer rest", "Lay cards", "Undo"]),
        (state_after(CardLaid(CARDS[0])), ["Lay cards", "Undo", "Type cards"]),
        (state_after(CardLaid(CARDS[0]), phase=TablePhase.PAUSED), ["Go on", "Lay cards", "Undo"]),
        (state_after(CardLaid(CARDS[0]), Bam()), ["Lay cards", "Type cards", "That was no Bam"]),
        (state_after(*FROZEN), ["That was no Bam", "Type poses", "Pause"]),
        (state_after(*ROUND, deal=RESTS), ["Deal", "Lay cards", "Contest"]),
        (state_after(*OVER), ["New game", "Films", "Contest"]),
    ],
)
def test_three_actions_are_in_sight_and_the_others_behind_one_button(
    tmp_path: Path, state: TableState, first: list[str]
) -> None:
    sight, _, behind = shown(tmp_path, state).parts["controls"].partition("<details")
    assert re.findall(r"<(?:button|a) [^>]*><span>([^<]*)<", sight) == first
    assert "<summary" in behind
    assert "How to play" in behind
    assert "Check the table" in behind


def idle_keys(folder: Path, state: TableState, player: str | None = None) -> dict[str, str]:
    """Return the reason that the page gives for each key."""
    found = re.findall(r'data-idle="([^"]*)">([^<]*)<', shown(folder, state, player).parts["idle-keys"])
    return {key: reason for keys, reason in reversed(found) for key in keys.split()}


LOST: Final = state_after(CardLaid(CARDS[0]), camera=CameraState.LOST, deal=RESTS)


@pytest.mark.parametrize(
    ("state", "keys", "reason"),
    [
        (state_after(*FROZEN), "Space b 1 c s +", "Not yet. First: Blue, Green and Yellow, please check"),
        (state_after(CardLaid(CARDS[0]), Bam()), "Space 1 s", "Not yet. First: Bam! Say which cards are on the piles"),
        (state_after(TableLaid(CARDS), phase=TablePhase.JUDGING), "Space s", "Not yet. First: Bam! Nobody moves"),
        (state_after(TableLaid(CARDS), phase=TablePhase.JUDGING), "d u", "Not yet. First: Bam! Nobody moves"),
        (state_after(TableLaid(CARDS), Bam()), "u", "Only Bam is left to undo: press “That was no Bam”."),
        (state_after(*ROUND), "Space Enter PageDown", "Bam counts once there is a bet or a card."),
        (LOST, "Space Enter", "The camera is gone. The game waits."),
        (LOST, "s", "The dealer rests until the camera is back."),
        (state_after(phase=TablePhase.PAUSED), "Space PageUp", "Bam does not count during the break: go on first."),
        (state_after(CardLaid(CARDS[0])), "b 1 5", "Cards are on the table: the bet stays as it is."),
        (state_after(), "4 5", "3 players can be bet on."),
        (state_after(), "s + -", "People deal in this game."),
        (state_after(deal=RESTS), "+ -", "The dealer rests: deal first."),
        (state_after(deal=RECITES), "+ -", "The poem cannot go any faster or slower."),
        (state_after(*OVER), "Space b s p", "The game is over: begin a new one."),
        (state_after(), "d", "There is no Bam to undo."),
        (state_after(), "u", "There is nothing to undo."),
        (state_after(), "h", "There is no camera to check."),
    ],
)
def test_idle_keys_have_a_reason(tmp_path: Path, state: TableState, keys: str, reason: str) -> None:
    reasons = idle_keys(tmp_path, state)
    assert {key: reasons[key] for key in keys.split()} == dict.fromkeys(keys.split(), reason)
    assert len(reason.split()) < 14


@pytest.mark.parametrize("state", [state_after(), state_after(*FROZEN), state_after(*ROUND), state_after(*OVER)])
def test_every_key_of_the_table_works_or_has_a_reason(tmp_path: Path, state: TableState) -> None:
    codes = {"Page ↓": "PageDown", "Page ↑": "PageUp", "1 … 5": "1", "1 … 4": "1"}
    answered = keys_on(document(tmp_path, state)) | idle_keys(tmp_path, state).keys()
    assert {codes.get(key, key) for key in listed_keys(at_table=True)} <= answered
    assert idle_keys(tmp_path, state, OTHER)["Space"] == "This phone cannot do that right now."


def test_the_tempo_can_be_changed_while_the_dealer_recites(tmp_path: Path) -> None:
    reciting, resting = (shown(tmp_path, state_after(deal=deal)).parts["tempo"] for deal in (RECITES, RESTS))
    assert re.findall(r'value="([\d.]+)" aria-keyshortcuts="(.)"', reciting) == [("2.5", "-"), ("1.5", "+")]
    assert "2 s a line" in reciting
    assert not resting
    assert not shown(tmp_path, state_after(deal=RECITES), OTHER).parts["tempo"], "a phone that may not deal"
    fastest = shown(tmp_path, state_after(deal=replace(RECITES, tempo_s=FASTEST_S))).parts["tempo"]
    assert re.search(r'aria-keyshortcuts="\+"[^>]* disabled', fastest)


def test_the_problem_of_the_table_is_shown(tmp_path: Path) -> None:
    assert "The camera is gone." in shown(tmp_path, state_after(problem="The camera is gone.")).parts["problem"]


def test_every_page_shows_a_banner_while_the_camera_is_lost(tmp_path: Path) -> None:
    sentence = "The camera is gone. The game waits."
    host = host_at(tmp_path, state_after(camera=CameraState.LOST))
    visitor = visitor_of(host)
    assert sentence in page(host, visitor).parts["headline"]
    assert with_camera_banner(page(host, visitor), host).parts["camera-banner"] == "", "the headline says it"
    assert with_camera_banner(phone_pages.join_page(host, visitor), host).parts["camera-banner"] == sentence
    back = host_at(tmp_path, state_after())
    assert with_camera_banner(phone_pages.join_page(back, visitor_of(back)), back).parts["camera-banner"] == ""


@pytest.mark.parametrize(("player", "way"), [(None, True), (OTHER, False)])
def test_without_a_game_it_says_so(tmp_path: Path, player: str | None, *, way: bool) -> None:
    part = shown(tmp_path, None, player).parts["no-game"]
    assert "No game is running" in part
    assert ('href="/setup"' in part) is way


def test_a_finished_game_shows_a_podium_with_shared_places_and_films(tmp_path: Path) -> None:
    parts = shown(tmp_path, state_after(*OVER)).parts
    game = state_after(*OVER).game
    steps = re.findall(r'<li class="step place-(\d)">(.*?)</li>', parts["podium"], re.DOTALL)
    for place, step in steps:
        winners = re.findall(r'<bdi class="name">([^<]*)</bdi>', step)
        assert winners == [standing.player for standing in game.ranking if standing.place == int(place)]
        assert step.count("<svg") == 2 * len(winners), "moose and rabbit of each"
    assert [int(place) for place, _ in steps] == sorted(
        {standing.place for standing in game.ranking if standing.place <= 3}
    )
    assert 'action="/command/make-evening-film"' in parts["podium"]
    assert "button main large" in parts["podium"]
    assert '<a class="button" href="/setup"' in parts["controls"]
    assert best_verdict(game) is None, "nobody scored anything ahead"
    assert "Best pose" not in parts["podium"]


def test_the_best_pose_is_the_highest_paid(tmp_path: Path) -> None:
    state = state_after(*rounds_without_bets(Pose.parse("TS TF")))
    best = max(verdict.score.total or 0 for played in state.game.rounds for verdict in played.verdicts)
    found, podium = best_verdict(state.game), shown(tmp_path, state).parts["podium"]
    assert found is not None
    assert found[1].score.total == best > 0
    assert "Best pose" in podium
    assert f"rabbit ahead {best}" in podium.lower()


def test_before_the_end_there_is_no_podium_and_phones_have_no_code_on_it(tmp_path: Path) -> None:
    assert shown(tmp_path, state_after(*ROUND)).parts["podium"] == ""
    host = host_at(tmp_path, state_after(*OVER))
    host.addresses = ("http://127.0.0.1:1", "http://192.168.0.2:1")
    assert "Code that a phone joins with" in page(host, visitor_of(host)).parts["podium"]
    phones = page(host, visitor_of(host, OTHER)).parts["podium"]
    assert "Code that a phone joins with" not in phones
    assert '<a class="button main large" href="/films">' in phones


def test_without_a_camera_the_end_offers_a_new_game_and_no_films(tmp_path: Path) -> None:
    parts = shown(tmp_path, state_after(*OVER, camera=CameraState.NONE)).parts
    assert "Films of the evening" not in parts["podium"]
    assert '<a class="button main" href="/setup"' in parts["controls"]
