"""Films that are made in turn, with their progress, and not while Bam is judged."""

from __future__ import annotations

from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Event, Thread
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.web.live.film_jobs import FilmJobs, Making

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_S = 20.0


def test_films_are_made_in_turn_and_it_is_known_how_far_they_are(tmp_path: Path) -> None:
    changes: list[None] = []
    films, goes_on, done = FilmJobs(tell=lambda: changes.append(None)), Event(), Event()
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
    assert len(changes) == 2, "whoever looks is told that both have been asked for"
    assert not done.is_set()
    goes_on.set()
    assert done.wait(PATIENCE_S)
    assert told == [Making(0.25)]
    assert films.known(first) is None
    assert len(changes) >= 3, "and that the first is there"


class _ReadTogether(dict["Path", Making]):
    """Known films, read by two threads at once unless one is kept from it."""

    def __init__(self) -> None:
        super().__init__()
        self._both = Barrier(2)

    def get(self, *arguments: Any) -> Any:
        known = super().get(*arguments)
        with suppress(BrokenBarrierError):
            self._both.wait(0.2)
        return known


def test_a_film_that_two_ask_for_at_once_is_made_once(tmp_path: Path) -> None:
    films, asked, done = FilmJobs(), Event(), Event()
    films._known = _ReadTogether()
    made: list[bool] = []
    asking = [
        Thread(target=films.begin, args=(tmp_path / "film.mp4", lambda _: made.append(asked.wait(PATIENCE_S))))
        for _ in range(2)
    ]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    asked.set()
    films.begin(tmp_path / "next.mp4", lambda _: done.set())
    assert done.wait(PATIENCE_S)
    assert made == [True]


def test_a_film_that_cannot_be_made_is_one_sentence_and_may_be_asked_for_again(tmp_path: Path) -> None:
    changes: list[None] = []
    films, tried = FilmJobs(tell=lambda: changes.append(None)), Event()

    def fail(_: object) -> None:
        raise InputError("The disk is full.")

    films.begin(tmp_path, fail)
    films.begin(tmp_path / "next", lambda _: tried.set())
    assert tried.wait(PATIENCE_S)
    assert films.known(tmp_path) == Making(problem="The disk is full.")
    assert len(changes) >= 3, "of both askings, and that the first failed"
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
