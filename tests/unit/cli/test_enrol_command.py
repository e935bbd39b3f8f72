"""`bunnymoose deck enrol --list` and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Run = tuple[int, str, str]


@pytest.fixture(autouse=True)
def _own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_nothing_is_known_at_first(bunnymoose: Callable[..., Run]) -> None:
    code, out, err = bunnymoose("deck", "enrol", "--list")
    assert (code, err) == (0, "")
    assert out.startswith("0 of 94 faces; missing: L.WU+2 L.WU-1 ")
    code, out, _ = bunnymoose("deck", "enrol", "--json")
    listed = json.loads(out)
    assert (code, listed["faces"], listed["known"], len(listed["missing"])) == (0, 94, 0, 94)


def test_a_damaged_deck_and_a_missing_image_are_sentences(bunnymoose: Callable[..., Run], tmp_path: Path) -> None:
    code, out, err = bunnymoose("deck", "enrol", str(tmp_path / "no.jpg"))
    assert (code, out) == (2, "")
    assert "no.jpg" in err
    (tmp_path / "bunnymoose" / "deck").mkdir(parents=True)
    (tmp_path / "bunnymoose" / "deck" / "enrolment.json").write_text("{")
    code, out, err = bunnymoose("deck", "enrol", "--list")
    assert (code, out) == (2, "")
    assert "is damaged: enrol the deck again." in err


def test_the_table_camera_needs_the_screen(bunnymoose: Callable[..., Run]) -> None:
    code, out, err = bunnymoose(
        "play", "--no-screen", "--table-camera", "1", "--camera", "0", "--players", "Red,Blue,Green"
    )
    assert (code, out) == (2, "")
    assert "--table-camera is for the screen" in err
