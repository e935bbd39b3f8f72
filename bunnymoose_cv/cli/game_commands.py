"""`bunnymoose games` and `bunnymoose replay`: the kept games and their films."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.cli.each_input import INPUT_WAS_WRONG
from bunnymoose_cv.cli.echo import echo
from bunnymoose_cv.cli.terminal import Terminal
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.player_names import name_key

if TYPE_CHECKING:
    from rich.console import Console

    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.game_store import Games
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import Round

app = typer.Typer(
    help="""The games that are kept on this computer.

    For example:

        bunnymoose games list

        bunnymoose games show last
    """,
    no_args_is_help=True,
)

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="Which one: “last”, its number in the list, its name, or its date.")
]
RoundArgument = Annotated[int, typer.Argument(metavar="ROUND", help="Which round, from 1.")]
GamesOption = Annotated[
    Path | None,
    typer.Option("--games", metavar="DIR", help="The folder that games are kept in; usually in your data folder."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON objects, one a line, and nothing else.")]
OpenOption = Annotated[bool, typer.Option("--open", help="Open it with what usually shows such files.")]


@app.command("list")
def list_games(*, games: GamesOption = None, as_json: JsonOption = False) -> None:
    """List the kept games, the newest first.

    For example:

        bunnymoose games list

        bunnymoose games list --json
    """
    listed = [_listed(game) for game in kept_games(games)]
    if as_json:
        for each in listed:
            echo(json.dumps(each))
        return
    if not listed:
        echo(f"No game is kept in {kept_games(games).folder} yet.", err=True)
        return
    grid = Grid("No.", "Began", "Called", "Players", "Rounds", "First", "Room")
    grid.columns[1].no_wrap = True
    for each in listed:
        about = ("", each["problem"], "", "") if "problem" in each else _about(each)
        grid.add_row(str(each["number"]), each["name"], *map(Text, about), f"{each['bytes'] / 1e6:.1f} MB")
    Terminal().print(grid)


@app.command()
def show(game: GameArgument, *, games: GamesOption = None, as_json: JsonOption = False) -> None:
    """Show what happened in a game: every round with what was announced, what was put right, and the ranking.

    For example:

        bunnymoose games show last

        bunnymoose games show 2026-11-21 --json
    """
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.referee.json_output import RankingShape

    kept = kept_games(games).find(game)
    with GameFile.open(kept.folder) as file:
        if as_json:
            for played in file.game.rounds:
                echo(json.dumps(_round_shape(file, played)))
            echo(RankingShape.of(file.game.ranking).line())
        else:
            _show(Terminal(), kept, file)


@app.command()
def export(
    game: GameArgument,
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The ZIP file to write; usually the game's name, here.")
    ] = None,
    games: GamesOption = None,
) -> None:
    """Copy a game with all its films and pictures into one ZIP file.

    For example:

        bunnymoose games export last

        bunnymoose games export 3 --out birthday.zip
    """
    found = kept_games(games)
    kept = found.find(game)
    path = Path(f"{kept.name}.zip") if out is None else out
    found.export(kept, path)
    echo(path)


@app.command()
def delete(
    game: GameArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    games: GamesOption = None,
) -> None:
    """Take a game away with all its films and pictures; nothing brings it back.

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
    """Make one film of a game's highlights: the biggest scores, who moved, what was put right.

    A replay that cannot be read is named, the film is made of the others, and the exit code is 2.

    For example:

        bunnymoose games highlights last --open

        bunnymoose games highlights 2 --out highlights.mp4
    """
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.highlight_films import write_highlights

    kept = kept_games(games).find(game)
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
        str | None,
        typer.Option("--seat", metavar="SEAT", help="One player alone, near and slowly: the seat or the name."),
    ] = None,
    show_it: OpenOption = False,
    games: GamesOption = None,
) -> None:
    """Say where the replay of a round lies, or open it.

    For example:

        bunnymoose replay last 3 --open

        bunnymoose replay 2026-11-21 3 --seat 2
    """
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.highlight_films import write_seat_film
    from bunnymoose_cv.record.round_folder import round_folder

    kept = kept_games(games).find(game)
    with GameFile.open(kept.folder) as file:
        players = seats_of(file.game, round_number)
    evidence = round_folder(kept.folder, round_number)
    if seat is not None:
        path = write_seat_film(evidence, seat_of(players, seat))
    elif evidence.replay.is_file():
        path = evidence.replay
    else:
        raise InputError(f"Round {round_number} of {kept.name} has no replay: it was not kept, or is being written.")
    _hand_over(path, show_it=show_it)


