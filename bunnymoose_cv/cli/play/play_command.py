"""`bunnymoose play`: a whole game, on the table screen or in the terminal."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from bunnymoose_cv.cli.framework.command_groups import takes_groups
from bunnymoose_cv.cli.games.kept_game_arguments import kept_games
from bunnymoose_cv.cli.play import play_options as options
from bunnymoose_cv.core.signals import ended_with

ON_SCREEN: Final = "Table screen"
GO_ON: Final = "A game that was begun is kept: go on with --resume."


@takes_groups
@ended_with(GO_ON)
def play(
    *,
    context: typer.Context,
    game: options.GameOptions,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan", help="Phones in the same network may join, with the code on the screen.", rich_help_panel=ON_SCREEN
        ),
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=65535, help="The port of the screen.", rich_help_panel=ON_SCREEN),
    ] = None,
    table_camera: Annotated[
        str | None, typer.Option(metavar="N|NAME|URL", help="A second camera that watches the cards.")
    ] = None,
    no_screen: Annotated[
        bool, typer.Option("--no-screen", help="Play in the terminal only.", rich_help_panel=options.IN_TERMINAL)
    ] = False,
    first_round: options.RoundOptions,
) -> None:
    """Play a game, with a screen for the table that opens in the browser, or in the terminal alone.

    The screen asks for everything not given here; with --no-screen a line at the bottom lists the keys. The game
    is saved as it goes, with images and a replay of each round; --resume continues an interrupted evening.

    For example:

        bunnymoose play

        bunnymoose play --lan --camera 0 --players Red,Blue,Green,Yellow

        bunnymoose play --no-screen --camera 0 --players Red,Blue,Green --deal --tempo 2.5 --language de

        bunnymoose play --no-screen --camera round.mp4 --players Red,Blue,Green --cards "…" --at 4.2 --json

        bunnymoose play --no-screen --script evening.toml --json
    """
    typed = options.typed_options(context)
    options.refuse_useless(typed)
    given, games = game.read(rules_given=bool(options.RULES & typed.keys())), kept_games(game.games_folder)
    if no_screen:
        from bunnymoose_cv.cli.play.play_terminal import play_in_terminal

        play_in_terminal(games, given, first_round, game.bam)
        return
    from bunnymoose_cv.cli.play.play_screen import play_on_screen

    play_on_screen(games, given, bam=options.learnt_bam(game.bam), table_camera=table_camera, lan=lan, port=port)
