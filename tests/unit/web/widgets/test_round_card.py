"""Card of a round in the history: what is told of its film, of corrections and of moves."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from nicegui import Client, html
from nicegui.page import page as nicegui_page

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import Entry
from bunnymoose_cv.record.past_evening import FilmState, PastRound
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted, PoseCorrected, PosesJudged, TableLaid
from bunnymoose_cv.rules.game import fold
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.round import Cause, FigureMove
from bunnymoose_cv.rules.trail import Figure
from bunnymoose_cv.web.live.film_jobs import Making
from bunnymoose_cv.web.widgets.round_card import RoundCard, correction_line, move_line

if TYPE_CHECKING:
    from collections.abc import Mapping

CARDS = parse_table("L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2")
MOOSE = Pose.parse("WU WU")
GAME = fold(
    [
        GameStarted(("Red", "Blue", "Green"), rules_for()),
        TableLaid(CARDS),
        Bam(),
        PosesJudged({"Blue": MOOSE, "Green": MOOSE}),
    ]
)
HELD = "The film of this round is not made yet. Its pictures are held on this computer."


def shown(state: FilmState, making: Mapping[int | None, Making]) -> tuple[list[str], list[str]]:
    """The texts on the round's card, and those on its buttons."""

    async def build() -> tuple[list[str], list[str]]:
        with Client(nicegui_page("/history")) as client:
            told = PastRound(GAME.rounds[0], (), state, ())
            RoundCard(told, Path("game"), GAME, Texts()).build(making, lambda _: None, lambda: None)
            elements: list[Any] = list(client.elements.values())
            texts = [str(each._text) for each in elements if getattr(each, "_text", None)]
            return texts, [each._text for each in elements if isinstance(each, html.button)]

    return asyncio.run(build())


@pytest.mark.parametrize(
    ("state", "making", "told", "offered"),
    [
        (FilmState.HELD, {}, [HELD], True),
        (FilmState.HELD, {None: Making(problem="The disk is full.")}, ["The disk is full.", HELD], True),
        (FilmState.HELD, {None: Making(0.5)}, ["Being made: Film of round 1"], False),
        (FilmState.COMING, {}, ["The film of this round is being made."], False),
        (
            FilmState.LOST,
            {},
            ["The film of this round is lost: the program ended before it was written, or the disk was full."],
            False,
        ),
    ],
    ids=["held", "could not be made", "being made", "coming", "lost"],
)
def test_what_is_told_of_the_film(
    state: FilmState,
    making: Mapping[int | None, Making],
    told: list[str],
    offered: bool,  # noqa: FBT001 - a column of the table
) -> None:
    texts, buttons = shown(state, making)
    assert [text for text in texts if text in {*told, HELD}] == told
    assert ("Make the film" in buttons) is offered


def test_what_was_put_right_is_told_with_who_when_and_why() -> None:
    noon = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    event = PoseCorrected(1, "Blue", Pose.parse("WU -- t"))
    line = correction_line(Entry(9, noon, "contested", "Anna", event), Texts())
    assert (
        line == f"Blue: left: wide antler up; right: nothing; tongue out (Anna, {noon.astimezone():%H:%M}: contested)"
    )


def test_a_move_is_told_with_its_cause() -> None:
    move = FigureMove(Figure("Blue", Animal.MOOSE), Cause.BET, -3, 2)
    assert move_line(move, Texts()) == "Blue, moose: −3, now on space 2 (the narrator's bet)"
