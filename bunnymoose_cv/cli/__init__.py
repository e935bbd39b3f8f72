"""The command line: names every command and turns a person's mistakes into one sentence. Owns no work of its own."""

from __future__ import annotations

import sys

import typer

from bunnymoose_cv.errors import InputError

app = typer.Typer(
    name="bunnymoose",
    help="The referee of Bunny Bunny Moose Moose: a camera reads antlers, ears and tongues, the rules score them.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; a mistake that the person can put right ends with its sentence and exit code 2."""
    try:
        app()
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
