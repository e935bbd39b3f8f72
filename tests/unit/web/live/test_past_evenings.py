"""Past evenings: the one that is looked at, and those that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.web.live.past_evenings import load, when
from bunnymoose_cv.web.urls import game_number


def test_the_played_evening_is_looked_at_unless_another_is_wanted(games: Path) -> None:
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
    assert [(each.title, each.rounds, each.over) for each in newest.listed] == [("", 0, False), ("Birthday", 2, False)]


def test_an_evening_that_cannot_be_read_hides_no_other(games: Path) -> None:
    damaged = games / "2027-01-01_20-00-00"
    damaged.mkdir()
    (damaged / "game.sqlite").write_bytes(b"coffee")
    (damaged / "order.txt").write_text("2")
    evenings = load(GameStore(games), None, None)
    assert "cannot be read" in evenings.problem
    assert evenings.retold is None
    assert [bool(each.problem) for each in evenings.listed] == [True, False]


def test_without_evenings_there_is_nothing_to_look_at(tmp_path: Path) -> None:
    assert load(GameStore(tmp_path), None, None).listed == ()


def test_games_that_cannot_be_listed_are_told(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("in the way")
    evenings = load(GameStore(tmp_path / "games"), None, None)
    assert (evenings.listed, evenings.kept) == ((), None)
    assert "cannot be listed" in evenings.problem


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
def test_an_evening_is_called_by_day_and_hour_as_the_language_writes_them(
    folder: str, language: str, said: str
) -> None:
    assert when(Path("games", folder), Texts(Language(language))).replace("\N{NO-BREAK SPACE}", " ") == said


def test_a_folder_that_is_named_otherwise_keeps_its_name() -> None:
    assert when(Path("games/summer-2026"), Texts()) == "summer-2026"
