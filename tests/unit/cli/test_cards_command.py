"""`bunnymoose cards` and `judge --cards-from`, on drawn photographs of printed cards."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from bunnymoose_cv.art import card_images
from bunnymoose_cv.cli import judge_command
from bunnymoose_cv.cli.cards_command import table_in
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.deck import read_deck
from bunnymoose_cv.vision.cards.card_reader import CardReader
from tests.doubles import party_image
from tests.program import Program
from tests.small_deck import SHOWN, photograph_cards, write_small_deck

pytestmark = pytest.mark.usefixtures("data_folder")


@pytest.fixture(scope="module")
def deck_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_deck(tmp_path_factory.mktemp("deck"))


@pytest.fixture(scope="module")
def photograph(deck_file: Path) -> Path:
    return photograph_cards(read_deck(deck_file).cards, deck_file.parent / "table.png")


def test_cards_are_printed_in_the_notation(bunnymoose: Program, photograph: Path, deck_file: Path) -> None:
    assert bunnymoose.output("cards", photograph, "--deck", deck_file) == f"{photograph}: {SHOWN}\n"


@pytest.mark.parametrize(
    "words", [["cards", "missing.jpg", "notes.txt"], ["judge", "missing.jpg", "--cards-from", "missing.jpg"]]
)
def test_reader_is_not_prepared_without_a_photograph(
    bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    (tmp_path / "notes.txt").write_text("Bunny, bunny, moose!")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(CardReader, "__init__", lambda *_: pytest.fail("prepared"))
    monkeypatch.setattr(card_images, "printed_enrolment", lambda *_: pytest.fail("drawn"))
    code, out, err = bunnymoose(*words)
    assert (code, out) == (2, "")
    assert "There is no missing.jpg" in err


def test_json_has_places_and_bad_files_do_not_stop_others(
    bunnymoose: Program, photograph: Path, deck_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "text.jpg").write_text("no picture")
    code, out, err = bunnymoose("cards", tmp_path / "text.jpg", photograph, "--deck", deck_file, "--json")
    assert code == 2
    assert len(err.splitlines()) == 1
    shape = json.loads(out)
    assert (shape["cards"], shape["mat"], shape["size"], shape["advice"]) == (SHOWN, False, [1060, 520], [])
    assert [place["state"] for place in shape["places"]] == ["card"] * 3
    upside_down = shape["places"][0]["corners_px"]
    assert upside_down[0][0] > upside_down[1][0]


@pytest.mark.usefixtures("reads_the_party")
def test_judge_scores_players_by_photographed_cards(
    bunnymoose: Program, photograph: Path, deck_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_command, "deck_of", lambda _: read_deck(deck_file))
    image = tmp_path / "party.png"
    cv2.imwrite(str(image), party_image()[::2, ::2])
    (judged,) = bunnymoose.objects("judge", image, "--cards-from", photograph, "--json")
    assert len(judged["players"]) == 2
    for player in judged["players"]:
        assert [line["card"] for line in player["score"]["lines"]] == SHOWN.split()


def test_photograph_without_cards_is_one_sentence(deck_file: Path, tmp_path: Path) -> None:
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((300, 400, 3), 90, np.uint8))
    with pytest.raises(InputError, match="--cards") as refused:
        table_in(blank, read_deck(deck_file))
    assert "from above" in refused.value.sentence


def test_cards_cannot_be_both_typed_and_photographed(bunnymoose: Program, photograph: Path) -> None:
    bunnymoose.refusal("judge", "missing.jpg", "--cards", "HUNTER", "--cards-from", photograph)
