"""Tables of rounds, figures and the ranking of a game in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.trail import Figure
from bunnymoose_cv.voice.announcing import catch_up_lines, lines_about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
    from bunnymoose_cv.rules.ranking import Standing
    from bunnymoose_cv.rules.round import Round, RoundFacts
    from bunnymoose_cv.rules.trail import Trail


def show_round(console: Console, played: Round, judged: JudgedRound | None) -> None:
    """Print a round that is over.

    Args:
        judged: what was seen in it; None where the game only remembers what counted.
    """
    facts = played.facts
    bet = f", bet on {facts.bet}" if facts.bet else ""
    console.print(Text(f"Round {facts.number}: {facts.narrator} narrates{bet}", "bold"))
    console.print(_verdicts_grid(played, judged))
    console.print(Text(f"Cards: {format_table(facts.cards)}"))
    for line in (*lines_about(played.verdicts, facts.narrator, facts.bet), *catch_up_lines(played)):
        console.print(Text(line, "bold"))
    console.print(figures_grid(played.trail, tuple(dict.fromkeys(figure.player for figure in played.trail.places))))


def figures_grid(trail: Trail, players: Sequence[str]) -> Grid:
    """Table of the positions of all figures."""
    grid = Grid("", *players)
    for animal in (Animal.MOOSE, Animal.RABBIT):
        grid.add_row(animal.value, *(str(trail.places[Figure(player, animal)]) for player in players))
    return grid


def ranking_grid(standings: Sequence[Standing]) -> Grid:
    """Table of the standings, best first."""
    grid = Grid("place", "player", "rear figure", "front figure", title="Ranking", title_justify="left")
    for each in standings:
        grid.add_row(str(each.place), each.player, str(each.rear), str(each.front))
    return grid


def _verdicts_grid(played: Round, judged: JudgedRound | None) -> Grid:
    """Table of the verdicts; with remarks where something is known of how they were read."""
    grid = Grid("Player", "Shows", "Scores", *([] if judged is None else ["Remarks"]))
    for verdict in played.verdicts:
        total = "bush" if verdict.score.total is None else f"{verdict.score.species.value} {verdict.score.total:+d}"
        row = [Text(verdict.player), Text(str(verdict.score.pose)), Text(total)]
        if judged is not None:
            seat = judged.seats[verdict.seat - 1]
            row.append(Text(_remarks(seat, _reasons(seat, played.facts, judged.threshold))))
        grid.add_row(*row)
    return grid


def _reasons(seat: JudgedSeat, facts: RoundFacts, threshold: float) -> tuple[str, ...]:
    """Reasons of the doubts that changed no move."""
    move = seat.move(facts.cards, facts.rules, threshold)
    return () if move is None or facts.poses[seat.player] != seat.pose else move.reasons


def _remarks(seat: JudgedSeat, reasons: Sequence[str]) -> str:
    """Remarks for people beside the score."""
    remarks = [f"unclear: {', '.join(seat.unclear)}"] if seat.unclear else []
    if seat.reading is None:
        remarks = ["not seen"]
    remarks += reasons
    if seat.movement is not None:
        remarks.append("moved")
    return "; ".join(remarks)
