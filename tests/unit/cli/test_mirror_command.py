"""`bunnymoose mirror` in the terminal: what is asked, what is seen, one hint, and in the end how often it agreed."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

PLAYERS = Path(__file__).parents[3] / "fixtures" / "players"
Run: TypeAlias = tuple[int, str, str]
ASKS_WU_WU_FIRST = "205"
"""A number for --seed: what the player of 0009.jpg shows."""


@pytest.fixture
def holding_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve seconds of a player who shows two wide antlers up; what is kept goes to a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "still"
    folder.mkdir()
    for number in range(120):
        (folder / f"{number:03}.jpg").symlink_to(PLAYERS / "0009.jpg")
    return folder


def test_what_is_shown_agrees_goes_on_and_is_counted(
    bunnymoose: Callable[..., Run], holding_still: Path, tmp_path: Path
) -> None:
    code, out, err = bunnymoose("mirror", "--camera", str(holding_still), "--seed", ASKS_WU_WU_FIRST, "--json")
    assert (code, err) == (0, "")
    *looks, end = map(json.loads, out.splitlines())
    agreed = [look for look in looks if look["number"] == 1 and look["seen"] is not None]
    assert {(look["asked"], look["seen"], look["hint"]) for look in agreed} == {("WU WU", "WU WU", None)}
    after = [look for look in looks if look["number"] == 2]
    assert after
    assert all(look["done"] == 1 and look["hint"] for look in after if look["seen"])
    assert all(earlier != later for earlier, later in pairwise(looks))
    assert end["done"] == 1
    assert end["tallies"]["spread"] == {"agreed": 1, "asked": 1}
    assert end["tallies"]["form"] == {"agreed": 0, "asked": 0}
    assert not [*(tmp_path / "data").rglob("takes")]  # nobody asked for takes


def test_a_camera_that_is_not_there_is_one_sentence(bunnymoose: Callable[..., Run], tmp_path: Path) -> None:
    code, out, err = bunnymoose("mirror", "--camera", str(tmp_path / "none.mp4"), "--no-screen")
    assert (code, out) == (2, "")
    assert err.startswith("There is no camera, clip or folder")
    assert err.count("\n") == 1
