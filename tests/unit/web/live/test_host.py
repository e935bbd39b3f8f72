"""Host of the evening: what happens to the game that is played."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_choices import FIRST_CHOICES, Choices
from tests.unit.web.openings import Openings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A host whose games nobody watches."""
    games = GameStore(tmp_path / "games")

    @contextmanager
    def session(choices: Choices) -> Iterator[Any]:
        with games.begin(choices.started(), who="a test") as file:
            yield SimpleNamespace(state=SimpleNamespace(game=file.game, folder=file.folder))

    access = Access.of_the_evening(AccessFile(tmp_path / "access.json"), resume=False)
    host = Host(games, access, replace(FIRST_CHOICES, players=("Red", "Blue", "Green")), Openings(session=session))
    yield host
    host.close()


@pytest.mark.parametrize(("deleted", "is_ended"), [("1", True), ("2", False)])
def test_a_game_that_is_played_ends_before_it_is_deleted(host: Host, deleted: str, *, is_ended: bool) -> None:
    for _ in range(2):
        host.begin(host.choices)
    game = host.games.find(deleted)
    assert (game.folder == host.folder) == is_ended
    host.delete(game)
    assert not game.folder.exists()
    assert (host.session is None) == is_ended
