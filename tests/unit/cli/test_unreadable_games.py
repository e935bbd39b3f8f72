"""Commands on kept games of which something may not be read: one sentence that names it, never a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.past_evening import FilmState, past_evening_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Run = tuple[int, str, str]


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("hidden", ["rounds", "rounds/01", "rounds/01/evidence.json", "rounds/01/replay.json"])
@pytest.mark.parametrize(
    "command", [("contest", "1", "1", "Blue"), ("replay", "1", "1", "--seat", "Blue"), ("games", "highlights", "1")]
)
def test_evidence_that_may_not_be_read_is_one_sentence(
    bunnymoose: Callable[..., Run], games: Path, hidden: str, command: tuple[str, ...]
) -> None:
    untouched = {"contest": "rounds/01/replay.json", "games": "rounds/01/evidence.json"}
    path = GameStore(games).find("1").folder / hidden
    path.chmod(0)
    code, _, err = bunnymoose(*command, "--games", str(games))
    path.chmod(0o700)
    assert "Traceback" not in err
    if hidden == untouched.get(command[0]):
        assert (code, err) == (0, "")
    else:
        assert code == 2
        assert str(path) in err
        assert "cannot be read (Permission denied): give yourself the right to read it" in err.splitlines()[0]


@pytest.mark.usefixtures("held_to_permissions")
@pytest.mark.parametrize("hidden", ["rounds", "rounds/01"])
def test_a_replay_in_a_closed_folder_is_not_said_to_be_missing(
    bunnymoose: Callable[..., Run], games: Path, hidden: str
) -> None:
    kept = GameStore(games).find("1")
    (kept.folder / hidden).chmod(0)
    code, out, err = bunnymoose("replay", "1", "1", "--games", str(games))
    evening = past_evening_of(kept)
    (kept.folder / hidden).chmod(0o700)
    assert (code, out) == (2, "")
    assert "give yourself the right to read it" in err
    assert (evening.rounds[0].film, evening.rounds[0].seat_films) == (FilmState.DAMAGED, ())
