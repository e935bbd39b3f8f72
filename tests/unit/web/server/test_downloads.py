"""Answers to downloads and refusals: names of people and of files, whatever bytes they have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, rules_for
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.server import media
from bunnymoose_cv.web.server.downloads import game_json
from bunnymoose_cv.web.server.refusals import refusal

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


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("2026-11-21_20-05-33.zip", 'attachment; filename="2026-11-21_20-05-33.zip"'),
        ("oslava Žofie.zip", "attachment; filename*=UTF-8''oslava%20%C5%BDofie.zip"),
        ('a"\r\nb.csv', "attachment; filename*=UTF-8''a%22%0D%0Ab.csv"),
        ("b\udcff.zip", "attachment; filename*=UTF-8''b%5Cudcff.zip"),
    ],
)
def test_a_game_is_saved_under_the_name_of_its_folder(name: str, told: str) -> None:
    assert media._attachment(name) == {"content-disposition": told}


def test_a_refusal_can_be_sent_whatever_bytes_a_name_has() -> None:
    answer = refusal(InputError("There is no c\udcff.mp4: check the name"), Texts())
    assert (answer.status_code, bytes(answer.body)) == (409, b"There is no c\\udcff.mp4: check the name")
