"""Figures of card reading, counted on outcomes made by hand, and readings compared with their truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.vision.cards.card_reading import CardCandidate, CardFaceId, CardsReading, PlaceReading, PlaceState
from training.evaluate.card_manifest import (
    EMPTY,
    OTHER,
    CardOutcome,
    ImageOutcome,
    card_figures,
    compared,
    lists_cards,
    read_card_manifest,
)
from training.evaluate.shares import Share

if TYPE_CHECKING:
    from pathlib import Path

A, B = "MOOSE+1", "MOOSE+2"
RIGHT = CardOutcome(A, PlaceState.CARD, (A,))
ASKED = CardOutcome(A, PlaceState.UNSURE, (B, A))
WRONG = CardOutcome(A, PlaceState.CARD, (B,))
MISSED = CardOutcome(A, None)
FREE = CardOutcome(EMPTY, PlaceState.EMPTY)
TAKEN = CardOutcome(OTHER, PlaceState.UNSURE, (A, B))


def test_each_figure_counts_what_it_says() -> None:
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


def test_nothing_of_a_sort_is_no_figure() -> None:
    figures = card_figures([ImageOutcome("1", "", (FREE,))])
    assert (figures.found, figures.all_right, figures.offered) == (None, None, None)


def reading(faces: str, *, mat: bool = False) -> CardsReading:
    """A reading of places from left to right; an empty one of the mat is `--`."""
    places = []
    for number, face in enumerate(faces.split(), start=1):
        state = PlaceState.EMPTY if face == EMPTY else PlaceState.CARD
        candidates = () if face == EMPTY else (CardCandidate(CardFaceId(face), 1.0),)
        places.append(PlaceReading(number, np.zeros((4, 2), np.float32), state, candidates))
    return CardsReading(tuple(places), (640, 480), mat)


@pytest.mark.parametrize(
    ("truth", "read", "told", "invented"),
    [
        # one missed and another invented: equally many, and yet no pairs
        ("L.WU+1 R.WU+2 REVERSE", "HUNTER L.WU+1 R.WU+2", "L.WU+1 R.WU+2 nothing", "HUNTER"),
        # misread: as many are left between two that fit
        ("L.WU+1 R.WU+2 REVERSE", "L.WU+1 HUNTER REVERSE", "L.WU+1 HUNTER REVERSE", ""),
        ("L.WU+1 R.WU+2", "HUNTER REVERSE", "HUNTER REVERSE", ""),
        # another number is left: nobody knows which
        ("L.WU+1 R.WU+2 REVERSE", "HUNTER REVERSE", "nothing nothing REVERSE", "HUNTER"),
        ("L.WU+1 REVERSE", "L.WU+1 HUNTER MOOSE+1 REVERSE", "L.WU+1 REVERSE", "HUNTER MOOSE+1"),
        # places without a card stay, taken for one or not
        ("L.WU+1 ? REVERSE --", "L.WU+1 REVERSE", "L.WU+1 nothing REVERSE nothing", ""),
        ("L.WU+1 ? REVERSE", "L.WU+1 HUNTER REVERSE", "L.WU+1 HUNTER REVERSE", ""),
        ("? R.WU+2 REVERSE", "HUNTER REVERSE", "nothing HUNTER REVERSE", ""),
        ("? --", "", "nothing nothing", ""),
        ("REVERSE", "REVERSE HUNTER", "REVERSE", "HUNTER"),
    ],
)
def test_cards_without_a_mat_are_aligned(truth: str, read: str, told: str, invented: str) -> None:
    outcomes, left = compared(truth.split(), reading(read))
    assert [outcome.shows for outcome in outcomes] == truth.split()
    assert ["".join(outcome.offered) or "nothing" for outcome in outcomes] == told.split()
    assert list(left) == invented.split()


@pytest.mark.parametrize(
    ("truth", "read", "right", "taken"),
    [
        ("L.WU+1 -- ?", "L.WU+1 -- --", Share(1, 1), Share(2, 0)),
        ("L.WU+1 --", "-- HUNTER", Share(1, 0), Share(1, 1)),
        ("L.WU+1", "L.WU+1 HUNTER --", Share(1, 1), Share(2, 1)),  # the mat goes on behind the truth
        ("L.WU+1 REVERSE", "L.WU+1", Share(2, 1), None),
    ],
)
def test_each_place_of_the_mat_is_compared_with_its_own(
    truth: str, read: str, right: Share, taken: Share | None
) -> None:
    places, invented = compared(truth.split(), reading(read, mat=True))
    figures = card_figures([ImageOutcome("1", "", places, invented=invented)])
    assert (figures.right, figures.taken) == (right, taken)
    assert figures.invented == Share(1, taken.count if taken else 0)


def test_what_was_read_beside_the_row_counts_by_photograph() -> None:
    """The number of things beside is unknown, so it is no share of them."""
    plain = [ImageOutcome(str(number), "", (RIGHT,)) for number in range(9)]
    figures = card_figures([*plain, ImageOutcome("9", "", (RIGHT,), invented=(A, B))])
    assert (figures.taken, figures.invented) == (None, Share(10, 1))


def test_a_problem_names_the_line_of_the_file(tmp_path: Path) -> None:
    listed = tmp_path / "cards.csv"
    listed.write_text("file,cards\na.jpg,HUNTER ? --\nb.jpg,HUNTERS\nc.jpg,\n", "utf-8")
    cards = read_card_manifest(listed)
    assert lists_cards(listed)
    assert [row.places for row in cards.rows] == [("HUNTER", "?", "--")]
    assert [str(problem).split(": ")[0] for problem in cards.problems] == [f"Line {n} of {listed}" for n in (3, 4)]
