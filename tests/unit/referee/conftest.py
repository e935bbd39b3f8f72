"""Fixture of a new game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted


@pytest.fixture
def file(tmp_path: Path) -> Iterator[GameFile]:
    with GameFile.create(tmp_path / "game", GameStarted(("Red", "Blue", "Green"), rules_for()), who="test") as file:
        yield file
