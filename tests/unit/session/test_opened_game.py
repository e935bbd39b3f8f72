"""A game of a store from its opening to its end: what is kept of it, and what gives way to it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted, PosesJudged
from bunnymoose_cv.session.opened_game import open_game, opened_game, resume_game
from bunnymoose_cv.session.services import Spoken

if TYPE_CHECKING:
    from pathlib import Path

STARTED = GameStarted(("Ann", "Ben", "Cleo"), rules_for())
SILENT = Spoken(Language.ENGLISH, aloud=False)


class _StoppedError(Exception):
    """End of a game in the middle."""


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("judged", [False, True])
def test_a_game_stays_where_bam_was_said(tmp_path: Path, *, judged: bool, stops: bool) -> None:
    games = GameStore(tmp_path)
    file = open_game(games, STARTED, source="evening")
    record = load_settings().record
    with suppress(_StoppedError), opened_game(games, file, None, SILENT, pytest.fail, record=record) as services:
        assert services.file is file
        if judged:
            file.append([Bam(), PosesJudged({})], why="a test", who="people")
        if stops:
            raise _StoppedError
    assert [game.folder for game in games] == ([file.folder] if judged else [])


def test_old_evenings_give_way_when_a_game_is_over(tmp_path: Path) -> None:
    games, told = GameStore(tmp_path), list[str]()
    record = load_settings().record.model_copy(update={"keep_evenings": 1})
    for _ in range(2):
        file = open_game(games, STARTED, source="evening")
        with opened_game(games, file, None, SILENT, pytest.fail, record=record, tell_of_clearing=told.append):
            file.append([Bam(), PosesJudged({})], why="a test", who="people")
    assert [game.folder for game in games] == [file.folder]
    assert len(told) == 1


def test_another_spelling_of_a_name_goes_on_with_the_game(tmp_path: Path) -> None:
    games = GameStore(tmp_path)
    begun = open_game(games, STARTED, source="evening")
    begun.close()
    unfinished = games.unfinished("evening")
    assert unfinished is not None
    with resume_game(games, unfinished, replace(STARTED, players=("ANN", "Ben ", "Cleo"))) as file:
        assert (file.folder, file.game.players) == (begun.folder, STARTED.players)
    with pytest.raises(InputError, match="other players or rules"):
        resume_game(games, unfinished, replace(STARTED, players=("Ann", "Ben", "Dan")))
