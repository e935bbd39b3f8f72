"""Report of kept games for people: the list, and one game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.cli.games.event_words import correction_words
from bunnymoose_cv.cli.tables.round_tables import ranking_grid, show_round
from bunnymoose_cv.record.past_evening import corrections
from bunnymoose_cv.rules.events import Correction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.past_evening import ListedGame
    from bunnymoose_cv.record.stored_game import StoredGame


def show_games(console: Console, listed: Iterable[ListedGame]) -> None:
    """Print the list: of each game the players, the rounds and who is first; of one that cannot be read, the reason."""
    grid = Grid("No.", "Began", "Called", "Players", "Rounds", "First", "Room")
    grid.columns[1].no_wrap = True
    for game in listed:
        about = ("", game.problem, "", "") if game.problem else _cells(game)
        grid.add_row(str(game.kept.number), game.kept.name, *map(Text, about), f"{game.kept.size_bytes / 1e6:.1f} MB")
    console.print(grid)


def _cells(game: ListedGame) -> tuple[str, str, str, str]:
    first = [standing.player for standing in game.ranking if standing.place == 1] if game.rounds else []
    rounds = f"{game.rounds}{'' if game.over else ', not over'}"
    return game.title, ", ".join(game.players), rounds, ", ".join(first)


def show_game(console: Console, kept: StoredGame, file: GameFile) -> None:
    """Print a game: each round, its corrections, the ranking."""
    console.print(Text(f"{kept.name} {file.title}".strip(), "bold"))
    for played in file.game.rounds:
        show_round(console, played, None)
        for entry in corrections(file.standing, played.facts.number):
            if isinstance(entry.event, Correction):
                words = correction_words(entry.event)
                console.print(Text(f"Put right by {entry.who} ({entry.why}): {words}"))
        console.print()
    console.print(ranking_grid(file.game.ranking))
