"""Log of a played round: what happened stands there, nobody's name, no address and no image."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from tests.quick import QUICK_FREEZE, write_profile

if TYPE_CHECKING:
    import pytest

    from tests.program import Program

EVENING = Path(__file__).parents[2] / "fixtures" / "evening"
NAMES = ("Zdenka", "Ambrosius", "Leocadia", "Wenceslaus")


def test_a_round_is_logged_without_names(bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    write_profile(tmp_path / "data", QUICK_FREEZE)
    script = tmp_path / "Leocadias evening.toml"
    script.write_text(
        f"players = {json.dumps(NAMES)}\n[[round]]\nclip = '{EVENING / 'round_01.mp4'}'\n"
        f"bet = 'Leocadia'\ncards = 'RABBIT*2 TONGUE+2 R.WD-2 REVERSE TONGUE+1 L.?F-2'\nbam_s = 1.8\n"
    )
    games = str(tmp_path / "games")
    assert "Zdenka" in bunnymoose.output("play", "--script", script, "--no-screen", "--json", "--games", games)
    (file,) = (tmp_path / "data" / "bunnymoose" / "logs").iterdir()
    lines = file.read_text("utf-8").splitlines()
    assert sum("bunnymoose_cv.referee.referee: round 1 is judged:" in line for line in lines) == 1
    assert not [line for line in lines for name in (*NAMES, str(tmp_path), "round_01", "://") if name in line]
    assert file.stat().st_size < 10_000
