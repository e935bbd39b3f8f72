"""`bunnymoose play`: a whole game, from a camera or from a script. Owns no round and no terminal."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.evening import Evening
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.games import Games
    from bunnymoose_cv.rules.events import GameStarted


def play(
    *,
    script: Annotated[
        Path | None,
        typer.Option("--script", metavar="EVENING.toml", help="Play what this file tells, from clips, without a key."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the unfinished game of this script, if there is one.")
    ] = False,
    games_folder: Annotated[
        Path | None, typer.Option("--games", metavar="FOLDER", help="Where games are kept; usually your data folder.")
    ] = None,
    no_screen: Annotated[bool, typer.Option("--no-screen", help="Play in the terminal alone.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per round, last the ranking, and nothing else.")
    ] = False,
    speak: Annotated[bool, typer.Option("--speak", help="Say the announcements of a script.")] = False,
) -> None:
    """Play a game.

    For example:

        bunnymoose play --script evening.toml --no-screen --json

        bunnymoose play --script evening.toml --resume --speak
    """
    if script is None:
        raise InputError("play needs something to see: name a script with --script")
    if not no_screen:
        typer.echo("There is no table screen yet: the game runs in the terminal.", err=True)
    from bunnymoose_cv.evening import read_evening
    from bunnymoose_cv.record.games import Games, usual_games_folder

    games = Games(games_folder or usual_games_folder())
    _play_evening(read_evening(script), script, games, resume=resume, as_json=as_json, speak=speak)


def _play_evening(evening: Evening, script: Path, games: Games, *, resume: bool, as_json: bool, speak: bool) -> None:
    """Play a script and report each round."""
    from rich.console import Console

    from bunnymoose_cv.cli.rounds import ranking_grid, show_round
    from bunnymoose_cv.cli.scripted import play_script
    from bunnymoose_cv.outside import PlayedRoundShape, RankingShape
    from bunnymoose_cv.profile import load_profile
    from bunnymoose_cv.record.evidence import EvidenceKeeper
    from bunnymoose_cv.referee import Referee
    from bunnymoose_cv.rules.events import GameStarted
    from bunnymoose_cv.vision.following import Follower
    from bunnymoose_cv.vision.reader import Reader

    with ExitStack() as stack:
        started = GameStarted(evening.players, evening.rules)
        profile = load_profile()
        file = stack.enter_context(_game_of(games, started, str(script.resolve()), script.stem, resume=resume))
        reader = stack.enter_context(Reader(profile))
        keeper = EvidenceKeeper(file.folder, _tell)
        stack.callback(keeper.finish)
        follower = Follower(reader, len(evening.players) - 1)
        referee = Referee(file, follower, reader, say=_voice(stack, speak=speak), keeper=keeper, tell=_tell, asks=False)
        for played, judged in play_script(evening, file, referee):
            if as_json:
                typer.echo(PlayedRoundShape.of(played, judged).line())
            else:
                show_round(Console(), played, judged)
        if as_json:
            typer.echo(RankingShape.of(file.game.ranking).line())
        else:
            Console().print(ranking_grid(file.game.ranking))
    games.clear_out(profile.record)


def _game_of(games: Games, started: GameStarted, source: str, title: str, *, resume: bool) -> GameFile:
    """The game that goes on, or a new one.

    Raises:
        InputError: there is a game from that source, but of other players or rules; or games cannot be kept here.
    """
    unfinished = games.unfinished(source) if resume else None
    if unfinished is None:
        return games.begin(started, title=title, source=source, who="people")
    file = games.resume(unfinished)
    if file.entries[0].event != started:
        file.close()
        raise InputError(
            f"The game {unfinished.name} was begun by other players or rules: play without --resume to begin a new one."
        )
    return file


def _voice(stack: ExitStack, *, speak: bool) -> Callable[[str], None]:
    """What is given the announcements."""
    if not speak:
        return lambda _: None
    from bunnymoose_cv.voice.speaker import Speaker

    return stack.enter_context(Speaker()).say


def _tell(sentence: str) -> None:
    """Tell a person something that stops nothing."""
    typer.echo(sentence, err=True)
