"""Report for people of a disputed verdict, and of what a correction changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.cli.tables.round_tables import ranking_grid
from bunnymoose_cv.cli.tables.score_grid import score_grid
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.drawing.pose_words import headgear_words
from bunnymoose_cv.rules.pose import parse_headgear
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.voice.phrases import announce

if TYPE_CHECKING:
    from rich.console import Console

    from bunnymoose_cv.cli.games.dispute import Dispute
    from bunnymoose_cv.record.correction_effects import Changes
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence


def show_dispute(console: Console, dispute: Dispute) -> None:
    """Print all that is known about a verdict."""
    console.print(Text(f"Round {dispute.round_number}, seat {dispute.seat}: {dispute.player}", "bold"))
    if dispute.reading is not None:
        console.print(_reading_grid(dispute.reading))
    else:
        console.print("Nothing was seen of this player, or nothing was kept.")
    if dispute.moved_s is not None:
        console.print(f"Moved {dispute.moved_s:.1f} s after Bam.")
    for each in dispute.corrections:
        console.print(Text(f"Put right by {each.who} ({each.why}): {each.pose}"))
    if dispute.verdict is not None:
        score = dispute.verdict.score
        console.print(score_grid(score))
        console.print(Text(announce(score.species, score.total, [dispute.verdict.player]), "bold"))
    for name, path in dispute.files.items():
        console.print(Text(f"{name:8} {path}"), soft_wrap=True)


def _reading_grid(reading: PlayerEvidence) -> Grid:
    grid = Grid("", "Read", "Sure", "Because")
    for side, headgear in (("left", reading.left), ("right", reading.right)):
        grid.add_row(side, _headgear_words(headgear), f"{headgear.confidence:.0%}", "; ".join(headgear.reasons))
    doubt = "?" if reading.tongue.unclear else ""
    grid.add_row("tongue", f"{'out' if reading.tongue.out else 'in'}{doubt}", f"{reading.tongue.confidence:.0%}", "")
    return grid


def _headgear_words(headgear: HeadgearEvidence) -> str:
    return headgear_words(parse_headgear(headgear.headgear), [Field(name) for name in headgear.unclear])


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
