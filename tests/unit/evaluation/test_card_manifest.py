"""Figures of card reading, counted on outcomes made by hand."""

from __future__ import annotations

from bunnymoose_cv.evaluation.card_manifest import EMPTY, OTHER, CardOutcome, PictureOutcome, card_figures
from bunnymoose_cv.evaluation.shares import Share
from bunnymoose_cv.vision.cards.card_reading import PlaceState

A, B = "MOOSE+1", "MOOSE+2"
RIGHT = CardOutcome(A, PlaceState.CARD, (A,))
ASKED = CardOutcome(A, PlaceState.UNSURE, (B, A))
WRONG = CardOutcome(A, PlaceState.CARD, (B,))
MISSED = CardOutcome(A, None)
FREE = CardOutcome(EMPTY, PlaceState.EMPTY)
TAKEN = CardOutcome(OTHER, PlaceState.UNSURE, (A, B))


def test_each_figure_counts_what_it_says() -> None:
    first = PictureOutcome("1", "", (RIGHT, FREE, RIGHT), things=2, things_taken=1, seconds=0.5)
    second = PictureOutcome("2", "", (RIGHT, ASKED, WRONG, MISSED, TAKEN), seconds=0.3)
    figures = card_figures([first, second])
    assert figures.found == Share(6, 5)
    assert figures.right == Share(6, 3)
    assert figures.all_right == Share(2, 1)
    assert figures.asked == Share(5, 1)
    assert figures.offered == Share(1, 1)
    assert figures.sure_wrong == Share(6, 1)
    assert figures.taken == Share(4, 2)


def test_nothing_of_a_sort_is_no_figure() -> None:
    figures = card_figures([PictureOutcome("1", "", (FREE,))])
    assert (figures.found, figures.all_right, figures.offered) == (None, None, None)
