"""Tables of a judgement in the terminal: what was read and why, what it scores, what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.cli.tables.score_grid import score_grid
from bunnymoose_cv.drawing.pose_words import headgear_words, tongue_words
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.voice.phrases import announce, ask_to_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from bunnymoose_cv.referee.judge import JudgedPlayer, Judgement
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.rules.scoring import Score


def show_judgement(console: Console, title: str, judgement: Judgement) -> None:
    """Print a judgement."""
    if not judgement.players:
        console.print(Text(f"{title}: nobody is in the picture"))
        return
    console.print(_readings_grid(title, judgement))
    for player in judgement.players:
        if player.score is not None:
            _show_score(console, player.called, player.score)
    for line in judgement.said:
        console.print(Text(line, "bold"))
    for player in judgement.players:
        if player.move is not None:
            _show_doubt(console, player.called, player.move)


def _readings_grid(title: str, judgement: Judgement) -> Grid:
    grid = Grid(title=Text(title), title_justify="left")
    grid.add_column("Player", no_wrap=True)
    grid.add_column("Shows")
    grid.add_column("Sure", justify="right", no_wrap=True)
    grid.add_column("Because", ratio=1)
    for player in judgement.players:
        heading = Text(f"{player.called}\n{player.reading.pose}")
        for number, cells in enumerate(_reading_rows(player)):
            grid.add_row("" if number else heading, *cells)
        grid.add_section()
    return grid


def _reading_rows(player: JudgedPlayer) -> Iterator[tuple[str, str, str]]:
    """Left, right, tongue: the words, how sure, and the reasons; a question mark stands where people should look."""
    for side in Side:
        reading = player.reading.headgear[side]
        words = f"{side.name.lower()}: {headgear_words(reading.headgear, reading.unclear)}"
        yield words, f"{reading.confidence:.0%}", "; ".join(reading.reasons)
    tongue = player.reading.tongue
    yield tongue_words(tongue), f"{tongue.confidence:.0%}", ""


def _show_doubt(console: Console, name: str, move: JudgedMove) -> None:
    """The question about a move in doubt with its answers; below a sure one, the doubts that change nothing."""
    if move.asked:
        console.print(Text(f"{ask_to_check([name])}: {answers_line(move)}", "yellow"))
    for reason in move.reasons:
        console.print(Text(f"{name}: {reason}", "dim"))


def answers_line(move: JudgedMove) -> str:
    """The answers that differ in the move, likeliest first: `WU CU: Moose ahead 3 (81%), or …`."""
    return ", or ".join(
        f"{each.pose}: {announce(each.score.species, each.score.total)} ({each.probability:.0%})"
        for each in move.answers
    )


def _show_score(console: Console, name: str, score: Score) -> None:
    """Show the points of each card; a bush has one reason for all of them."""
    if score.total is None:
        console.print(Text(f"{name}: {score.lines[0].why}", "bold"))
        return
    animal, species = score.pose.animal, score.species
    counts_as = "" if species is animal else f" that counts as a {species.value}"
    console.print(Text(f"{name}: a {animal.value}{counts_as}", "bold"))
    console.print(score_grid(score))
