"""`bunnymoose deck list|show|check|enrol`, with text and JSON output."""

import json
from pathlib import Path

import pytest

from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.deck import load_deck, read_deck
from tests.program import Program

pytestmark = pytest.mark.usefixtures("data_folder")


def test_list_names_the_bundled_decks(bunnymoose: Program) -> None:
    out = bunnymoose.output("deck", "list")
    assert "111 cards, 72 basic and 39 advanced" in out
    assert "111 cards in one lot" in out
    listed = bunnymoose.objects("deck", "list", "--json")
    assert [(deck["name"], deck["cards"], deck["advanced"]) for deck in listed] == [
        ("first", 111, 0),
        ("second", 72, 39),
    ]
    assert all(deck["reconstruction"] for deck in listed)


def test_show_lists_every_card_and_mentions_the_reconstruction(bunnymoose: Program) -> None:
    out = bunnymoose.output("deck", "show", "second")
    assert "reconstruction" in out
    deck = load_deck("second")
    assert all(str(card) in out for card in deck.cards + deck.advanced)
    (shown,) = bunnymoose.objects("deck", "show", "second", "--json")
    assert " ".join(shown["cards"]) == format_table(deck.cards)
    assert " ".join(shown["advanced"]) == format_table(deck.advanced)


def test_custom_deck_is_shown_literally(bunnymoose: Program, tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('title = "Our [/bold] box"\nedition = "first"\ncards = ["L.WU+1 L.WU+1 HUNTER"]', encoding="utf-8")
    out = bunnymoose.output("deck", "show", path)
    assert "Our [/bold] box: 3 cards in one lot" in out
    assert "2 × L.WU+1" in out
    assert "reconstruction" not in out


@pytest.mark.parametrize("name", ["first", "second"])
def test_deck_printed_as_toml_is_the_same_deck_and_passes_the_check(
    bunnymoose: Program, tmp_path: Path, name: str
) -> None:
    out = bunnymoose.output("deck", "show", name, "--toml")
    path = tmp_path / "my-box.toml"
    path.write_text(out, encoding="utf-8")
    assert read_deck(path) == load_deck(name)
    assert bunnymoose("deck", "show", path, "--toml") == (0, out, "")
    for deck in (path, name):
        assert all(line.startswith("✓ ") for line in bunnymoose.output("deck", "check", deck).splitlines())


def test_toml_and_json_output_exclude_each_other(bunnymoose: Program) -> None:
    err = bunnymoose.refusal("deck", "show", "--toml", "--json")
    assert err == "--toml and --json print the same deck in two ways: choose one.\n"


def test_deck_that_differs_from_the_box_fails_the_check(bunnymoose: Program, tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('title = "Box"\nedition = "first"\ncards = ["L.WU+1 HUNTER"]', encoding="utf-8")
    code, out, err = bunnymoose("deck", "check", path)
    assert (code, err) == (1, "")
    assert "✗ 2 cards, the box holds 111" in out
    assert "✗ left and right alike" in out
    code, out, _ = bunnymoose("deck", "check", path, "--json")
    checked = json.loads(out)
    assert (code, checked["right"]) == (1, False)
    assert {finding["holds"] for finding in checked["findings"]} == {True, False}


@pytest.mark.parametrize("command", ["show", "check"])
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read"),
        ("cards = [", "is no valid TOML"),
        (
            'title = "Box"\nedition = "second"\ncards = ["HUNTER L.WX+1"]',
            "row 1 of “cards”: “WX” is not a card’s headgear",
        ),
    ],
)
def test_invalid_deck_file_is_one_sentence_and_exit_code_2(
    bunnymoose: Program, tmp_path: Path, command: str, content: str | None, sentence: str
) -> None:
    path = tmp_path / "box.toml"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert sentence in bunnymoose.refusal("deck", command, path)


def test_new_enrolment_knows_no_face(bunnymoose: Program) -> None:
    assert bunnymoose.output("deck", "enrol", "--list").startswith("0 of 94 faces; missing: L.WU+2 L.WU-1 ")
    (listed,) = bunnymoose.objects("deck", "enrol", "--json")
    assert (listed["faces"], listed["known"], len(listed["missing"])) == (94, 0, 94)


def test_damaged_enrolment_and_missing_image_are_one_sentence_each(
    bunnymoose: Program, tmp_path: Path, data_folder: Path
) -> None:
    assert "no.jpg" in bunnymoose.refusal("deck", "enrol", tmp_path / "no.jpg")
    (data_folder / "bunnymoose" / "deck").mkdir(parents=True)
    (data_folder / "bunnymoose" / "deck" / "enrolment.json").write_text("{")
    assert "is damaged: enrol the deck again." in bunnymoose.refusal("deck", "enrol", "--list")


def test_table_camera_is_refused_without_the_screen(bunnymoose: Program) -> None:
    err = bunnymoose.refusal(
        "play", "--no-screen", "--table-camera", "1", "--camera", "0", "--players", "Red,Blue,Green"
    )
    assert "--table-camera is for the screen" in err
