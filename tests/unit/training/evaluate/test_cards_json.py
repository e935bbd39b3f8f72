"""Lines of an evaluation of card photographs, as other programs read them."""

from __future__ import annotations

from bunnymoose_cv.vision.cards.card_reading import PlaceState
from training.evaluate.card_manifest import EMPTY, OTHER, CardOutcome, ImageOutcome, card_figures
from training.evaluate.cards_json import AllFiguresShape, CardFiguresShape, PhotographShape

A, B = "MOOSE+1", "MOOSE+2"
PLACES = (
    CardOutcome(A, PlaceState.CARD, (A,)),
    CardOutcome(A, None),
    CardOutcome(OTHER, PlaceState.UNSURE, (A, B)),
    CardOutcome(EMPTY, PlaceState.EMPTY),
)
PHOTOGRAPH = ImageOutcome("ü.jpg", "dim", PLACES, seconds=0.12345, invented=(B,))


def test_the_line_of_a_photograph() -> None:
    assert PhotographShape.of(PHOTOGRAPH).line(ascii_only=False) == (
        '{"source": "ü.jpg", "group": "dim", "places": ['
        '{"truth": "MOOSE+1", "state": "card", "read": ["MOOSE+1"], "right": true}, '
        '{"truth": "MOOSE+1", "state": null, "read": [], "right": false}, '
        '{"truth": "?", "state": "unsure", "read": ["MOOSE+1", "MOOSE+2"], "right": false}, '
        '{"truth": "--", "state": "empty", "read": [], "right": true}], "invented": ["MOOSE+2"], "seconds": 0.123}'
    )


def test_the_line_of_all_figures() -> None:
    half = '{"n": 2, "count": 1, "rate": 0.5, "low": 0.09453120463920084, "high": 0.9054687953607992}'
    none = '{"n": 1, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.7934506882081973}'
    shape = CardFiguresShape.of(card_figures([PHOTOGRAPH]))
    assert AllFiguresShape(figures={"": shape}).line() == (
        f'{{"figures": {{"": {{"found": {half}, "right": {half}, "all_right": {none}, "asked": {none}, '
        '"offered": null, "sure_wrong": {"n": 2, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.6576197760453506}, '
        f'"taken": {half}, "invented": {{"n": 1, "count": 1, "rate": 1.0, "low": 0.2065493117918027, "high": 1.0}}, '
        '"photographs": 1, "median_s": 0.12345}}}'
    )
