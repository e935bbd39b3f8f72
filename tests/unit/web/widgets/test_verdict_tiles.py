"""Tiles of the verdicts: changes, questions, gauges and landmarks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace
from typing import Any

import pytest

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.evidence_json import FrameEvidence
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.provenance import NOBODY
from bunnymoose_cv.session.table_state import TablePhase, TableState
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.headgear.measures import Quantity
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView, round_evidence_view
from bunnymoose_cv.web.live.verdict_view import VerdictView, round_view
from bunnymoose_cv.web.pages.verdict_pages import _verdict
from bunnymoose_cv.web.widgets import question_tiles
from bunnymoose_cv.web.widgets.gauges import confidence_gauges, gauge_art, measure_gauges, tongue_gauge
from bunnymoose_cv.web.widgets.landmarks import frame_image, still_image
from bunnymoose_cv.web.widgets.poses import Part
from bunnymoose_cv.web.widgets.question_tiles import asked_image, asking_html, part_box
from bunnymoose_cv.web.widgets.verdict_tiles import _why_nothing, narrator_moves_html, tile_parts, tile_places
from tests.doubles import row_reading
from tests.doubtful import DoubtfulTable
from tests.unit.web.judging import JudgedRound
from tests.unit.web.states import CARDS, ROUND, judged_by, restarted, state_after, view

TEXTS = Texts()
EVERYTHING: Any = SimpleNamespace(player=None, may=lambda *_: True)
"""Visitor with all permissions."""


def phone_of(player: str) -> Any:
    """Return the phone of a player who is asked, with the permission to confirm."""
    return SimpleNamespace(
        player=player, may=lambda action, about=None: about == player and action is Action.CONFIRM_POSE
    )


def tiles(state: TableState, visitor: Any = EVERYTHING) -> Mapping[str, str]:
    return tile_parts(state, visitor, TEXTS)


def test_parts_are_unchanged_once_movement_is_ruled_out(judged_round: JudgedRound) -> None:
    frozen = judged_round.asked
    assert frozen.judged is not None
    watched = replace(frozen, version=frozen.version + 1, judged=replace(frozen.judged))
    asked, later, decided = (tiles(state) for state in (frozen, watched, judged_round.entered))
    assert asked == later != decided


def test_all_tile_parts_exist_before_the_first_verdict(judged_round: JudgedRound) -> None:
    """Keep the frame of the page constant from the bet to Bam, so that tiles fill empty parts."""
    state = judged_round.entered
    assert [name for name, tile in tiles(state).items() if not tile] == []
    nobody = tile_parts(state, EVERYTHING, TEXTS, number=99)
    assert set(nobody) == {"cards", *tile_places(state.game)}
    assert not any(nobody.values())


def test_a_phone_confirms_the_likeliest_answer_for_its_own_player_alone(judged_round: JudgedRound) -> None:
    asked = judged_round.asked.asked
    shown = tiles(judged_round.asked, phone_of(asked[0]))
    forms = [name for name, tile in shown.items() if "/command/answer-question" in tile]
    assert forms == ["tile-1"], "the own tile stands first"
    everybodys = [tile for tile in tiles(judged_round.asked).values() if "/command/answer-question" in tile]
    assert len(everybodys) == len(asked)
    (confirmed,) = re.findall(r'name="pose" value="([^"]*)"', shown["tile-1"])
    offered = re.findall(r'name="pose" value="([^"]*)"', next(html for html in everybodys if "closer-1" in html))
    assert confirmed == offered[0] == str(Pose.parse(confirmed))
    assert '<strong class="words">Yes, ' in shown["tile-1"]
    assert "contest" not in shown["tile-1"]
    assert "Red’s phone and the table’s screen answer this." in shown["tile-2"]
    assert "closer-2" in shown["tile-2"], "everybody sees the picture"


def test_a_bush_shows_its_reason_once() -> None:
    bush, moose = Pose.parse("WU --"), Pose.parse("WU CU")
    poses = PosesJudged({"Blue": bush, "Green": moose, "Yellow": moose})
    shown = "".join(tiles(state_after(*ROUND[:3], poses)).values())
    assert shown.count("no card applies") == 1
    assert shown.count('class="why"') == len(CARDS)


def test_each_card_of_an_animal_has_its_reason_even_if_all_are_equal() -> None:
    cards = parse_table("RABBIT-3 MOOSE+2 MOOSE+1 RABBIT-1 MOOSE+4 MOOSE-2")
    shown = tiles(state_after(ROUND[0], TableLaid(cards), *ROUND[2:]))["tile-1"]
    assert shown.count("this is a moose") == len(cards)
    assert re.findall(r'<strong class="number">([^<]*)<', shown) == ["0", "+2", "+1", "0", "+4", "−2"]


def test_look_alikes_show_each_badge_once() -> None:
    shown = tiles(state_after(*ROUND))["tile-1"]
    badges = re.findall(r'<span class="badge [^"]*">([^<]*)</span>', shown)
    captions = re.findall(r'<figcaption.*?class="name">([^<]*)<', shown, re.DOTALL)
    assert captions == ["Blue", "Green", "Yellow"], "each image tells whose it is"
    assert badges == ["look-alikes", "the narrator’s bet", "said by people"]


def test_an_unanswered_verdict_is_marked_on_tile_and_contest_page() -> None:
    state = judged_by(NOBODY, state_after(*ROUND))
    shown = tiles(state)["tile-1"]
    assert "nobody answered: the likeliest counts" in shown
    assert "said by" not in shown
    seen = round_view(state, 1)
    assert seen is not None
    html = _verdict(seen.verdicts[0], seen.narrator, TEXTS, may=True)
    assert "nobody answered: the likeliest counts" in html
    assert "Said by" not in html


def moves_in(html: str) -> list[str]:
    return re.findall(r'<p class="move">.*?<span class="words">([^<]*)</span>', html, re.DOTALL)


MOVES_OF_RED = ["Red’s moose: space 3", "Red’s rabbit catches up: space 6", "Red’s moose catches up: space 4"]


def test_the_narrators_moves_are_on_the_tile_of_the_bet_and_on_the_narrators_phone() -> None:
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
    """Return all texts on the tiles of a state."""
    return [unescape(text).strip() for text in re.findall(r">([^<>]+)<", "".join(tiles(state).values()))]


def test_verdicts_mark_unclear_fields(table: DoubtfulTable) -> None:
    table.referee.record_cards(SPREAD_IDLE)
    table.bam()
    assert (green(table).asked, green(table).idle) == (False, ("left.spread",))
    assert IDLE in texts_on_tiles(table.state)


def test_a_doubt_becomes_a_question_once_the_cards_make_it_matter(table: DoubtfulTable) -> None:
    table.bam()
    assert (green(table).asked, green(table).pose) == (False, None)
    assert WAITS in texts_on_tiles(table.state)
    assert "What does Green show?" not in texts_on_tiles(table.state)
    table.referee.record_cards(SPREAD_MATTERS)
    assert (green(table).asked, green(table).pose) == (True, None)
    assert [(str(likely.pose), likely.score and likely.score.total) for likely in green(table).likeliest[:2]] == [
        ("WU WU", 3),
        ("CU WU", 1),
    ]
    shown = texts_on_tiles(table.state)
    assert "What does Green’s left hand show?" in shown
    answers = [text for text in shown if text in {"wide", "Moose ahead 3", "compact", "Moose ahead 1"}]
    assert answers == ["wide", "Moose ahead 3", "compact", "Moose ahead 1"], "what differs alone, likeliest first"
    question = next(tile for tile in tiles(table.state).values() if "asks" in tile)
    assert not re.search(r">[^<>]*(%|right|tongue)[^<>]*<", question)
    below = unescape(str(asking_html(table.state, TEXTS)))
    assert re.findall(r'class="name">([^<]*)</bdi></span><span>([^<]*)<', below) == [("Blue", "Rabbit back 3")]
    assert "answer-time" not in below


def test_the_remaining_time_is_a_bar(table: DoubtfulTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question_tiles, "monotonic", lambda: 100.0)
    table.bam()
    table.referee.record_cards(SPREAD_MATTERS)
    for left_s, bar in (
        (10, "--left: 10.0s; --share: 0.400"),
        (60, "--left: 60.0s; --share: 1.000"),
        (-3, "--left: 0.0s"),
    ):
        timed = replace(table.state, answer_until=100.0 + left_s)
        assert bar in asking_html(timed, TEXTS)
    assert asking_html(replace(table.state, phase=TablePhase.JUDGING), TEXTS) == ""


def test_questions_need_known_cards_and_an_open_round(table: DoubtfulTable) -> None:
    table.bam()
    assert asking_html(table.state, TEXTS) == ""
    table.referee.record_cards(SPREAD_IDLE)
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert table.state.every_asked == ("Green",)
    assert asking_html(table.state, TEXTS) == "", "the next round goes on"
    assert "aria-keyshortcuts" not in "".join(tiles(table.state).values()), "digits bet"


@pytest.mark.parametrize("part", list(Part))
def test_the_picture_shows_the_part_in_doubt_and_veils_the_neighbours(part: Part) -> None:
    row = row_reading(("WU WU",) * 3, 384)
    frame = FrameEvidence.of("", row)
    seen = RoundEvidenceView(1, 20.0, (1152, 384), (frame,), frame, {}, lambda _: row.image)
    art = asked_image(seen, 2, [part], TEXTS, "Green at Bam")
    x, y, width, height = map(float, re.findall(r"[\d.]+", re.findall(r'viewBox="([^"]*)"', art)[0]))
    read, box = frame.players[1], part_box(frame.players[1], part)
    face = Box(*read.face_px)
    for inside in (face, box):
        assert Box(x, y, width, height).intersection_over_smaller(inside) == pytest.approx(1)
    whole = seen.player_in(2)
    assert width * height < 0.8 * whole.width * whole.height, "closer than the whole player"
    cx, rx = (float(re.findall(rf'class="ring"[^>]* {name}="([\d.]+)"', art)[0]) for name in ("cx", "rx"))
    assert box.x >= cx - rx
    assert (box.centre[0] > face.centre[0] + face.width / 2) is (part is Part.LEFT), "the own left, unmirrored"
    veils = [
        (float(left), float(left) + float(wide))
        for left, wide in re.findall(r'"veil" x="([\d.]+)"[^>]*width="([\d.]+)"', art)
    ]
    for other in (frame.players[0], frame.players[2]):
        centre = Box(*other.face_px).centre[0]
        still = seen.still_of(2)
        assert any(start <= centre <= end for start, end in veils) or not still.x <= centre <= still.x + still.width
    assert not any(start < face.centre[0] < end for start, end in veils)
    assert ("the tongue?" in art, "this hand?" in art) == (part is Part.TONGUE, part is not Part.TONGUE)


def test_a_missing_hand_has_its_ring_at_the_assumed_position() -> None:
    frame = FrameEvidence.of("", row_reading(("WU WU",), 384))
    read = frame.players[0].model_copy(update={"left": frame.players[0].left.model_copy(update={"hand": ()})})
    face, left, right = Box(*read.face_px), part_box(read, Part.LEFT), part_box(read, Part.RIGHT)
    assert left.x > face.centre[0] > right.centre[0]
    assert left.intersection_over_smaller(part_box(frame.players[0], Part.LEFT)) > 0.3


def test_corrected_cards_reopen_the_question_on_a_tile(table: DoubtfulTable) -> None:
    table.referee.record_cards(SPREAD_IDLE)
    table.bam()
    table.referee.correct_table(1, SPREAD_MATTERS)
    assert (green(table).asked, str(green(table).pose)) == (True, "WU WU")
    assert "It matters with the cards on the table." in texts_on_tiles(table.state)
    table.referee.correct_pose("Green", Pose.parse("WU WU"), 1)
    assert not green(table).asked
    assert IDLE not in texts_on_tiles(table.state)


def test_gauges_and_reasons_show_the_same_numbers(judged_round: JudgedRound) -> None:
    decided = 0
    for verdict in view(judged_round.entered).verdicts:
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
                    decided += 1
    assert decided >= 2


def test_a_gauge_is_unsure_exactly_if_its_reading_is(judged_round: JudgedRound) -> None:
    settings = load_settings(judged_round.games.parent / "profile.toml")
    for verdict in view(judged_round.entered).verdicts:
        assert verdict.read is not None
        for side in (verdict.read.left, verdict.read.right):
            gauges = tuple(confidence_gauges(side, settings.headgear, TEXTS))
            unsure = sum(not gauge.sure for gauge in gauges)
            # Stored numbers have four digits, so that a field just below its limit may be rounded up to it.
            assert 0 <= len(side.unclear) - unsure <= sum(gauge.value == 1 for gauge in gauges)
        assert tongue_gauge(verdict.read.tongue, settings.tongue, TEXTS).sure is not verdict.read.tongue.unclear


def test_a_gauge_draws_its_value_between_its_ends(judged_round: JudgedRound) -> None:
    read = view(judged_round.entered).verdicts[0].read
    assert read is not None
    for gauge in measure_gauges(read.left, TEXTS):
        far = replace(gauge, value=1e9, words="<b>")
        assert 'cx="240.0"' in gauge_art(far)
        assert "&lt;b&gt;" in gauge_art(far)


def test_an_older_rounds_evidence_has_no_measures_and_no_gauges(judged_round: JudgedRound, tmp_path: Path) -> None:
    copy = copytree(judged_round.entered.folder, tmp_path / "game")
    json_path = round_folder(copy, 1).json
    shape = round_folder(copy, 1).read()
    assert shape is not None
    json_path.write_text(shape.model_dump_json(exclude={"agreed": {"players": {"__all__": {"left": {"measures"}}}}}))
    read = view(replace(restarted(judged_round.entered), folder=copy)).verdicts[0].read
    assert read is not None
    assert read.left.measures is None
    assert tuple(measure_gauges(read.left, TEXTS)) == ()


def test_landmarks_are_drawn_on_the_hands(judged_round: JudgedRound) -> None:
    seen = round_evidence_view(judged_round.entered, 1)
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
    faceless = read.model_copy(update={"face": ()})
    art = still_image("/still/1/1.jpg", seen.still_of(1), seen.player_in(1), faceless, "Blue")
    assert 'class="joints' in art, "evidence without a mesh of the face still shows the hands"
    assert 'class="bones face"' not in art


@pytest.mark.parametrize(
    ("x", "y", "keeps_to"),
    [(0, 50, "xMinYMid"), (90, 50, "xMidYMid"), (180, 50, "xMaxYMid"), (90, 0, "xMidYMin"), (90, 100, "xMidYMax")],
)
def test_at_the_edge_of_the_frame_a_tile_has_no_blank(
    judged_round: JudgedRound, x: float, y: float, keeps_to: str
) -> None:
    seen = round_evidence_view(judged_round.entered, 1)
    assert seen is not None
    read = seen.reading_of(1)
    assert read is not None
    art = still_image("/still/1/1.jpg", Box(0, 0, 400, 200), Box(x, y, 220, 100), read, "Blue")
    assert f'preserveAspectRatio="{keeps_to} meet"' in art


FINGERS = Phrase("three fingers out ({one}, {two}, {three})", one="thumb", two="index", three="middle")
PLACE = Phrase("hand below the mouth, which does not count")


@pytest.mark.parametrize(
    ("headgear", "has_hand", "reasons", "expected"),
    [
        ("--", True, (Phrase("thumb stuck out"), FINGERS, PLACE), PLACE),
        ("--", True, (Phrase("thumb stuck out"), FINGERS), FINGERS),
        ("--", False, (Phrase("the picture shows no antler and no ear on this side"),), ""),
        ("WU", True, (FINGERS,), ""),
    ],
)
def test_a_visible_hand_without_headgear_has_a_reason(
    headgear: str, reasons: tuple[Phrase, ...], expected: str, *, has_hand: bool
) -> None:
    read: Any = SimpleNamespace(headgear=headgear, measures=object() if has_hand else None, reasons=reasons)
    assert _why_nothing(read) == expected
