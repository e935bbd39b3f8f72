"""Last table in the terminal: its camera and players are offered if none were given."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.capture.live import address_of, shown_name
from bunnymoose_cv.cli.terminal.echo import printable
from bunnymoose_cv.cli.terminal.keyboard import Keyboard
from bunnymoose_cv.core.address import completed
from bunnymoose_cv.rules.player_names import player_names

if TYPE_CHECKING:
    from bunnymoose_cv.cli.play.play_options import PlayOptions


def at_last_table(options: PlayOptions) -> PlayOptions:
    """Return the options with the last table if they name no camera or players, and the user accepts it."""
    last = default_profile_files().last_table()
    is_given = options.camera is not None or options.given.get("players") is not None
    if is_given or last is None or not last.players or not Keyboard().there:
        return options
    question = f"The last table: {', '.join(last.players)}; {shown_name(last.camera)}. Play there again?"
    if not typer.confirm(printable(question), default=True, err=True):
        return options
    players = None if options.resume else player_names(last.players)
    return replace(options, camera=ask_for_secrets(last.camera), given={**options.given, "players": players})


def ask_for_secrets(camera: str) -> str:
    """Return a stored camera; if it is an address without its password, ask for that. Enter leaves it out."""
    while (address := address_of(camera)) is not None and not address.is_complete and Keyboard().there:
        question = printable(f"The password of {address.shown}")
        secret = typer.prompt(question, default="", show_default=False, hide_input=True, err=True)
        if not secret:
            break
        camera = completed(camera, secret)
    return camera
