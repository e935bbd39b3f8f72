"""Tiles of the verdicts: when they change, what they ask, their gauges and landmarks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace
from typing import Any

import pytest

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.table_state import TableState
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.headgear.measures import Quantity
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.web.live.round_evidence import round_evidence_view
from bunnymoose_cv.web.live.verdict_view import VerdictView
from bunnymoose_cv.web.widgets.gauges import confidence_gauges, gauge_art, measure_gauges, tongue_gauge
from bunnymoose_cv.web.widgets.landmark_overlay import frame_image, still_image
from bunnymoose_cv.web.widgets.verdict_tiles import narrator_moves_html, tile_parts, tile_places
from tests.doubtful import DoubtfulTable
from tests.unit.web.judging import JudgedRound
from tests.unit.web.states import CARDS, ROUND, restarted, state_after, view

TEXTS = Texts()
EVERYTHING: Any = SimpleNamespace(player=None, may=lambda *_: True)
"""A visitor who may do everything."""


def phone_of(player: str) -> Any:
    """Return a phone that may put its own player right."""
    return SimpleNamespace(player=player, may=lambda _action, about=None: about == player)


def tiles(state: TableState, visitor: Any = EVERYTHING) -> Mapping[str, str]:
    return tile_parts(state, visitor, TEXTS)


def test_nothing_is_built_anew_when_it_is_known_that_nobody_moved(judged_round: JudgedRound) -> None:
    frozen = judged_round.asked
    assert frozen.judged is not None
    watched = replace(frozen, version=frozen.version + 1, judged=replace(frozen.judged))
    asked, later, told = (tiles(each) for each in (frozen, watched, judged_round.told))
    assert asked == later != told


def test_every_place_stands_there_before_anybody_is_judged(judged_round: JudgedRound) -> None:
    """A page's frame stays the same from Bet to Bam: a tile comes into a place that was empty."""
    state = judged_round.told
    assert [name for name, tile in tiles(state).items() if not tile] == []
    nobody = tile_parts(state, EVERYTHING, TEXTS, number=99)
    assert set(nobody) == {"cards", *tile_places(state.game)}
    assert not any(nobody.values())


def test_a_phone_is_offered_answers_for_its_own_player_alone(judged_round: JudgedRound) -> None:
    asked = judged_round.asked.asked
    shown = tiles(judged_round.asked, phone_of(asked[0]))
    forms = [name for name, tile in shown.items() if "/command/answer-question" in tile]
    assert forms == ["tile-1"], "the own tile stands first"
    everybodys = [tile for tile in tiles(judged_round.asked).values() if "/command/answer-question" in tile]
    assert len(everybodys) == len(asked)
    for choice in re.findall(r'name="pose" value="([^"]*)"', shown["tile-1"]):
        assert str(Pose.parse(choice)) == choice


def test_a_bush_is_told_its_reason_once() -> None:
    bush, moose = Pose.parse("WU --"), Pose.parse("WU CU")
    poses = PosesJudged({"Blue": bush, "Green": moose, "Yellow": moose})
    shown = "".join(tiles(state_after(*ROUND[:3], poses)).values())
    assert shown.count("no card applies") == 1
    assert shown.count('class="why"') == len(CARDS)


def test_each_card_tells_an_animal_what_it_pays_also_where_all_have_one_reason() -> None:
    cards = parse_table("RABBIT-3 MOOSE+2 MOOSE+1 RABBIT-1 MOOSE+4 MOOSE-2")
    shown = tiles(state_after(ROUND[0], TableLaid(cards), *ROUND[2:]))["tile-1"]
    assert shown.count("this is a moose") == len(cards)
    assert re.findall(r'<strong class="number">([^<]*)<', shown) == ["0", "+2", "+1", "0", "+4", "−2"]


def test_look_alikes_wear_each_badge_once() -> None:
    shown = tiles(state_after(*ROUND))["tile-1"]
    badges = re.findall(r'<span class="badge [^"]*">([^<]*)</span>', shown)
    captions = re.findall(r'<figcaption.*?class="name">([^<]*)<', shown, re.DOTALL)
    assert captions == ["Blue", "Green", "Yellow"], "each image tells whose it is"
    assert badges == ["look-alikes", "the narrator’s bet", "told by people"]


