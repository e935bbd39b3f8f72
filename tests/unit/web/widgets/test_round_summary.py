"""Summary of a round in the history: its film, corrections and moves."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import Entry
from bunnymoose_cv.record.past_evening import FilmState, PastRound
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted, PoseCorrected, PosesJudged, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.round import Cause, FigureMove
from bunnymoose_cv.rules.trail import Figure
from bunnymoose_cv.web.live.past_evenings import Making
from bunnymoose_cv.web.widgets.round_summary import correction_line, move_line, round_card_html
from tests.unit.web.states import CARDS, MOOSE


def game_of(*players: str) -> Game:
    """Return a game of one round, in which all but the first player show a moose."""
    judged = PosesJudged(dict.fromkeys(players[1:], MOOSE))
    return fold([GameStarted(players, rules_for()), TableLaid(CARDS), Bam(), judged])


GAME = game_of("Red", "Blue", "Green")
HELD = "The film of this round is not made yet. Its pictures are held on this computer."


def shown(state: FilmState, making: Mapping[int | None, Making]) -> tuple[list[str], list[str]]:
    """Return the texts of the round summary, and those of its buttons."""
    past_round = PastRound(GAME.rounds[0], (), state, ())
    card = round_card_html(past_round, Path("game"), GAME, making, Texts())
    return re.findall(r">([^<>]+)<", card), re.findall(r"<button[^>]*>([^<>]+)<", card)


@pytest.mark.parametrize(
    ("state", "making", "sentences", "offered"),
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
def test_states_of_the_film_are_shown(
    state: FilmState, making: Mapping[int | None, Making], sentences: list[str], *, offered: bool
) -> None:
    texts, buttons = shown(state, making)
    assert [text for text in texts if text in {*sentences, HELD}] == sentences
    assert ("Make the film" in buttons) is offered


def test_corrections_are_shown_with_author_time_and_reason() -> None:
    noon = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    event = PoseCorrected(1, "Blue", Pose.parse("WU -- t"))
    line = correction_line(Entry(9, noon, "contested", "Anna", event), Texts())
    assert (
        line == f"Blue: left: wide antler up; right: nothing; tongue out (Anna, {noon.astimezone():%H:%M}: contested)"
    )


def test_moves_are_shown_with_their_cause() -> None:
    move = FigureMove(Figure("Blue", Animal.MOOSE), Cause.BET, -3, 2)
    assert move_line(move, Texts()) == "Blue, moose: −3, now on space 2 (the narrator's bet)"


def test_seat_films_are_shown_or_can_be_requested() -> None:
    past_round = PastRound(GAME.rounds[0], (), FilmState.THERE, (1,))
    card = round_card_html(past_round, Path("2026-11-21_20-05-33"), GAME, {2: Making(0.25)}, Texts())
    assert '<details class="seat-films" data-keeps="seat-films" open>' in card
    assert re.findall(r'<video src="([^"]*)"', card) == [
        "/film/20261121200533/1.mp4",
        "/film/20261121200533/1/1.mp4",
    ]
    assert '<track kind="captions" src="/film/20261121200533/1.vtt" srclang="en" label="Announcements">' in card
    assert '<progress max="1" value="0.25" aria-label="Film of Green in round 1">' in card
    assert 'name="seat"' not in card, "both are there or coming"
    failed = round_card_html(past_round, Path("game"), GAME, {2: Making(problem="The disk is full.")}, Texts())
    assert '<p class="notice bad" role="alert">The disk is full.</p>' in failed
    assert re.findall(r'name="seat" value="(\d)"', failed) == ["2"]


def test_names_on_the_round_summary_are_escaped() -> None:
    game = game_of("<b>", "Blue & Co", "Green")
    card = round_card_html(PastRound(game.rounds[0], (), FilmState.THERE, ()), Path("game"), game, {}, Texts())
    assert "<b>" not in card
    assert "Film of Blue &amp; Co in round 1" in card
