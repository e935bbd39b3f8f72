"""A command that refuses what no option of a number or of a path can mean: infinity, and an empty name."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from bunnymoose_cv.cli.framework.usage_errors import one_sentence, parameter_name
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from typer._click import Context, Parameter


class CheckedCommand(TyperCommand):
    """A command whose numbers are finite and whose paths are not empty."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the options.

        Raises:
            InputError: one is wrong, or holds infinity, no number, or an empty path, as of a variable that was not set.
        """
        words = list(args)
        with one_sentence(ctx):
            rest = super().parse_args(ctx, args)
        typed, *_ = self.make_parser(ctx).parse_args(args=words)
        for each in self.params:
            if not ctx.resilient_parsing and typed.get(each.name) is not None:
                _check(each, typed[each.name], ctx.params[each.name])
        return rest


def _check(parameter: Parameter, typed: Any, value: Any) -> None:
    """Check a value, or each of several; a `Path` does not tell an empty name from the folder we are in."""
    several = isinstance(value, list | tuple)
    for word, each in zip(typed, value, strict=True) if several else ((typed, value),):
        if isinstance(each, Path) and not word:
            raise InputError(f"{parameter_name(parameter)} is empty: name a file or a folder.")
        if isinstance(each, float) and not isfinite(each):
            raise InputError(f"{parameter_name(parameter)} needs a finite number, not {each:g}.")