def kept_games(folder: Path | None) -> Games:
    """The kept games of a folder, or of the usual one."""
    from bunnymoose_cv.record.game_store import Games, default_games_folder

    return Games(default_games_folder() if folder is None else folder)


def seats_of(game: Game, round_number: int) -> tuple[str, ...]:
    """Return the players of a round by seat, from seat 1 on.

    Raises:
        InputError: there is no such round.
    """
    if 1 <= round_number <= len(game.rounds):
        return game.rounds[round_number - 1].facts.seats
    if round_number == game.round_number:
        return game.seats
    raise InputError(f"There is no round {round_number}: this game has come to round {game.round_number}.")


def seat_of(players: tuple[str, ...], wanted: str) -> int:
    """The seat that is meant by a player's name, by its number, or by the name in other capitals, in this order.

    Raises:
        InputError: nobody sits there, or nobody is called so, or several are.
    """
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


def _hand_over(path: Path, *, show_it: bool) -> None:
    echo(path)
    if show_it and typer.launch(str(path)):
        raise InputError(f"Nothing on this computer opens {path} by itself: open it by hand.")


def _listed(kept: StoredGame) -> dict[str, Any]:
    """Describe a game for the list; for one that cannot be read, the reason."""
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.referee.json_output import RankingShape
    from bunnymoose_cv.rules.game import Phase

    about: dict[str, Any] = {"number": kept.number, "name": kept.name, "bytes": kept.size_bytes}
    about["folder"] = str(kept.folder)
    try:
        with GameFile.open(kept.folder) as file:
            game = file.game
            about |= {"title": file.title, "players": game.players, "rounds": len(game.rounds)}
            about |= {"over": game.phase is Phase.OVER, **RankingShape.of(game.ranking).model_dump(mode="json")}
    except InputError as error:
        about["problem"] = str(error)
    return about


def _about(listed: dict[str, Any]) -> tuple[str, str, str, str]:
    """Title, players, rounds, and who is first."""
    first = [standing["player"] for standing in listed["ranking"] if standing["place"] == 1]
    rounds = f"{listed['rounds']}{'' if listed['over'] else ', not over'}"
    return listed["title"], ", ".join(listed["players"]), rounds, ", ".join(first) if listed["rounds"] else ""


def _round_shape(file: GameFile, played: Round) -> dict[str, Any]:
    """A round as one JSON object."""
    from bunnymoose_cv.record.correction_effects import said
    from bunnymoose_cv.record.past_evening import corrections
    from bunnymoose_cv.rules.cards import format_table

    facts = played.facts
    return {
        "round": facts.number,
        "narrator": facts.narrator,
        "bet": facts.bet,
        "cards": format_table(facts.cards),
        "poses": {player: str(facts.poses[player]) for player in facts.seats},
        "totals": {verdict.player: verdict.score.total for verdict in played.verdicts},
        "say": said(played),
        "figures": _figures(played),
        "corrections": [
            {"time": each.time.isoformat(), **_told(each)} for each in corrections(file.standing, facts.number)
        ],
    }


def _figures(played: Round) -> dict[str, dict[str, int]]:
    """Positions of everybody's moose and rabbit after a round."""
    figures: dict[str, dict[str, int]] = {}
    for figure, place in played.trail.places.items():
        figures.setdefault(figure.player, {})[figure.animal.value] = place
    return figures


def _told(entry: Entry) -> dict[str, Any]:
    """Author and reason of a correction."""
    from bunnymoose_cv.record.event_json import event_to_json

    return {"who": entry.who, "why": entry.why, "event": json.loads(event_to_json(entry.event))}


def _show(console: Console, kept: StoredGame, file: GameFile) -> None:
    from bunnymoose_cv.cli.event_words import correction_words
    from bunnymoose_cv.cli.round_tables import ranking_grid, show_round
    from bunnymoose_cv.record.past_evening import corrections
    from bunnymoose_cv.rules.events import Correction

    console.print(Text(f"{kept.name} {file.title}".strip(), "bold"))
    for played in file.game.rounds:
        show_round(console, played, None)
        for entry in corrections(file.standing, played.facts.number):
            if isinstance(entry.event, Correction):
                words = correction_words(entry.event)
                console.print(Text(f"Put right by {entry.who} ({entry.why}): {words}"))
        console.print()
    console.print(ranking_grid(file.game.ranking))
