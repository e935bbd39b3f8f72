"""The one way of plain lines to the terminal, which shows what it was given and obeys none of it."""

from __future__ import annotations

import typer

from bunnymoose_cv.cli.terminal.printable import escaped, printable


def echo(line: object = "", *, err: bool = False) -> None:
    """Print a line: a result whole, so that JSON stays JSON; a sentence for people, on stderr, within bounds."""
    typer.echo(printable(str(line)) if err else escaped(str(line)), err=err)


def warn(sentence: str) -> None:
    """Print a sentence for people that stops nothing."""
    echo(sentence, err=True)
