"""Commands and groups of commands and options, with lazy imports, checks, and usage errors in one sentence."""

from __future__ import annotations

import inspect
import re
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import wraps
from math import isfinite
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, cast

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typer._click import Command, Context, Parameter


HELP_NAMES: Final = ("-h", "--help")

_USAGE_ERROR: Final[Any] = typer.BadParameter.__mro__[1]
"""Base class of all usage errors, which Typer does not export."""

_EXTRA: Final = re.compile(r"Got unexpected extra argument\S* \((.*)\)", re.DOTALL)
"""Typer's message about surplus words."""

_CHOICE: Final = re.compile(r"'(.*)' is not one of (.*)", re.DOTALL)
"""Typer's message about a value that is not one of the choices."""


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Command, or group of commands, that has not been imported.

    Attributes:
        home: the module below `bunnymoose_cv.cli` and the name in it: a function, or a `typer.Typer`.
        summary: the first line of its help; a test checks that they agree.
        takes_dashes: whether an argument may begin with “--” without being an option.
    """

    home: str
    summary: str
    takes_dashes: bool = False

    def load(self, name: str) -> Command:
        """Import the command."""
        found = resolve_name(f"bunnymoose_cv.cli.{self.home}")
        parent = typer.Typer(rich_markup_mode="markdown", add_completion=False)
        parent.callback()(lambda: None)  # makes it a group, even with a single command
        if isinstance(found, typer.Typer):
            for registered in found.registered_commands:
                registered.cls = CheckedCommand
            parent.add_typer(found, name=name, cls=CommandGroup)
        else:
            settings = {"ignore_unknown_options": True} if self.takes_dashes else None
            parent.command(name, cls=CheckedCommand, context_settings=settings)(found)
        command = cast("TyperGroup", get_command(parent)).commands[name]
        _show_flags_bare(command)
        return command


def _show_flags_bare(command: Command) -> None:
    """Remove Typer's “<bool>” from flags, including --help, because they take no value."""
    for option in command.get_params(typer.Context(command, help_option_names=list(HELP_NAMES))):
        if isinstance(option, TyperOption) and option.is_flag:
            option.metavar = ""
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            _show_flags_bare(inner)


class CheckedCommand(TyperCommand):
    """Command that refuses infinite numbers and empty paths."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse the options; raise an `InputError` if one is wrong, not finite, or an empty path."""
        words = list(args)
        with _one_sentence(ctx):
            rest = super().parse_args(ctx, args)
        typed, *_ = self.make_parser(ctx).parse_args(args=words)
        for parameter in self.params:
            if not ctx.resilient_parsing and typed.get(parameter.name) is not None:
                _check(parameter, typed[parameter.name], ctx.params[parameter.name])
        return rest


def _check(parameter: Parameter, typed: Any, value: Any) -> None:
    """Check a value, or each of several, with its typed word: a `Path` turns an empty name into the current folder.

    A hyphen would become a file of that name.
    """
    for word, given in zip(typed, value, strict=True) if isinstance(value, list | tuple) else ((typed, value),):
        if isinstance(given, Path) and not word:
            raise InputError(f"{_name(parameter)} is empty: name a file or a folder.")
        if isinstance(given, Path) and word == "-":
            raise InputError(f"{_name(parameter)} is no place for standard input or output: name a file or a folder.")
        if isinstance(given, float) and not isfinite(given):
            raise InputError(f"{_name(parameter)} needs a finite number, not {given:g}.")


class CommandGroup(TyperGroup):
    """Group of commands that reports usage errors in one sentence."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse the options before a command, or print the help and exit if there is nothing to parse."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            if text := ctx.get_help():  # rich prints it itself, and returns nothing
                echo(text)
            raise typer.Exit(2)
        with _one_sentence(ctx):
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """Find the named command; raise an `InputError` if no command has this name."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and self.get_command(ctx, name) is None:
            near = " or ".join(f"“{match}”" for match in get_close_matches(name, self.list_commands(ctx)))
            remedy = f"did you mean {near}?" if near else f"“{ctx.command_path} --help” lists them."
            raise InputError(f"{ctx.command_path} has no command “{name}”: {remedy}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Context) -> Any:
        """Run the named command; raise an `InputError` if none was named after “--”."""
        with _one_sentence(ctx):
            return super().invoke(ctx)


@contextmanager
def _one_sentence(ctx: Context) -> Iterator[None]:
    """Convert usage errors within `with` into an `InputError` of one sentence."""
    try:
        yield
    except _USAGE_ERROR as error:
        raise InputError(_sentence(error, ctx.command_path)) from error


def _name(parameter: Parameter) -> str:
    """Return the name of an option or an argument as users type or see it."""
    return parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.metavar or parameter.opts[0].upper()


def _sentence(error: Any, command: str) -> str:
    see = f"“{command} --help”"
    if hasattr(error, "possibilities"):
        near = " or ".join(sorted(error.possibilities or ()))
        remedy = f"did you mean {near}?" if near else f"{see} lists them."
        return f"{command} has no option {error.option_name}: {remedy}"
    if hasattr(error, "option_name"):
        needs = "takes no value" if "does not take" in error.message else "needs a value behind it"
        return f"{error.option_name} {needs}: {see} shows how."
    if hasattr(error, "param_type"):
        return f"{command} needs {_name(error.param)}: {see} shows how."
    if isinstance(error, typer.BadParameter) and error.param is not None:
        return f"{_name(error.param)} {_fault(error)}: {see} shows how."
    message = str(error.message)
    if extra := _EXTRA.fullmatch(message):
        return f"{command} takes fewer words, so leave “{extra[1]}” out: {see} shows how."
    return f"{command}: {message[:1].lower()}{message[1:].rstrip('.')}; see {see}."


def _fault(error: typer.BadParameter) -> str:
    """Return what is wrong with a value, as a predicate."""
    from pydantic import ValidationError  # the list of commands starts without it

    from bunnymoose_cv.core.errors import value_fault

    cause = error.__cause__
    fault = value_fault(cause.errors()[0]) if isinstance(cause, ValidationError) else str(error.message).rstrip(".")
    choice = _CHOICE.fullmatch(fault)
    return f"has to be one of {choice[2]}, not “{choice[1]}”" if choice else fault


def takes_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command so that Typer sees every option of its groups.

    Args:
        command: a function with keyword arguments. Those whose type is a dataclass are groups, in which each field is
            an annotated option.
    """
    groups: dict[str, type] = {}
    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        kind = parameter.annotation
        if isinstance(kind, type) and is_dataclass(kind):
            groups[name] = kind
            options += inspect.signature(kind, eval_str=True).parameters.values()
        else:
            options.append(parameter)

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in options]
    )
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run
