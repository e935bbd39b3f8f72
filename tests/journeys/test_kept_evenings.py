"""Evenings stay: neither starts that failed nor a clock that is behind take one away."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.record import game_store as games_room
from tests.doubles import write_party

if TYPE_CHECKING:
    from datetime import tzinfo
    from pathlib import Path
    from typing import Self

    from tests.program import Program

SCRIPT = """
players = ["Red", "Blue", "Green"]
[[round]]
clip = "party.mp4"
bet = "Blue"
deal = true
bam_s = 0.4
"""


class AYearBehind(datetime):
    """The clock of a computer without a battery."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """A year ago."""
        return super().now(tz) - timedelta(days=365)


@pytest.mark.usefixtures("quick_freeze", "reads_the_party")
def test_ten_failed_starts_and_a_clock_behind_take_no_evening_away(
    bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_party(tmp_path / "party.mp4", 8)
    script, games = tmp_path / "evening.toml", ("--games", str(tmp_path / "games"))
    script.write_text(SCRIPT)
    evening = ("play", "--script", str(script), "--no-screen", "--json", *games)

    def listed() -> list[str]:
        return [json.loads(line)["name"] for line in bunnymoose("games", "list", "--json", *games)[1].splitlines()]

    code, _, err = bunnymoose(*evening)
    assert (code, err) == (0, "")
    (first,) = listed()
    for _ in range(10):
        camera = ("--camera", str(tmp_path / "nowhere.mp4"), "--players", "A,B,C")
        code, _, _ = bunnymoose("play", "--no-screen", *camera, *games)
        assert code == 2
    assert listed() == [first]
    with monkeypatch.context() as behind:
        behind.setattr(games_room, "datetime", AYearBehind)
        code, _, err = bunnymoose(*evening)
    assert (code, err) == (0, "")
    second, *others = listed()
    assert others == [first]
    assert second < first
    for name in (first, second):
        code, out, _ = bunnymoose("games", "show", name, "--json", *games)
        assert (code, len(out.splitlines())) == (0, 2)
