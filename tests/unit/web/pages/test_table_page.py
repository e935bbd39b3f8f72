"""The table page: what it says and offers in each phase, where figures stand, what is drawn over the mirror."""

from __future__ import annotations

import asyncio
import re
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nicegui import Client
from nicegui.page import page as nicegui_page

from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.poem import PoemLine
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_store import Games
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.game import Phase, fold
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.trail import Figure, Trail
from bunnymoose_cv.session.services import Spoken, open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.table_state import CameraState, DealState, LatestReading, TableState
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.vision.video.seats import seated
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.live.live_image import STANDS_STILL
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages.table_page import keys_of, show
from bunnymoose_cv.web.server.host import Host
from bunnymoose_cv.web.widgets.live_mirror import OverlaySync
from bunnymoose_cv.web.widgets.live_overlay import head_transform, missing, overlay
from bunnymoose_cv.web.widgets.piles import piles_of
from bunnymoose_cv.web.widgets.table_status import Mood, between_rounds, verdicts_stand, waiting_for
from bunnymoose_cv.web.widgets.trail_board import height_of, place_style, spaces_of, spots_of, walks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nicegui.element import Element

    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading

PLAYERS = ("Red", "Blue", "Green", "Yellow")
CARDS = parse_table("L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2")
TEXTS = Texts()
BEGUN = GameStarted(PLAYERS, rules_for())
MOOSE = Pose.parse("WU WU")
ROUND = (BetPlaced("Blue"), TableLaid(CARDS), Bam(), PosesJudged(dict.fromkeys(PLAYERS[1:], MOOSE)))


def state_after(*events: Event, **other: Any) -> TableState:
    """The state of a table with a camera."""
    game = fold((BEGUN, *events))
    asked = tuple(each for each in game.seats if each not in game.poses) if game.phase is Phase.FROZEN else ()
    state = TableState(
        version=1,
        game=game,
        entries=(),
        folder=Path(),
        camera=CameraState.WATCHING,
        problem="",
        paused=False,
        judging=False,
        asked=asked,
        judged=None,
        deal=None,
        said=(),
        changes=None,
    )
    return replace(state, **other)


POEM = DealState((PoemLine("Draw a card", "and lay it."),) * 6, 2, 2.0)
OVER = tuple(
    event
    for number in range(8)
    for event in (
        TableLaid(CARDS),
        Bam(),
        PosesJudged(dict.fromkeys((name for name in PLAYERS if name != PLAYERS[-number % 4]), MOOSE)),
    )
)


@pytest.mark.parametrize(
    ("state", "mood", "headline", "verdicts"),
    [
        (state_after(), Mood.BET, "Red narrates: bet on somebody or lay the first card", False),
        (state_after(BetPlaced("Blue")), Mood.BET, "Red bets on Blue: lay the first card", False),
        (state_after(CardLaid(CARDS[0])), Mood.DEAL, "Red deals: lay the next card", False),
        (state_after(TableLaid(CARDS)), Mood.DEAL, "Red deals: go on, or say Bam", False),
        (state_after(TableLaid(CARDS), deal=POEM), Mood.DEAL, "The referee deals: get ready", False),
        (state_after(TableLaid(CARDS), judging=True), Mood.FREEZE, "Bam! Nobody moves", False),
        (state_after(*ROUND[:2], paused=True), Mood.PAUSE, "The table takes a break", False),
        (state_after(*ROUND[:3], PosesJudged({"Blue": MOOSE})), Mood.CHECK, "Green and Yellow, please check", True),
        (state_after(*ROUND[:3], camera=CameraState.NONE), Mood.CHECK, "Bam! Say what everybody shows", True),
        (state_after(CardLaid(CARDS[0]), Bam()), Mood.CHECK, "Bam! Say which cards lie on the piles", True),
        (state_after(*ROUND), Mood.BET, "Yellow narrates: bet on somebody or lay the first card", True),
        (state_after(*ROUND, BetPlaced("Red")), Mood.BET, "Yellow bets on Red: lay the first card", False),
        (state_after(*OVER), Mood.OVER, "Blue wins!", True),
    ],
)
def test_everybody_reads_what_the_table_waits_for(
    state: TableState,
    mood: Mood,
    headline: str,
    verdicts: bool,  # noqa: FBT001 - a column of the table
) -> None:
    waiting = waiting_for(state, TEXTS)
    assert (waiting.mood, waiting.headline, verdicts_stand(state)) == (mood, headline, verdicts)
    assert between_rounds(state.game) is (verdicts and mood is Mood.BET)
    assert bool(waiting.verse) is (state.deal is not None)
    assert waiting.hint or waiting.verse


