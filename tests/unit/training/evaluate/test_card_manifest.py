"""Card manifests: lines, counts, JSON, and evaluation of drawn photographs."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.rules.deck import read_deck
from bunnymoose_cv.vision.cards.card_reading import CardCandidate, CardFaceId, CardsReading, PlaceReading, PlaceState
from tests.small_deck import SHOWN, photograph_cards, write_small_deck
from training.evaluate.card_manifest import (
    EMPTY,
    OTHER,
    AllFiguresShape,
    CardFiguresShape,
    CardOutcome,
    ImageOutcome,
    PhotographShape,
    card_figures,
    compared,
    lists_cards,
    read_card_manifest,
)
from training.evaluate.shares import Share

A, B = "MOOSE+1", "MOOSE+2"
RIGHT = CardOutcome(A, PlaceState.CARD, (A,))
ASKED = CardOutcome(A, PlaceState.UNSURE, (B, A))
WRONG = CardOutcome(A, PlaceState.CARD, (B,))
MISSED = CardOutcome(A, None)
FREE = CardOutcome(EMPTY, PlaceState.EMPTY)
TAKEN = CardOutcome(OTHER, PlaceState.UNSURE, (A, B))


def test_card_figures_count_their_outcomes() -> None:
    first = ImageOutcome("1", "", (RIGHT, FREE, RIGHT), things=2, things_taken=1, seconds=0.5)
    second = ImageOutcome("2", "", (RIGHT, ASKED, WRONG, MISSED, TAKEN), seconds=0.3)
    figures = card_figures([first, second])
    assert figures.found == Share(6, 5)
    assert figures.right == Share(6, 3)
    assert figures.all_right == Share(2, 1)
    assert figures.asked == Share(5, 1)
    assert figures.offered == Share(1, 1)
    assert figures.sure_wrong == Share(6, 1)
    assert figures.taken == Share(4, 2)
    assert figures.invented == Share(2, 2)


def test_figure_without_outcomes_is_none() -> None:
    figures = card_figures([ImageOutcome("1", "", (FREE,))])
    assert (figures.found, figures.all_right, figures.offered) == (None, None, None)


def reading(faces: str, *, mat: bool = False) -> CardsReading:
    """Return a reading of places from left to right; `--` is an empty place of the mat."""
    places = []
    for number, face in enumerate(faces.split(), start=1):
        state = PlaceState.EMPTY if face == EMPTY else PlaceState.CARD
        candidates = () if face == EMPTY else (CardCandidate(CardFaceId(face), 1.0),)
        places.append(PlaceReading(number, np.zeros((4, 2), np.float32), state, candidates))
    return CardsReading(tuple(places), (640, 480), mat)


@pytest.mark.parametrize(
    ("truth", "read", "offered", "invented"),
    [
        # one card missed and another invented: equal numbers, but no pair
        ("L.WU+1 R.WU+2 REVERSE", "HUNTER L.WU+1 R.WU+2", "L.WU+1 R.WU+2 nothing", "HUNTER"),
        # misread: equal numbers remain between two matches
        ("L.WU+1 R.WU+2 REVERSE", "L.WU+1 HUNTER REVERSE", "L.WU+1 HUNTER REVERSE", ""),
        ("L.WU+1 R.WU+2", "HUNTER REVERSE", "HUNTER REVERSE", ""),
        # different numbers remain, so the pairs are unknown
        ("L.WU+1 R.WU+2 REVERSE", "HUNTER REVERSE", "nothing nothing REVERSE", "HUNTER"),
        ("L.WU+1 REVERSE", "L.WU+1 HUNTER MOOSE+1 REVERSE", "L.WU+1 REVERSE", "HUNTER MOOSE+1"),
        # places without a card keep their position, whether read as a card or not
        ("L.WU+1 ? REVERSE --", "L.WU+1 REVERSE", "L.WU+1 nothing REVERSE nothing", ""),
        ("L.WU+1 ? REVERSE", "L.WU+1 HUNTER REVERSE", "L.WU+1 HUNTER REVERSE", ""),
        ("? R.WU+2 REVERSE", "HUNTER REVERSE", "nothing HUNTER REVERSE", ""),
        ("? --", "", "nothing nothing", ""),
        ("REVERSE", "REVERSE HUNTER", "REVERSE", "HUNTER"),
    ],
)
def test_cards_without_a_mat_are_aligned_with_the_truth(truth: str, read: str, offered: str, invented: str) -> None:
    outcomes, left = compared(truth.split(), reading(read))
    assert [outcome.shows for outcome in outcomes] == truth.split()
    assert ["".join(outcome.offered) or "nothing" for outcome in outcomes] == offered.split()
    assert list(left) == invented.split()


@pytest.mark.parametrize(
    ("truth", "read", "right", "taken"),
    [
        ("L.WU+1 -- ?", "L.WU+1 -- --", Share(1, 1), Share(2, 0)),
        ("L.WU+1 --", "-- HUNTER", Share(1, 0), Share(1, 1)),
        ("L.WU+1", "L.WU+1 HUNTER --", Share(1, 1), Share(2, 1)),  # the mat has more places than the truth
        ("L.WU+1 REVERSE", "L.WU+1", Share(2, 1), None),
    ],
)
def test_places_of_the_mat_are_compared_one_to_one(truth: str, read: str, right: Share, taken: Share | None) -> None:
    places, invented = compared(truth.split(), reading(read, mat=True))
    figures = card_figures([ImageOutcome("1", "", places, invented=invented)])
    assert (figures.right, figures.taken) == (right, taken)
    assert figures.invented == Share(1, taken.count if taken else 0)


def test_cards_invented_beside_the_row_are_counted_per_photograph() -> None:
    """The number of things beside the row is unknown, so the count is per photograph."""
    plain = [ImageOutcome(str(number), "", (RIGHT,)) for number in range(9)]
    figures = card_figures([*plain, ImageOutcome("9", "", (RIGHT,), invented=(A, B))])
    assert (figures.taken, figures.invented) == (None, Share(10, 1))


def test_problem_names_the_line_of_the_file(tmp_path: Path) -> None:
    listed = tmp_path / "cards.csv"
    listed.write_text("file,cards\na.jpg,HUNTER ? --\nb.jpg,HUNTERS\nc.jpg,\n", "utf-8")
    cards = read_card_manifest(listed)
    assert lists_cards(listed)
    assert [row.places for row in cards.rows] == [("HUNTER", "?", "--")]
    assert [str(problem).split(": ")[0] for problem in cards.problems] == [f"Line {n} of {listed}" for n in (3, 4)]


A, B = "MOOSE+1", "MOOSE+2"
PLACES = (
    CardOutcome(A, PlaceState.CARD, (A,)),
    CardOutcome(A, None),
    CardOutcome(OTHER, PlaceState.UNSURE, (A, B)),
    CardOutcome(EMPTY, PlaceState.EMPTY),
)
PHOTOGRAPH = ImageOutcome("ü.jpg", "dim", PLACES, seconds=0.12345, invented=(B,))


def test_json_line_of_a_photograph() -> None:
    assert PhotographShape.of(PHOTOGRAPH).line(ascii_only=False) == (
        '{"source": "ü.jpg", "group": "dim", "places": ['
        '{"truth": "MOOSE+1", "state": "card", "read": ["MOOSE+1"], "right": true}, '
        '{"truth": "MOOSE+1", "state": null, "read": [], "right": false}, '
        '{"truth": "?", "state": "unsure", "read": ["MOOSE+1", "MOOSE+2"], "right": false}, '
        '{"truth": "--", "state": "empty", "read": [], "right": true}], "invented": ["MOOSE+2"], "seconds": 0.123}'
    )


def test_json_line_of_all_figures() -> None:
    half = '{"n": 2, "count": 1, "rate": 0.5, "low": 0.09453120463920084, "high": 0.9054687953607992}'
    none = '{"n": 1, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.7934506882081973}'
    shape = CardFiguresShape.of(card_figures([PHOTOGRAPH]))
    assert AllFiguresShape(figures={"": shape}).line() == (
        f'{{"figures": {{"": {{"found": {half}, "right": {half}, "all_right": {none}, "asked": {none}, '
        '"offered": null, "sure_wrong": {"n": 2, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.6576197760453506}, '
        f'"taken": {half}, "invented": {{"n": 1, "count": 1, "rate": 1.0, "low": 0.2065493117918027, "high": 1.0}}, '
        '"photographs": 1, "median_s": 0.12345}}}'
    )


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


def test_photographs_are_evaluated_and_bad_lines_are_named(
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


def test_table_of_figures_lists_the_wrong_places(
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
