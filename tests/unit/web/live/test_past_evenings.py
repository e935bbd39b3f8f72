"""Past evenings: the evening on the page, and films that are made one by one, not while Bam is judged."""

from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Event, Thread
from typing import Any

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.web.live.past_evenings import FilmJobs, Making, load, when
from bunnymoose_cv.web.urls import game_number
from tests.unit.web.hosts import PATIENCE_S


def test_the_running_evening_is_shown_by_default(games: Path) -> None:
    kept = GameStore(games)
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
    assert [(listed_game.title, listed_game.rounds, listed_game.over) for listed_game in newest.listed] == [
        ("", 0, False),
        ("Birthday", 2, False),
    ]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "2026-11-07 20:05"),
        ("de", "07.11.2026, 20:05"),
        ("fr", "07/11/2026 à 20:05"),
        ("es", "07/11/2026, 20:05"),
        ("cs", "07.11.2026 20:05"),
    ],
)
@pytest.mark.parametrize("folder", ["2026-11-07_20-05-33", "2026-11-07_20-05-33-2"])
def test_an_evening_is_named_by_day_and_hour(folder: str, language: str, said: str) -> None:
    assert when(Path("games", folder), Texts(Language(language))).replace("\N{NO-BREAK SPACE}", " ") == said


def test_a_folder_with_another_name_is_shown_by_it() -> None:
    assert when(Path("games/summer-2026"), Texts()) == "summer-2026"


def test_films_are_made_in_turn_with_progress(tmp_path: Path) -> None:
    changes: list[None] = []
    films, goes_on, done = FilmJobs(notify=lambda: changes.append(None)), Event(), Event()
    first, second = tmp_path / "first.mp4", tmp_path / "second.mp4"
    progress = []

    def make_first(tell: object) -> None:
        assert callable(tell)
        tell(0.25)
        progress.append(films.known(first))
        goes_on.wait(PATIENCE_S)

    films.begin(first, make_first)
    films.begin(first, lambda _: pytest.fail("it is being made already"))
    films.begin(second, lambda _: done.set())
    assert films.known(second) == Making()
    assert len(changes) == 2, "listeners are notified of both requests"
    assert not done.is_set()
    goes_on.set()
    assert done.wait(PATIENCE_S)
    assert progress == [Making(0.25)]
    assert films.known(first) is None
    assert len(changes) >= 3, "and that the first is there"


class _ReadTogether(dict["Path", Making]):
    """Dictionary of known films, which two threads read at once unless a lock prevents it."""

    def __init__(self) -> None:
        super().__init__()
        self._both = Barrier(2)

    def get(self, *arguments: Any) -> Any:
        known = super().get(*arguments)
        with suppress(BrokenBarrierError):
            self._both.wait(0.2)
        return known


def test_a_film_requested_twice_is_made_once(tmp_path: Path) -> None:
    films, asked, done = FilmJobs(), Event(), Event()
    films._known = _ReadTogether()
    made: list[bool] = []
    asking = [
        Thread(target=films.begin, args=(tmp_path / "film.mp4", lambda _: made.append(asked.wait(PATIENCE_S))))
        for _ in range(2)
    ]
    for each in asking:
        each.start()
    for thread in asking:
        thread.join()
    asked.set()
    films.begin(tmp_path / "next.mp4", lambda _: done.set())
    assert done.wait(PATIENCE_S)
    assert made == [True]


def test_a_failed_film_is_reported_and_can_be_requested_again(tmp_path: Path) -> None:
    changes: list[None] = []
    films, tried = FilmJobs(notify=lambda: changes.append(None)), Event()

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


def test_no_film_is_made_while_bam_is_judged(tmp_path: Path) -> None:
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
