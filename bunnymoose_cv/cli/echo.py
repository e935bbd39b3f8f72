"""The one way of plain lines to the terminal, which shows what it was given and obeys none of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup

from bunnymoose_cv.cli.printable import escaped, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

_USAGE_ERROR: Final[type[Exception]] = typer.BadParameter.__mro__[1]
"""The class of every usage error, which typer keeps without a public name."""


def echo(line: object = "", *, err: bool = False) -> None:
    """Print a line: a result whole, so that JSON stays JSON; a sentence for people, on stderr, within bounds."""
    typer.echo(printable(str(line)) if err else escaped(str(line)), err=err)


class SafeGroup(TyperGroup):
    """Commands whose usage errors, which repeat what was typed, are escaped and bounded."""

    def make_context(self, *arguments: Any, **more: Any) -> Any:
        """Read the options before a command."""
        with _told_safely():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _told_safely():
            return super().invoke(ctx)


@contextmanager
def _told_safely() -> Iterator[None]:
    try:
        yield
    except _USAGE_ERROR as error:
        vars(error)["message"] = printable(str(vars(error)["message"]))
        raise
