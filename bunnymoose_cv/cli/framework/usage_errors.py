"""Usage errors in one sentence: what was typed, to which command, and what to do."""

from __future__ import annotations

import re
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Command, Context, Parameter

_USAGE_ERROR: Final[type[Exception]] = typer.BadParameter.__mro__[1]
"""The class of every usage error, which typer keeps without a public name."""

_EXTRA: Final = re.compile(r"Got unexpected extra argument\S* \((.*)\)", re.DOTALL)
"""Message of typer about words too many."""

_CHOICE: Final = re.compile(r"'(.*)' is not one of (.*)", re.DOTALL)
"""Message of typer about a value that is none of several."""


class CommandGroup(TyperGroup):
    """A group of commands whose usage errors are one sentence each."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the options before a command; where nothing was typed the help is printed as usual.

        Raises:
            InputError: an option is wrong.
        """
        if not args:
            return super().parse_args(ctx, args)
        with one_sentence(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """Find the command that was named.

        Raises:
            InputError: there is none of this name.
        """
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and self.get_command(ctx, name) is None:
            near = " or ".join(f"“{each}”" for each in get_close_matches(name, self.list_commands(ctx)))
            remedy = f"did you mean {near}?" if near else f"“{ctx.command_path} --help” lists them."
            raise InputError(f"{ctx.command_path} has no command “{name}”: {remedy}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Context) -> Any:
        """Run the command that was named.

        Raises:
            InputError: none was, behind “--”.
        """
        with one_sentence(ctx):
            return super().invoke(ctx)


@contextmanager
def one_sentence(ctx: Context) -> Iterator[None]:
    """Turn the usage errors of a command into errors of one sentence.

    Raises:
        InputError: instead of a usage error.
    """
    try:
        yield
    except _USAGE_ERROR as error:
        raise InputError(_sentence(error, ctx.command_path)) from error


def parameter_name(parameter: Parameter) -> str:
    """Name of an option or an argument as people type or see it."""
    return parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.metavar or parameter.opts[0].upper()


def _sentence(error: Any, command: str) -> str:
    """Say which command takes what, by the kind of error that typer tells."""
    see = f"“{command} --help”"
    if hasattr(error, "possibilities"):
        near = " or ".join(sorted(error.possibilities or ()))
        return (
            f"{command} has no option {error.option_name}: {f'did you mean {near}?' if near else f'{see} lists them.'}"
        )
    if hasattr(error, "option_name"):
        needs = "takes no value" if "does not take" in error.message else "needs a value behind it"
        return f"{error.option_name} {needs}: {see} shows how."
    if hasattr(error, "param_type"):
        return f"{command} needs {parameter_name(error.param)}: {see} shows how."
    if isinstance(error, typer.BadParameter) and error.param is not None:
        return f"{parameter_name(error.param)} {_fault(error)}: {see} shows how."
    message = str(error.message)
    if extra := _EXTRA.fullmatch(message):
        return f"{command} takes fewer words, so leave “{extra[1]}” out: {see} shows how."
    return f"{command}: {message[:1].lower()}{message[1:].rstrip('.')}; see {see}."


def _fault(error: typer.BadParameter) -> str:
    """Say what is wrong with a value, as a predicate."""
    from pydantic import ValidationError  # the list of commands starts without it

    from bunnymoose_cv.core.value_fault import value_fault

    cause = error.__cause__
    fault = value_fault(cause.errors()[0]) if isinstance(cause, ValidationError) else str(error.message).rstrip(".")
    choice = _CHOICE.fullmatch(fault)
    return f"has to be one of {choice[2]}, not “{choice[1]}”" if choice else fault
