"""`bunnymoose cards`, `judge --cards-from` and `evaluate` of card manifests, on drawn photographs of printed cards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.cli.cards_command import table_in
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import load_deck, read_deck
from bunnymoose_cv.vision.cards.card_reader import CardReader
from bunnymoose_cv.web.art import card_images
from bunnymoose_cv.web.art.card_images import printed_card

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.rules.cards import Table

Run = tuple[int, str, str]

FACES = "L.WU+2 R.SF+1 B.T?+1 MOOSE+2 TONGUE+3 HUNTER REVERSE L.CD+1"
SHOWN = "MOOSE+2 L.WU+2 TONGUE+3"


@pytest.fixture(autouse=True)
def _no_deck_is_enrolled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def deck_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deck") / "box.toml"
    path.write_text(f'title = "Small"\nedition = "second"\ncards = ["{FACES}"]\n', "utf-8")
    return path


@pytest.fixture(scope="module")
def photograph(deck_file: Path) -> Path:
    """The printed cards of the small deck."""
    return _photographed(read_deck(deck_file).cards, deck_file.parent / "table.png")


def _photographed(deck: Table, path: Path) -> Path:
    """Three printed cards on a dark cloth, seen from the narrator's side: upside down."""
    table = np.full((520, 1060, 3), 50, np.uint8)
    for index, card in enumerate(parse_table(SHOWN)):
        image = printed_card(card, tuple(dict.fromkeys(deck)).index(card))
        table[90:442, 60 + index * 340 : 312 + index * 340] = image[::-1, ::-1]
    noise = np.random.default_rng(1).normal(0, 3, table.shape)
    seen = np.clip(cv2.GaussianBlur(table, (0, 0), 0.8) * 0.9 + noise, 0, 255).astype(np.uint8)
    cv2.imwrite(str(path), seen)
    return path


def test_the_cards_are_printed_in_our_notation(
    bunnymoose: Callable[..., Run], photograph: Path, deck_file: Path
) -> None:
    code, out, err = bunnymoose("cards", str(photograph), "--deck", str(deck_file))
    assert (code, err) == (0, "")
    assert out == f"{photograph}: {SHOWN}\n"


@pytest.mark.parametrize(
    "words", [["cards", "missing.jpg", "notes.txt"], ["judge", "missing.jpg", "--cards-from", "missing.jpg"]]
)
def test_without_a_photograph_no_reader_is_prepared(
    bunnymoose: Callable[..., Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    (tmp_path / "notes.txt").write_text("Bunny, bunny, moose!")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(CardReader, "__init__", lambda *_: pytest.fail("prepared"))
    monkeypatch.setattr(card_images, "printed_enrolment", lambda *_: pytest.fail("drawn"))
    code, out, err = bunnymoose(*words)
    assert (code, out) == (2, "")
    assert "There is no missing.jpg" in err


def test_json_holds_places_and_a_bad_file_stops_no_other(
    bunnymoose: Callable[..., Run], photograph: Path, deck_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    code, out, err = bunnymoose(
        "cards", str(tmp_path / "text.jpg"), str(photograph), "--deck", str(deck_file), "--json"
    )
    assert code == 2
    assert len(err.splitlines()) == 1
    shape = json.loads(out)
    assert (shape["cards"], shape["mat"], shape["size"], shape["advice"]) == (SHOWN, False, [1060, 520], [])
    assert [place["state"] for place in shape["places"]] == ["card"] * 3
    upside_down = shape["places"][0]["corners_px"]
    assert upside_down[0][0] > upside_down[1][0]


def test_players_are_judged_by_the_cards_of_a_photograph(
    bunnymoose: Callable[..., Run], party_file: Path, tmp_path: Path
) -> None:
    deck = load_deck("second")
    table = _photographed((*deck.cards, *deck.advanced), tmp_path / "table.png")
    code, out, err = bunnymoose("judge", str(party_file), "--cards-from", str(table), "--json")
    assert (code, err) == (0, "")
    players = json.loads(out)["players"]
    assert [[line["card"] for line in player["score"]["lines"]] for player in players] == [SHOWN.split()] * len(players)


def test_no_cards_in_the_photograph_are_one_sentence(deck_file: Path, tmp_path: Path) -> None:
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((300, 400, 3), 90, np.uint8))
    with pytest.raises(InputError, match="--cards") as refused:
        table_in(blank, read_deck(deck_file))
    assert "from above" in refused.value.sentence


def test_cards_are_named_or_read_and_not_both(
    bunnymoose: Callable[..., Run], party_file: Path, photograph: Path
) -> None:
    code, _, err = bunnymoose("judge", str(party_file), "--cards", "HUNTER", "--cards-from", str(photograph))
    assert (code, len(err.splitlines())) == (2, 1)


def test_a_list_of_photographs_is_evaluated_and_bad_lines_are_named(
    bunnymoose: Callable[..., Run], photograph: Path, deck_file: Path
) -> None:
    manifest = photograph.parent / "cards.csv"
    lines = [
        f"{photograph.name},{SHOWN},lamp",
        f"{photograph.name},MOOSE+2 L.CD+1 TONGUE+3,daylight",
        f"{photograph.name},MOOSE+9x,lamp",
        "missing.jpg,HUNTER,lamp",
    ]
    manifest.write_text("\n".join(["file,cards,group", *lines]) + "\n", "utf-8")
    code, out, err = bunnymoose("evaluate", str(manifest), "--deck", str(deck_file), "--json")
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
    bunnymoose: Callable[..., Run], photograph: Path, deck_file: Path
) -> None:
    manifest = photograph.parent / "one.csv"
    lines = [f"{photograph.name},MOOSE+2 L.CD+1 TONGUE+3", f"{photograph.name},MOOSE+2 ? --"]
    manifest.write_text("\n".join(["file,cards", *lines, f"{photograph.name},MOOSE+2 L.WU+2"]), "utf-8")
    code, out, err = bunnymoose("evaluate", str(manifest), "--deck", str(deck_file))
    assert (code, err) == (0, "")
    assert "place 2: L.CD+1 was read as L.WU+2" in out
    assert "place 2: ? was read as L.WU+2" in out
    assert "place 3: -- was read as TONGUE+3" in out
    assert f"{photograph.name}: TONGUE+3 was read where no card lies" in out
    (invented,) = (line.split("│") for line in out.splitlines() if "invented" in line)
    assert [cell.strip() for cell in invented[2:4]] == ["2", "3"]
    assert "card right" in out
