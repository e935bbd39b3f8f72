"""The history beside its page: which evening is looked at, what cannot be read, and films that are made in turn."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import Entry
from bunnymoose_cv.record.game_store import Games
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted, PoseCorrected
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.round import Cause, FigureMove
from bunnymoose_cv.rules.trail import Figure
from bunnymoose_cv.web.live.film_jobs import FilmJobs, Making
from bunnymoose_cv.web.live.past_evenings import load, when
from bunnymoose_cv.web.server.media import game_number
from bunnymoose_cv.web.widgets.round_card import correction_line, move_line

PATIENCE_S = 20.0


def test_the_played_evening_is_looked_at_unless_another_is_wanted(games: Path) -> None:
    kept = Games(games)
    birthday = kept.find("last")
    with kept.begin(GameStarted(("Red", "Blue", "Green"), rules_for()), who="Red") as file:
        newest = load(kept, None, None)
        played = load(kept, None, birthday.folder)
        wanted = load(kept, game_number(birthday.folder), file.folder)
        none = load(kept, 1, file.folder)
    assert newest.kept is not None
    assert newest.kept.folder == file.folder
    for each in (played, wanted):
        assert each.retold is not None
        assert each.retold.title == "Birthday"
    assert (none.kept, none.retold, none.problem) == (None, None, "")
    assert [(each.title, each.rounds, each.over) for each in newest.listed] == [("", 0, False), ("Birthday", 2, False)]


def test_an_evening_that_cannot_be_read_hides_no_other(games: Path) -> None:
    damaged = games / "2027-01-01_20-00-00"
    damaged.mkdir()
    (damaged / "game.sqlite").write_bytes(b"coffee")
    (damaged / "order.txt").write_text("2")
    evenings = load(Games(games), None, None)
    assert "cannot be read" in evenings.problem
    assert evenings.retold is None
    assert [bool(each.problem) for each in evenings.listed] == [True, False]


def test_without_evenings_there_is_nothing_to_look_at(tmp_path: Path) -> None:
    assert load(Games(tmp_path), None, None).listed == ()


def test_an_evening_is_called_by_day_and_hour() -> None:
    assert when(Path("games/2026-11-21_20-05-33")) == "2026-11-21 20:05"
    assert when(Path("games/2026-11-21_20-05-33-2")) == "2026-11-21 20:05"


# Films.


def test_films_are_made_in_turn_and_it_is_known_how_far_they_are(tmp_path: Path) -> None:
    films, goes_on, done = FilmJobs(), Event(), Event()
    first, second = tmp_path / "first.mp4", tmp_path / "second.mp4"
    told = []

    def make_first(tell: object) -> None:
        assert callable(tell)
        tell(0.25)
        told.append(films.known(first))
        goes_on.wait(PATIENCE_S)

    films.begin(first, make_first)
    films.begin(first, lambda _: pytest.fail("it is being made already"))
    films.begin(second, lambda _: done.set())
    assert films.known(second) == Making()
    assert not done.is_set()
    goes_on.set()
    assert done.wait(PATIENCE_S)
    assert told == [Making(0.25)]
    assert films.known(first) is None


def test_a_film_that_cannot_be_made_is_one_sentence_and_may_be_asked_for_again(tmp_path: Path) -> None:
    films, tried = FilmJobs(), Event()

    def fail(_: object) -> None:
        raise InputError("The disk is full.")

    films.begin(tmp_path, fail)
    films.begin(tmp_path / "next", lambda _: tried.set())
    assert tried.wait(PATIENCE_S)
    assert films.known(tmp_path) == Making(problem="The disk is full.")
    again = Event()
    films.begin(tmp_path, lambda _: again.set())
    assert again.wait(PATIENCE_S)


def test_while_bam_is_judged_no_film_is_made(tmp_path: Path) -> None:
    judging, asked, done = Event(), Event(), Event()
    judging.set()

    def must_rest() -> bool:
        asked.set()
        return judging.is_set()

    def make(tell: object) -> None:
        assert callable(tell)
        tell(0.5)
        done.set()

    FilmJobs(must_rest).begin(tmp_path, make)
    assert asked.wait(PATIENCE_S)
    assert not done.is_set()
    judging.clear()
    assert done.wait(PATIENCE_S)


# Words.


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
