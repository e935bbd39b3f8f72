"""Last table in the terminal: camera and players are offered where nobody told any."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles
from bunnymoose_cv.capture.live import address_of, shown_name
from bunnymoose_cv.cli.terminal.keyboard import Keyboard
from bunnymoose_cv.cli.terminal.printable import printable
from bunnymoose_cv.core.address import completed
from bunnymoose_cv.rules.player_names import player_names

if TYPE_CHECKING:
    from bunnymoose_cv.cli.play.play_options import PlayOptions


def at_last_table(options: PlayOptions) -> PlayOptions:
    """Options with the last table, where somebody at the terminal takes it.

    Args:
        options: as they were told; those that name a camera or players are left as they are.

    Raises:
        InputError: nobody can play by the names that are stored.
    """
    last = default_table_profiles().last()
    told = options.camera is not None or options.names is not None
    if told or last is None or not last.players or not Keyboard().there:
        return options
    question = f"The last table: {', '.join(last.players)}; {shown_name(last.camera)}. Play there again?"
    if not typer.confirm(printable(question), default=True, err=True):
        return options
    return replace(
        options, camera=ask_for_secrets(last.camera), names=None if options.resume else player_names(last.players)
    )


def ask_for_secrets(camera: str) -> str:
    """Return a kept camera, an address with the password that was left out of it; Enter leaves it out again."""
    while (address := address_of(camera)) is not None and not address.is_complete and Keyboard().there:
        question = printable(f"The password of {address.shown}")
        secret = typer.prompt(question, default="", show_default=False, hide_input=True, err=True)
        if not secret:
            break
        camera = completed(camera, secret)
    return camera
