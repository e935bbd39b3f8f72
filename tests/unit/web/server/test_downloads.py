"""A game as other programs read it: every player of every round, called as people called them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.server.downloads import game_json

if TYPE_CHECKING:
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game

NAMES = ("=1+1", "@SUM(A1)", 'Ann, "the moose"')


@pytest.fixture
def game() -> Game:
    rules = rules_for(DEFAULT_EDITION, advanced=True, variants=())
    events: list[Event] = [
        GameStarted(NAMES, rules),
        BetPlaced(NAMES[1]),
        TableLaid(parse_table("L.WU+1 B.CD+1/-1 REVERSE R.?F-1 MOOSE*2 TONGUE+1")),
        Bam(),
        PosesJudged({NAMES[1]: Pose.parse("WU CD t"), NAMES[2]: Pose.parse("-- SS")}),
    ]
    return fold(events)


def test_other_programs_get_names_as_they_are(game: Game) -> None:
    told = json.loads(game_json(game))
    assert told["players"] == list(NAMES)
    assert [verdict["player"] for verdict in told["rounds"][0]["verdicts"]] == [NAMES[1], NAMES[2]]
    assert {standing["player"] for standing in told["ranking"]} == set(NAMES)
