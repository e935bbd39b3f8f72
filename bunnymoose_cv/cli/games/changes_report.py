"""Report of what a correction changed, for people: announcements, figures, ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.cli.tables.round_tables import ranking_grid
from bunnymoose_cv.cli.terminal.console import Terminal

if TYPE_CHECKING:
    from bunnymoose_cv.record.correction_effects import Changes


def show_changes(changed: Changes) -> None:
    """Print the changes for people."""
    console = Terminal()
    if changed.before == changed.after and not changed.lines and not changed.figures:
        console.print("Nothing else changes.")
        return
    for each in changed.lines:
        console.print(Text(f"Round {each.round_number}", "bold"))
        for sign, lines, others in (("−", each.before, each.after), ("+", each.after, each.before)):
            for line in lines:
                if line not in others:
                    console.print(Text(f"  {sign} {line}"))
    if changed.figures:
        grid = Grid("After round", "Figure", "Was on", "Is on")
        for figure in changed.figures:
            name = f"{figure.figure.player}’s {figure.figure.animal.value}"
            grid.add_row(str(figure.round_number), Text(name), str(figure.before), str(figure.after))
        console.print(grid)
    if changed.before == changed.after:
        console.print("The ranking stays as it was:")
    console.print(ranking_grid(changed.after))