def test_the_next_pile_is_marked_and_a_card_on_the_same_one_is_seen_to_be_laid() -> None:
    piles = piles_of(state_after(*map(CardLaid, CARDS[:2])).game)
    assert [pile.card for pile in piles] == [*CARDS[:2], None, None, None, None]
    assert [pile.number for pile in piles if pile.is_next] == [3]
    round_again = piles_of(state_after(TableLaid(CARDS), CardLaid(CARDS[0])).game)
    assert round_again[0].card == CARDS[0]
    assert round_again[0].laid > piles[0].laid
    assert [pile.number for pile in round_again if pile.is_next] == [2]
    assert not any(pile.is_next for pile in piles_of(state_after(*ROUND[:3]).game))


# The trail.

FIGURES = tuple(Figure(player, animal) for player in "ABCDEF" for animal in (Animal.MOOSE, Animal.RABBIT))


@given(st.lists(st.tuples(st.sampled_from(FIGURES), st.integers(-6, 9)), max_size=30))
def test_every_figure_stands_on_a_space_that_lies_there_and_covers_no_other(moves: list[tuple[Figure, int]]) -> None:
    trail = Trail.start(18, "ABCDEF")
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
    spaces, spots = spaces_of(trail), spots_of(trail)
    assert len(spaces) == 18
    assert {figure: spot.space for figure, spot in spots.items()} == dict(trail.places)
    assert all(spot.space in spaces and spot.column < spot.columns for spot in spots.values())
    assert len(set(spots.values())) == len(FIGURES)
    assert 1 < height_of(spots.values()) < 2


@pytest.mark.parametrize(
    ("steps", "spaces"),
    [(0, range(1, 19)), (13, range(1, 19)), (14, range(2, 20)), (-5, range(18)), (-8, range(-3, 15))],
)
def test_the_trail_slides_at_either_end_only_when_it_must(steps: int, spaces: range) -> None:
    assert spaces_of(Trail.start(18, ("Red",)).moved(Figure("Red", Animal.MOOSE), steps)) == spaces


def test_on_a_phone_the_trail_winds() -> None:
    styles = [place_style(place, range(3, 21)) for place in (3, 11, 12, 20)]
    assert styles == [
        "--across:0;--turn:0;--up:0",
        "--across:8;--turn:8;--up:0",
        "--across:9;--turn:8;--up:1",
        "--across:17;--turn:0;--up:1",
    ]


def test_figures_walk_in_the_order_of_the_moves() -> None:
    game = state_after(*ROUND).game
    walks = walks_of(game)
    assert list(walks) == list(dict.fromkeys(move.figure for move in game.rounds[0].moves))
    assert list(walks.values()) == list(range(len(walks)))


# What is drawn over the mirror.

SEATS = ("<b>Ann</b>", "Ben & Bo")


def test_line_art_stands_on_the_side_of_the_head_that_it_was_read_on(party: FrameReading) -> None:
    drawing = ET.fromstring(overlay(party, SEATS, styles_of(SEATS)))  # noqa: S314 - our own
    height, width = party.picture.shape[:2]
    assert drawing.get("viewBox") == f"0 0 {width} {height}"
    heads = [group for group in drawing if group.get("class") == "art"]
    assert len(heads) == len(party.players)
    for head, player in zip(heads, party.players, strict=True):
        assert head.get("transform") == head_transform(player.player.head)
        used = {use.get("href"): use.get("transform") for use in head if use.tag == "use"}
        assert used[f"#over-{player.pose.left}"] is None or player.pose.left == player.pose.right
        assert used[f"#over-{player.pose.right}"] == "scale(-1 1)"


