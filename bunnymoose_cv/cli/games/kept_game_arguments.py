"""Arguments that name a stored game, a round and a seat, and their lookup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.player_names import name_key

if TYPE_CHECKING:
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.rules.game import Game

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="The game: “last”, its number in the list, its name, or its date.")
]
RoundArgument = Annotated[int, typer.Argument(metavar="ROUND", help="The number of the round, from 1.")]
GamesOption = Annotated[
    Path | None,
    typer.Option("--games", metavar="DIR", help="The folder that games are kept in; usually in your data folder."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, one object per line, and nothing else.")]
OpenOption = Annotated[bool, typer.Option("--open", help="Open it with the default program for such files.")]


def kept_games(folder: Path | None) -> GameStore:
    """Return the stored games of a folder or, if None, of the default one."""
    from bunnymoose_cv.record.game_store import GameStore, default_games_folder

    return GameStore(default_games_folder() if folder is None else folder)


def seats_of(game: Game, round_number: int) -> tuple[str, ...]:
    """Return the players of a round by seat, from seat 1 on; raise an `InputError` if it does not exist."""
    if 1 <= round_number <= len(game.rounds):
        return game.rounds[round_number - 1].facts.seats
    if round_number == game.round_number:
        return game.seats
    raise InputError(f"There is no round {round_number}: this game has come to round {game.round_number}.")


def seat_of(players: tuple[str, ...], wanted: str) -> int:
    """Return the seat with a player's name, with a number, or with the name in other capitals, in this order."""
    name = wanted.strip()
    if name in players:
        return players.index(name) + 1
    if name in {str(seat) for seat in range(1, len(players) + 1)}:
        return int(name)
    alike = [seat for seat, player in enumerate(players, start=1) if name_key(player) == name_key(name)]
    if len(alike) == 1:
        return alike[0]
    seats = ", ".join(f"{seat} ({player})" for seat, player in enumerate(players, start=1))
    raise InputError(f"There is no seat “{wanted}” in this round: choose {seats}.")