def moves_in(html: str) -> list[str]:
    return re.findall(r'<p class="move">.*?<span>([^<]*)</span></p>', html, re.DOTALL)


MOVES_OF_RED = ["Red’s moose: space 3", "Red’s rabbit catches up: space 6", "Red’s moose catches up: space 4"]


def test_the_narrators_moves_stand_on_the_tile_of_the_bet_and_on_the_narrators_phone() -> None:
    for state, moves in ((state_after(*ROUND), MOVES_OF_RED), (state_after(*ROUND[1:]), [])):
        on_tiles = moves_in("".join(tiles(state).values()))
        assert [line for line in on_tiles if line.startswith("Red’s")] == moves
    for state, player, moves in (
        (state_after(*ROUND), "Red", MOVES_OF_RED),
        (state_after(*ROUND), "Blue", []),
        (state_after(*ROUND[:3]), "Red", []),
        (state_after(), "Red", []),
    ):
        assert moves_in(narrator_moves_html(state, phone_of(player), TEXTS)) == moves


SPREAD_IDLE = parse_table("L.?U+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
SPREAD_MATTERS = parse_table("L.WU+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
IDLE = "left wide or compact does not matter here"
WAITS = "Whether that matters is known once all cards are."


@pytest.fixture
def table(
    tmp_path: Path, canned_reader: Reader, party: FrameReading, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DoubtfulTable]:
    started = GameStarted(("Red", "Blue", "Green"), rules_for())
    with GameFile.create(tmp_path / "game", started, who="test") as file:
        yield DoubtfulTable.open(file, canned_reader, party, monkeypatch)


def green(table: DoubtfulTable) -> VerdictView:
    return view(table.state).verdicts[1]


def texts_on_tiles(state: TableState) -> list[str]:
    """Every text that the tiles of a state show."""
    return [unescape(text).strip() for text in re.findall(r">([^<>]+)<", "".join(tiles(state).values()))]


def test_a_verdict_that_stands_marks_what_was_unsure(table: DoubtfulTable) -> None:
    table.referee.lay(SPREAD_IDLE)
    table.bam()
    assert (green(table).asked, green(table).idle) == (False, ("left.spread",))
    assert IDLE in texts_on_tiles(table.state)


def test_a_doubt_waits_on_its_tile_for_the_cards_and_is_asked_where_they_make_it_matter(table: DoubtfulTable) -> None:
    table.bam()
    assert (green(table).asked, green(table).pose) == (False, None)
    assert WAITS in texts_on_tiles(table.state)
    assert "What does Green show?" not in texts_on_tiles(table.state)
    table.referee.lay(SPREAD_MATTERS)
    assert (green(table).asked, green(table).pose) == (True, None)
    assert [(str(each.pose), each.score and each.score.total) for each in green(table).likeliest[:2]] == [
        ("WU WU", 3),
        ("CU WU", 1),
    ]
    shown = texts_on_tiles(table.state)
    assert "What does Green show?" in shown
    assert shown.index("Moose ahead 3") < shown.index("Moose ahead 1")


def test_corrected_cards_ask_again_on_the_tile_of_a_verdict_that_stands(table: DoubtfulTable) -> None:
    table.referee.lay(SPREAD_IDLE)
    table.bam()
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert (green(table).asked, str(green(table).pose)) == (True, "WU WU")
    assert "With the cards that lie now it matters." in texts_on_tiles(table.state)
    table.referee.correct_pose("Green", Pose.parse("WU WU"), 1)
    assert not green(table).asked
    assert IDLE not in texts_on_tiles(table.state)


def test_gauges_and_reasons_tell_the_same_numbers(judged_round: JudgedRound) -> None:
    told = 0
    for verdict in view(judged_round.told).verdicts:
        assert verdict.read is not None
        for side in (verdict.read.left, verdict.read.right):
            if side.measures is None:
                continue
            gauges = {gauge.words: gauge for gauge in measure_gauges(side, TEXTS)}
            assert len(gauges) == sum(side.measures.value(quantity) is not None for quantity in Quantity)
            apart = side.measures.parting
            for reason in side.reasons:
                if apart is not None and "° apart" in reason:
                    assert f"fingers {apart:.0f}° apart" in reason
                    assert gauges[f"fingers {apart:.1f}° apart"].value == apart
                    assert gauges[f"fingers {apart:.1f}° apart"].sure is ("neither" not in reason)
                    told += 1
    assert told >= 2


def test_a_gauge_asks_exactly_where_the_reading_does(judged_round: JudgedRound) -> None:
    settings = load_settings(judged_round.games.parent / "profile.toml")
    for verdict in view(judged_round.told).verdicts:
        assert verdict.read is not None
        for side in (verdict.read.left, verdict.read.right):
            gauges = tuple(confidence_gauges(side, settings.headgear, TEXTS))
            unsure = sum(not gauge.sure for gauge in gauges)
            # What is kept has four digits: a field just below its limit may be rounded up to it.
            assert 0 <= len(side.unclear) - unsure <= sum(gauge.value == 1 for gauge in gauges)
        assert tongue_gauge(verdict.read.tongue, settings.tongue, TEXTS).sure is not verdict.read.tongue.unclear


def test_a_gauge_draws_its_value_between_its_ends(judged_round: JudgedRound) -> None:
    read = view(judged_round.told).verdicts[0].read
    assert read is not None
    for gauge in measure_gauges(read.left, TEXTS):
        far = replace(gauge, value=1e9, words="<b>")
        assert 'cx="240.0"' in gauge_art(far)
        assert "&lt;b&gt;" in gauge_art(far)


def test_an_older_rounds_evidence_has_no_measures_and_no_gauges(judged_round: JudgedRound, tmp_path: Path) -> None:
    copy = copytree(judged_round.told.folder, tmp_path / "game")
    json_path = round_folder(copy, 1).json
    shape = round_folder(copy, 1).read()
    assert shape is not None
    json_path.write_text(shape.model_dump_json(exclude={"agreed": {"players": {"__all__": {"left": {"measures"}}}}}))
    read = view(replace(restarted(judged_round.told), folder=copy)).verdicts[0].read
    assert read is not None
    assert read.left.measures is None
    assert tuple(measure_gauges(read.left, TEXTS)) == ()


def test_landmarks_lie_on_the_hands(judged_round: JudgedRound) -> None:
    seen = round_evidence_view(judged_round.told, 1)
    assert seen is not None
    read = seen.reading_of(1)
    assert read is not None
    art = still_image("/still/1/1.jpg", seen.still_of(1), seen.player_in(1), read, "<Blue>")
    x, y, _ = (read.left.hand or read.right.hand)[8]
    assert f'cx="{x:.1f}" cy="{y:.1f}"' in art
    assert 'aria-label="&lt;Blue&gt;"' in art
    assert "meet" in art, "a tile of any shape shows all of the player"
    whole = frame_image("/frame/1/1.jpg", seen.size, seen.window_of(1), None, "Blue")
    assert "landmarks" not in whole


@pytest.mark.parametrize(
    ("x", "y", "keeps_to"),
    [(0, 50, "xMinYMid"), (90, 50, "xMidYMid"), (180, 50, "xMaxYMid"), (90, 0, "xMidYMin"), (90, 100, "xMidYMax")],
)
def test_at_the_edge_of_the_frame_a_tile_has_no_blank(
    judged_round: JudgedRound, x: float, y: float, keeps_to: str
) -> None:
    seen = round_evidence_view(judged_round.told, 1)
    assert seen is not None
    read = seen.reading_of(1)
    assert read is not None
    art = still_image("/still/1/1.jpg", Box(0, 0, 400, 200), Box(x, y, 220, 100), read, "Blue")
    assert f'preserveAspectRatio="{keeps_to} meet"' in art