def test_nothing_is_drawn_over_somebody_who_has_stirred_since(party: FrameReading) -> None:
    first, second = party.players
    stirred = replace(party, players=(replace(first, moved=True), second))
    drawing = ET.fromstring(overlay(stirred, SEATS, styles_of(SEATS)))  # noqa: S314 - our own
    heads = [group.get("transform") for group in drawing if group.get("class") == "art"]
    assert heads == [head_transform(second.player.head)]
    written = [str(group[-1].text) for group in drawing if group.get("class") == "written"]
    assert any(text.endswith(SEATS[0]) for text in written)  # the name stays, without a doubt


def test_what_is_drawn_over_people_keeps_step_with_their_picture(party: FrameReading) -> None:
    looks = [LatestReading(number, party) for number in (1, 2, 3)]
    in_step, asked = OverlaySync(), (0, 1, 1, 2, *[2] * STANDS_STILL)
    assert [in_step.shown(looks[index]).number for index in asked] == [1, 1, 1, 2, *[2] * (STANDS_STILL - 1), 3]


def test_art_lies_where_the_head_is(party: FrameReading) -> None:
    for player in party.players:
        head = player.player.head
        x, y, turn, scale = map(float, re.findall(r"-?[\d.]+", head_transform(head)))
        # A place in the art's own units, brought into the picture as the browser does.
        turned = np.radians(turn)
        across, down = 46 * scale * np.cos(turned), 46 * scale * np.sin(turned)
        beside_the_left_temple = head.at(1.45, 0.0)
        assert (x + across, y + down) == pytest.approx(beside_the_left_temple, abs=0.2 * head.eye_distance)
        assert beside_the_left_temple[0] > head.centre[0]  # the player's left is at the right of the unmirrored picture


def test_names_are_text_and_readable_in_the_mirror(party: FrameReading) -> None:
    drawing = ET.fromstring(overlay(party, SEATS, styles_of(SEATS)))  # noqa: S314 - our own
    written = [group for group in drawing if group.get("class") == "written"]
    named = [group for group in written if group[-1].text != "?"]
    assert [name in str(group[-1].text) for group, name in zip(named, SEATS, strict=True)] == [True, True]
    assert all(str(group.get("transform")).endswith("scale(-1 1)") for group in written)
    for group, player in zip(named, party.players, strict=True):
        x, y = map(float, re.findall(r"-?[\d.]+", str(group.get("transform")))[:2])
        assert abs(x - player.player.head.centre[0]) < player.player.head.eye_distance
        assert y < player.player.head.box.y
        assert str(group[-1].text).endswith("?") is bool(player.unclear)


def test_a_long_name_stays_in_the_picture_and_off_the_next_players(party: FrameReading) -> None:
    seats = ("Bo", "Maximiliane-Ottoline")
    width = round(party.players[1].face.x + party.players[1].face.width)
    drawing = overlay(replace(party, picture=party.picture[:, :width]), seats, styles_of(seats))
    found = re.search(r'translate\((\d+) \d+\) scale\(-1 1\)"><text font-size="(\d+)"[^>]*>([^<]*Maxi[^<]*)<', drawing)
    assert found is not None
    half = 0.6 * float(found[2]) * len(found[3]) / 2
    assert half <= float(found[1]) <= width - half
    assert 2 * half < 0.4 * width
    assert "…" in found[3]


def test_between_rounds_nobody_is_named_who_has_not_sat_down_yet(party: FrameReading) -> None:
    drawing = overlay(party, SEATS, styles_of(SEATS), named=False)
    assert "#over-" in drawing
    assert not any(name in drawing for name in SEATS)


def test_who_is_missing_is_told_by_seat(party: FrameReading) -> None:
    moved_up = replace(
        party, players=tuple(replace(p, player=replace(p.player, seat=p.seat + 1)) for p in party.players)
    )
    assert missing(party, ("Ann", "Ben", "Cy")) == ("Cy",)
    assert missing(moved_up, ("Ann", "Ben", "Cy")) == ("Ann",)


def test_who_does_not_play_is_counted(party: FrameReading) -> None:
    assert [seated(party, seats).bystanders for seats in (1, 2, 3)] == [1, 0, 0]


# The page itself, as the server builds it.


