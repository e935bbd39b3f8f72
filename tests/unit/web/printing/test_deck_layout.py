"""Positions on paper: nothing overlaps or leaves the sheet, backs meet their fronts, mats are cut between places."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from bunnymoose_cv.rules.deck import load_deck
from bunnymoose_cv.rules.faces import face_numbers
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, mat_of
from bunnymoose_cv.web.printing.deck_layout import deck_sheets
from bunnymoose_cv.web.printing.mat_pdf import mat_parts
from bunnymoose_cv.web.printing.paper import Paper

UNPRINTED_MM = 4.0
"""Margin in which a home printer prints nothing; cards keep clear of it."""


@pytest.mark.parametrize("paper", [Paper.A4, Paper.LETTER])
def test_cards_lie_side_by_side_inside_the_sheet(paper: Paper) -> None:
    deck = load_deck("second")
    cards = (*deck.cards, *deck.advanced)
    sheets = deck_sheets(cards, paper)
    assert [card for sheet in sheets for card, _ in sheet.fronts] == list(cards)
    assert len(sheets) == 13
    width, height = paper.size_mm
    for sheet in sheets:
        for _, spot in sheet.fronts:
            assert UNPRINTED_MM < spot.x < width - CARD_SIZE_MM[0] - UNPRINTED_MM
            assert UNPRINTED_MM < spot.y < height - CARD_SIZE_MM[1] - UNPRINTED_MM
        for (_, one), (_, other) in combinations(sheet.fronts, 2):
            apart = abs(one.x - other.x) >= CARD_SIZE_MM[0] - 1e-6, abs(one.y - other.y) >= CARD_SIZE_MM[1] - 1e-6
            assert any(apart)


def test_a_back_meets_its_front_when_the_sheet_is_turned_over_its_long_edge() -> None:
    deck = load_deck("second")
    for sheet in deck_sheets(deck.cards[:4], Paper.A4):
        for (_, front), back in zip(sheet.fronts, sheet.backs, strict=True):
            assert back.y == front.y
            assert Paper.A4.size_mm[0] - back.x - CARD_SIZE_MM[0] == pytest.approx(front.x)


def test_crop_marks_touch_no_card() -> None:
    sheet = deck_sheets(load_deck("second").cards, Paper.LETTER)[0]
    left, top = min(spot.x for _, spot in sheet.fronts), min(spot.y for _, spot in sheet.fronts)
    right = max(spot.x for _, spot in sheet.fronts) + CARD_SIZE_MM[0]
    bottom = max(spot.y for _, spot in sheet.fronts) + CARD_SIZE_MM[1]
    assert len(sheet.marks) == 16
    for mark in sheet.marks:
        inside_x = left < max(mark.x1, mark.x2) and min(mark.x1, mark.x2) < right
        inside_y = top < max(mark.y1, mark.y2) and min(mark.y1, mark.y2) < bottom
        assert not (inside_x and inside_y)
        assert min(mark.x1, mark.y1, mark.x2, mark.y2) > 0


def test_faces_are_numbered_once_each() -> None:
    deck = load_deck("second")
    numbers = face_numbers(deck)
    assert len(numbers) == 94
    assert sorted(numbers.values()) == list(range(94))
    assert numbers[deck.cards[0]] == 0


@pytest.mark.parametrize(
    ("places", "paper", "pages"),
    [
        (6, Paper.A4, 2),
        (8, Paper.A4, 3),
        (6, Paper.LETTER, 2),
        (8, Paper.LETTER, 3),
        (6, Paper.A3, 2),
        (8, Paper.A3, 2),
    ],
)
def test_a_mat_is_cut_between_places(places: int, paper: Paper, pages: int) -> None:
    mat = mat_of(places)
    parts = mat_parts(mat, paper)
    assert len(parts) == pages
    assert parts[0].x == 0
    assert parts[-1].x + parts[-1].width == pytest.approx(mat.size[0])
    assert all(left.x + left.width == right.x for left, right in pairwise(parts))
    assert all(part.width < paper.size_mm[1] - 15 for part in parts)
    cuts = [part.x for part in parts[1:]]
    for box in (*mat.places, *(marker.square for marker in mat.markers)):
        assert not any(box.x - 1 < cut < box.x + box.width + 1 for cut in cuts)
