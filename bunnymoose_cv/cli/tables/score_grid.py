"""Table of a score in the terminal: a card a row, its points and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as Grid

if TYPE_CHECKING:
    from bunnymoose_cv.rules.scoring import Score, ScoreLine


def score_grid(scored: Score) -> Grid:
    """The cards, points and reasons of a score as a table for the terminal."""
    grid = Grid("Card", "Points", "Why")
    grid.columns[1].justify = "right"
    for line in scored.lines:
        counts = bool(line.points) or line.factor != 1
        grid.add_row(str(line.card), _points_words(line), line.why, style=None if counts else "dim")
    return grid


def _points_words(line: ScoreLine) -> str:
    if line.factor != 1:
        return "±" if line.factor < 0 else f"×{line.factor}"
    return f"{line.points:+d}" if line.points else "0"
