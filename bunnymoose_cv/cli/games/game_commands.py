"""`bunnymoose games` and `bunnymoose replay`: the stored games and their films."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bunnymoose_cv.cli.framework.named_files import INPUT_WAS_WRONG, check_output_file
from bunnymoose_cv.cli.games.kept_game_arguments import (
    GameArgument,
    GamesOption,
    JsonOption,
    OpenOption,
    RoundArgument,
    kept_games,
    seat_of,
    seats_of,
)
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.json_line import json_line

app = typer.Typer(
    help="""The games that are kept on this computer.

    For example:

        bunnymoose games list

        bunnymoose games show last
    """,
    no_args_is_help=True,
)


@app.command("list")
def list_games(*, games: GamesOption = None, as_json: JsonOption = False) -> None:
    """List the kept games, the newest first.

    For example:

        bunnymoose games list

        bunnymoose games list --json
    """
    from bunnymoose_cv.cli.games.game_reports import show_games
    from bunnymoose_cv.output.game_json import listed_game_json
    from bunnymoose_cv.record.past_evening import listed_game

    listed = [listed_game(game) for game in kept_games(games)]
    if as_json:
        for game in listed:
            echo(json_line(listed_game_json(game)))
    elif listed:
        show_games(Terminal(), listed)
    else:
        echo(f"No game is kept in {kept_games(games).folder} yet.", err=True)


@app.command()
def show(game: GameArgument, *, games: GamesOption = None, as_json: JsonOption = False) -> None:
    """Show a game: the announcements and corrections of each round, and the ranking.

    For example:

        bunnymoose games show last

        bunnymoose games show 2026-11-21 --json
    """
    from bunnymoose_cv.cli.games.game_reports import show_game
    from bunnymoose_cv.output.game_json import kept_round_json, ranking_json
    from bunnymoose_cv.record.game_file import GameFile

    kept = kept_games(games).find(game)
    with GameFile.open(kept.folder) as file:
        if as_json:
            for played in file.game.rounds:
                echo(json_line(kept_round_json(file, played)))
            echo(json_line({"ranking": ranking_json(file.game.ranking)}))
        else:
            show_game(Terminal(), kept, file)


@app.command()
def export(
    game: GameArgument,
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The ZIP file to write; usually the game's name, here.")
    ] = None,
    games: GamesOption = None,
) -> None:
    """Copy a game with all its films and images into one ZIP file.

    What cannot be read is named, all else is copied, and the exit code is 2.

    For example:

        bunnymoose games export last

        bunnymoose games export 3 --out birthday.zip
    """
    from bunnymoose_cv.record.game_export import export_game, unread

    kept = kept_games(games).find(game)
    path = Path(f"{kept.name}.zip") if out is None else out
    check_output_file(path)
    missing = export_game(kept, path)
    for error in missing:
        echo(f"{unread(error)}: it is missing in the copy.", err=True)
    echo(path)
    if missing:
        raise typer.Exit(INPUT_WAS_WRONG)


@app.command()
def delete(
    game: GameArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    games: GamesOption = None,
) -> None:
    """Take a game away with all its films and images; nothing brings it back.

    For example:

        bunnymoose games delete 2026-11-21_20-05-33

        bunnymoose games delete last --yes
    """
    found = kept_games(games)
    kept = found.find(game)
    if not yes:
        typer.confirm(f"Take away {kept.name} with all its films and pictures?", abort=True, err=True)
    found.delete(kept)
    echo(f"{kept.name} is gone.", err=True)


@app.command()
def highlights(
    game: GameArgument,
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The MP4 file to write; usually in the game's folder.")
    ] = None,
    show_it: OpenOption = False,
    games: GamesOption = None,
) -> None:
    """Make one film of a game's highlights: the biggest scores, players who moved, and corrections.

    A replay that cannot be read is named, the film is made from the others, and the exit code is 2.

    For example:

        bunnymoose games highlights last --open

        bunnymoose games highlights 2 --out highlights.mp4
    """
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.short_films import write_highlights

    kept = kept_games(games).find(game)
    if out is not None:
        check_output_file(out)
    path, problems = kept.highlights if out is None else out, list[InputError]()
    try:
        with GameFile.open(kept.folder) as file:
            write_highlights(file, path, problems)
    finally:
        for problem in problems:
            echo(problem, err=True)
    _hand_over(path, show_it=show_it)
    if problems:
        raise typer.Exit(INPUT_WAS_WRONG)


def replay(
    game: GameArgument,
    round_number: RoundArgument,
    *,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="A close-up of one player: the seat or the name.")
    ] = None,
    show_it: OpenOption = False,
    games: GamesOption = None,
) -> None:
    """Print the path of the replay of a round, or open it.

    For example:

        bunnymoose replay last 3 --open

        bunnymoose replay 2026-11-21 3 --seat 2
    """
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.round_folder import is_there, round_folder
    from bunnymoose_cv.record.short_films import write_seat_film

    kept = kept_games(games).find(game)
    with GameFile.open(kept.folder) as file:
        players, rounds = seats_of(file.game, round_number), file.game.rounds
    evidence = round_folder(kept.folder, round_number)
    if seat is not None:
        meant = seat_of(players, seat)
        verdicts = rounds[round_number - 1].verdicts if round_number <= len(rounds) else ()
        path = write_seat_film(evidence, meant, next((verdict for verdict in verdicts if verdict.seat == meant), None))
    elif is_there(evidence.replay):
        path = evidence.replay
    else:
        raise InputError(f"Round {round_number} of {kept.name} has no replay: it was not kept, or is being written.")
    _hand_over(path, show_it=show_it)


def _hand_over(path: Path, *, show_it: bool) -> None:
    echo(path)
    if show_it and typer.launch(str(path)):
        raise InputError(f"Nothing on this computer opens {path} by itself: open it by hand.")
