"""Commands and groups of the command line: imported when named, checked, and refused in one sentence."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from typer._click import Command, Context, HelpFormatter, Parameter

HELP_NAMES: Final = ("-h", "--help")

_USAGE_ERROR: Final[Any] = typer.BadParameter.__mro__[1]
"""Base class of all usage errors, which typer does not export."""

_EXTRA: Final = re.compile(r"Got unexpected extra argument\S* \((.*)\)", re.DOTALL)
"""Message of typer about words too many."""

_CHOICE: Final = re.compile(r"'(.*)' is not one of (.*)", re.DOTALL)
"""Message of typer about a value that is none of several."""


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """A command, or a group of them, that has not been imported.

    Attributes:
        home: module below `bunnymoose_cv.cli` and name in it: a function, or a `typer.Typer`.
        summary: the first line of its help; a test holds that they agree.
        takes_dashes: whether an argument may begin with “--” and is no option then.
    """

    home: str
    summary: str
    takes_dashes: bool = False

    def load(self, name: str) -> Command:
        """Import it."""
        module, _, attribute = self.home.partition(":")
        found = getattr(import_module(f"bunnymoose_cv.cli.{module}"), attribute)
        parent = typer.Typer(rich_markup_mode="markdown", add_completion=False)
        parent.callback()(lambda: None)  # so that it is a group, however few commands it has
        if isinstance(found, typer.Typer):
            for each in found.registered_commands:
                each.cls = CheckedCommand
            parent.add_typer(found, name=name, cls=CommandGroup)
        else:
            settings = {"ignore_unknown_options": True} if self.takes_dashes else None
            parent.command(name, cls=CheckedCommand, context_settings=settings)(found)
        command = cast("TyperGroup", get_command(parent)).commands[name]
        _show_flags_bare(command)
        return command


def _show_flags_bare(command: Command) -> None:
    """Remove the “<bool>” that Typer writes beside flags, --help among them: they take no value."""
    for option in command.get_params(typer.Context(command, help_option_names=list(HELP_NAMES))):
        if isinstance(option, TyperOption) and option.is_flag:
            option.metavar = ""
    if isinstance(command, TyperGroup):
        for each in command.commands.values():
            _show_flags_bare(each)


class CheckedCommand(TyperCommand):
    """A command whose numbers are finite and whose paths are not empty."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the options.

        Raises:
            InputError: one is wrong, or holds infinity, NaN, or an empty path, such as that of an unset variable.
        """
        words = list(args)
        with _one_sentence(ctx):
            rest = super().parse_args(ctx, args)
        typed, *_ = self.make_parser(ctx).parse_args(args=words)
        for each in self.params:
            if not ctx.resilient_parsing and typed.get(each.name) is not None:
                _check(each, typed[each.name], ctx.params[each.name])
        return rest


def _check(parameter: Parameter, typed: Any, value: Any) -> None:
    """Check a value, or each of several; a `Path` does not distinguish an empty name from the current folder."""
    several = isinstance(value, list | tuple)
    for word, each in zip(typed, value, strict=True) if several else ((typed, value),):
        if isinstance(each, Path) and not word:
            raise InputError(f"{_name(parameter)} is empty: name a file or a folder.")
        if isinstance(each, float) and not isfinite(each):
            raise InputError(f"{_name(parameter)} needs a finite number, not {each:g}.")


class CommandGroup(TyperGroup):
    """A group of commands whose usage errors are one sentence each."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the options before a command; if nothing was typed print the help.

        Raises:
            InputError: an option is wrong.
            typer.Exit: nothing was typed, which is a mistake.
        """
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            if text := ctx.get_help():  # rich prints it itself, and returns nothing
                echo(text)
            raise typer.Exit(2)
        with _one_sentence(ctx):
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
        with _one_sentence(ctx):
            return super().invoke(ctx)


class RootGroup(CommandGroup):
    """A group that imports a command when it is named.

    Its help is made from summaries, in plain text: importing rich takes as long as importing MediaPipe.
    """

    lazy: ClassVar[Mapping[str, LazyCommand]] = {}

    def list_commands(self, ctx: Context) -> list[str]:
        """List the names in the order of the table, then the commands that were registered as usual."""
        return [*self.lazy, *super().list_commands(ctx)]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return the command, imported now if it is one of the table."""
        lazy = self.lazy.get(cmd_name)
        return super().get_command(ctx, cmd_name) if lazy is None else lazy.load(cmd_name)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help without rich."""
        mode, self.rich_markup_mode = self.rich_markup_mode, None
        try:
            super().format_help(ctx, formatter)
        finally:
            self.rich_markup_mode = mode

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write names and summaries."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.summary) for name, each in self.lazy.items()])


@contextmanager
def _one_sentence(ctx: Context) -> Iterator[None]:
    """Turn usage errors of a command into errors of one sentence.

    Raises:
        InputError: instead of a usage error.
    """
    try:
        yield
    except _USAGE_ERROR as error:
        raise InputError(_sentence(error, ctx.command_path)) from error


def _name(parameter: Parameter) -> str:
    """Name of an option or an argument as people type or see it."""
    return parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.metavar or parameter.opts[0].upper()


def _sentence(error: Any, command: str) -> str:
    """Say which command takes what, depending on the kind of error."""
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
        return f"{command} needs {_name(error.param)}: {see} shows how."
    if isinstance(error, typer.BadParameter) and error.param is not None:
        return f"{_name(error.param)} {_fault(error)}: {see} shows how."
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
