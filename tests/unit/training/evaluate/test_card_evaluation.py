"""`python -m training.evaluate` of card manifests, on drawn photographs of printed cards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.rules.deck import read_deck
from tests.small_deck import SHOWN, photograph_cards, write_small_deck

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Run = tuple[int, str, str]


@pytest.fixture(autouse=True)
def _no_deck_is_enrolled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def deck_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_deck(tmp_path_factory.mktemp("deck"))


@pytest.fixture(scope="module")
def photograph(deck_file: Path) -> Path:
    return photograph_cards(read_deck(deck_file).cards, deck_file.parent / "table.png")


def test_a_list_of_photographs_is_evaluated_and_bad_lines_are_named(
    laboratory: Callable[..., Run], photograph: Path, deck_file: Path
) -> None:
    manifest = photograph.parent / "cards.csv"
    lines = [
        f"{photograph.name},{SHOWN},lamp",
        f"{photograph.name},MOOSE+2 L.CD+1 TONGUE+3,daylight",
        f"{photograph.name},MOOSE+9x,lamp",
        "missing.jpg,HUNTER,lamp",
    ]
    manifest.write_text("\n".join(["file,cards,group", *lines]) + "\n", "utf-8")
    code, out, err = laboratory("evaluate", str(manifest), "--deck", str(deck_file), "--json")
    assert code == 2
    assert len(err.splitlines()) == 2
    *images, figures = [json.loads(line) for line in out.splitlines()]
    assert [[place["right"] for place in image["places"]] for image in images] == [
        [True, True, True],
        [True, False, True],
    ]
    assert figures["figures"][""]["right"]["count"] == 5
    assert figures["figures"]["lamp"]["all_right"] == pytest.approx(
        {"n": 1, "count": 1, "rate": 1.0, "low": 0.2065, "high": 1.0}, abs=1e-3
    )
    assert figures["figures"][""]["sure_wrong"]["count"] == 1


def test_the_table_of_figures_lists_the_wrong_places(
    laboratory: Callable[..., Run], photograph: Path, deck_file: Path
) -> None:
    manifest = photograph.parent / "one.csv"
    lines = [f"{photograph.name},MOOSE+2 L.CD+1 TONGUE+3", f"{photograph.name},MOOSE+2 ? --"]
    manifest.write_text("\n".join(["file,cards", *lines, f"{photograph.name},MOOSE+2 L.WU+2"]), "utf-8")
    code, out, err = laboratory("evaluate", str(manifest), "--deck", str(deck_file))
    assert (code, err) == (0, "")
    assert "place 2: L.CD+1 was read as L.WU+2" in out
    assert "place 2: ? was read as L.WU+2" in out
    assert "place 3: -- was read as TONGUE+3" in out
    assert f"{photograph.name}: TONGUE+3 was read where no card lies" in out
    (invented,) = (line.split("│") for line in out.splitlines() if "invented" in line)
    assert [cell.strip() for cell in invented[2:4]] == ["2", "3"]
    assert "card right" in out