@pytest.fixture
def table(reader: Reader, tmp_path: Path) -> Iterator[Host]:
    """A host with a game without a camera."""
    with ExitStack() as stack:
        games = Games(tmp_path / "games")
        file = stack.enter_context(open_game(games, BEGUN, source="test"))
        rooms = stack.enter_context(open_services(file, reader, Spoken(Language.ENGLISH, aloud=False), lambda _: None))
        access = Access.of_the_evening(AccessFile(tmp_path / "access.json"), resume=False)
        host = Host(games, access, Choices(PLAYERS, BEGUN.rules))
        host.session = stack.enter_context(Session(rooms, NoVideoSource()))
        yield host


def built(host: Host, *, phone_of: str | None = None) -> list[Element]:
    """All that stands on the page."""
    access = host.access
    visitor = access.visitor(access.become_owner(access.owner_key))
    if phone_of is not None:
        visitor = access.visitor(cookie := access.join(access.code))
        assert visitor is not None
        access.choose(visitor, phone_of)
        visitor = access.visitor(cookie)
    assert visitor is not None

    async def build() -> list[Element]:
        with Client(nicegui_page("/table")) as client:
            show(host, visitor)
            return list(client.elements.values())

    return asyncio.run(build())


def pressable(elements: list[Element]) -> list[Element]:
    return [each for each in elements if each.tag in {"button", "a"} and "disabled" not in each.props]


def keys_on(elements: list[Element]) -> set[str]:
    """Keys that something on the page listens to."""
    return {
        key
        for each in elements
        if "disabled" not in each.props
        for key in str(each.props.get("aria-keyshortcuts", "")).split()
    }


def words(elements: list[Element]) -> str:
    return " ".join(str(each._text) for each in elements if each._text)


def test_the_owner_finds_every_key_of_the_list_on_the_page(table: Host) -> None:
    assert table.session is not None
    elements = built(table)
    keys = keys_on(elements)
    assert {"Space", "Enter", "PageDown", "b", "1", "2", "3", "c", "k", "t", "r", "p", "f", "?"} <= keys
    table.session.bet("Green", "screen").result(30)
    assert "u" in keys_on(built(table))
    table.session.lay(CARDS, "screen").result(30)
    table.session.bam(Maker.KEY, "screen").result(30)
    frozen = keys_on(built(table))
    assert "d" in frozen
    assert not {"Space", "1"} & frozen  # no Bam and no bet while people are asked
    assert {"b", "c", "s", "d", "k", "t", "u", "r", "p", "f", "?"} <= listed_keys(at_table=True)


def listed_keys(*, at_table: bool) -> set[str]:
    return {key for each in keys_of(TEXTS, at_table=at_table) for key in each.keys}


def test_a_phone_is_offered_only_what_it_may_do(table: Host) -> None:
    assert table.session is not None
    narrator, other = keys_on(built(table, phone_of="Red")), keys_on(built(table, phone_of="Blue"))
    assert {"Space", "1", "c"} <= narrator
    assert not {"p", "k"} & narrator
    assert not {"Space", "1", "c", "p", "u"} & other
    for keys in (narrator, other, listed_keys(at_table=False)):
        assert not {"k", "t", "r", "p"} & keys, "these lead to what is not for phones"


def test_the_bet_is_seen_by_more_than_its_colour(table: Host) -> None:
    assert table.session is not None
    table.session.bet("Green", "screen").result(30)
    elements = built(table)
    pressed = [each for each in elements if each.props.get("aria-pressed") == "true"]
    assert [words(list(each.descendants())) for each in pressed] == ["■ Green 2"]
    assert "Red bets on Green: lay the first card" in words(elements)


def test_everything_has_a_name_and_its_place_in_the_outline(table: Host) -> None:
    elements = built(table)
    for each in pressable(elements):
        assert each.props.get("aria-label") or words([each, *each.descendants()]), each
    assert [each.tag for each in elements if each.tag in {"h1", "header", "nav"}].count("h1") == 1
    assert any(each.props.get("role") == "status" for each in elements)
    assert all(each.props.get("alt") or each.props.get("aria-hidden") for each in elements if each.tag == "img")
    focusable = [each for each in pressable(elements) if each.props.get("tabindex") not in {None, "-1"}]
    assert focusable == []  # the order of the focus is that of the page
