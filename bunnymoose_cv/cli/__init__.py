"""The command line: names every command and turns a person's mistakes into one sentence."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from bunnymoose_cv.cli import (
    camera_commands,
    cue_commands,
    deck_commands,
    demo_command,
    dispute_commands,
    evaluate_command,
    game_commands,
    judge_commands,
    mirror_command,
    model_commands,
    play_command,
    profile_commands,
    say_command,
    score_commands,
    warmup_command,
)
from bunnymoose_cv.cli.bench import commands
from bunnymoose_cv.cli.doctor import command as doctor_command
from bunnymoose_cv.cli.full_output import is_output_full
from bunnymoose_cv.cli.memory import OUT_OF_MEMORY, is_out_of_memory
from bunnymoose_cv.cli.printable import printable
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.signals import EndedError, orderly_exit
from bunnymoose_cv.core.version import __version__

app = typer.Typer(
    name="bunnymoose",
    help="The referee of Bunny Bunny Moose Moose: a camera reads antlers, ears and tongues, the rules score them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bunnymoose {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The referee of Bunny Bunny Moose Moose: a camera reads antlers, ears and tongues, the rules score them."""


for _command in (
    demo_command.demo,
    judge_commands.judge,
    judge_commands.hand,
    judge_commands.face,
    evaluate_command.evaluate,
    score_commands.score,
    score_commands.best,
    say_command.say,
    camera_commands.cameras,
    doctor_command.doctor,
    play_command.play,
    mirror_command.mirror,
    warmup_command.warmup,
    game_commands.replay,
    dispute_commands.contest,
    dispute_commands.undo,
):
    app.command()(_command)
# A pose may begin with “--” and is no option then.
app.command(context_settings={"ignore_unknown_options": True})(dispute_commands.correct)
app.add_typer(game_commands.app, name="games")
app.add_typer(cue_commands.app, name="cue")
app.add_typer(deck_commands.app, name="deck")
app.add_typer(model_commands.app, name="models")
app.add_typer(profile_commands.app, name="profile")
app.add_typer(commands.app, name="bench")


def main() -> None:
    """Run the command line; a mistake that the person can put right ends with its sentence and exit code 2."""
    _hush_libraries()
    try:
        with orderly_exit():
            _run()
    except InputError as error:
        _refuse(str(error))
    except EndedError:
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write("The program was ended from outside. What was played is kept: go on with --resume.\n")
        raise
    except Exception as error:
        if isinstance(error, OSError) and is_output_full(error):
            sys.stdout = None
            _refuse(f"The output cannot be written ({error.strerror}): make room, or name another place.")
        if not is_out_of_memory(error):
            raise
        _refuse(OUT_OF_MEMORY)


def _run() -> None:
    """Run the command and bring all of its output to its place."""
    try:
        app()
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def _refuse(sentence: str) -> NoReturn:
    sys.stderr.write(f"{printable(sentence)}\n")
    sys.exit(2)


def _hush_libraries() -> None:
    """Keep for ourselves what people see as errors; what libraries in other languages write there is lost.

    MediaPipe writes a dozen lines about its own inside for every picture, past Python and whatever it is told.
    """
    with suppress(OSError, AttributeError):  # where there is no such stream nothing needs to be hushed
        own = os.dup(sys.stderr.fileno())
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stderr.fileno())
        os.close(nowhere)
        sys.stderr = os.fdopen(own, "w", encoding=sys.stderr.encoding, errors=sys.stderr.errors, buffering=1)
