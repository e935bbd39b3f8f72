"""Tiles of the table screen ask where a move is in doubt, and mark what does not matter."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.live.verdict_view import round_view
from bunnymoose_cv.web.widgets.verdict_tiles import tile_parts
from tests.doubtful import DoubtfulTable
from tests.unit.web.widgets.test_verdict_tiles import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading
    from bunnymoose_cv.web.live.verdict_view import VerdictView

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
    view = round_view(table.state, 1)
    assert view is not None
    return view.verdicts[1]


def texts_on_tiles(state: TableState) -> list[str]:
    """Every text that the tiles of a state show."""
    visitor: Any = Owner()
    tiles = "".join(tile_parts(state, visitor, Texts()).values())
    return [unescape(text).strip() for text in re.findall(r">([^<>]+)<", tiles)]


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
