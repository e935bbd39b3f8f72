"""`bunnymoose play`: a whole game, on the table screen or in the terminal alone."""

from __future__ import annotations

from typing import Final

import typer  # noqa: TC002 - typer reads the annotations

from bunnymoose_cv.cli.framework.option_groups import takes_groups
from bunnymoose_cv.cli.games.kept_game_arguments import kept_games
from bunnymoose_cv.cli.play import play_options as options
from bunnymoose_cv.cli.play.useless_options import RULES, refuse_useless, typed_options
from bunnymoose_cv.core.signals import ended_with

GO_ON: Final = "A game that was begun is kept: go on with --resume."


@takes_groups
@ended_with(GO_ON)
def play(
    *,
    context: typer.Context,
    game: options.GameOptions,
    lan: options.LanOption = False,
    port: options.PortOption = None,
    table_camera: options.TableCameraOption = None,
    no_screen: options.NoScreenOption = False,
    first_round: options.RoundOptions,
) -> None:
    """Play a game, with a screen for the table that opens in the browser, or in the terminal alone.

    The screen asks for whatever is not told here; with --no-screen a line at the bottom tells the keys. The game is
    kept as it goes, with images and a replay of each round; an evening that was interrupted goes on with --resume.

    For example:

        bunnymoose play

        bunnymoose play --lan --camera 0 --players Red,Blue,Green,Yellow

        bunnymoose play --no-screen --camera 0 --players Red,Blue,Green --deal --tempo 2.5 --language de

        bunnymoose play --no-screen --camera round.mp4 --players Red,Blue,Green --cards "…" --at 4.2 --json

        bunnymoose play --no-screen --script evening.toml --json
    """
    typed = typed_options(context)
    refuse_useless(typed)
    told, games = game.read(rules_told=bool(RULES & typed.keys())), kept_games(game.games_folder)
    if no_screen:
        from bunnymoose_cv.cli.play.play_terminal import play_in_terminal

        play_in_terminal(games, told, first_round, game.bam)
        return
    from bunnymoose_cv.cli.play.play_screen import play_on_screen

    play_on_screen(games, told, bam=options.learnt_bam(game.bam), table_camera=table_camera, lan=lan, port=port)
