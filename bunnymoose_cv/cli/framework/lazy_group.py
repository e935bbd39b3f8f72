"""Root group of the command line: imports the module of a command when that command is named, and none for its help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import typer
from typer.core import TyperGroup, TyperOption
from typer.main import get_command

from bunnymoose_cv.cli.framework.checked_command import CheckedCommand
from bunnymoose_cv.cli.framework.usage_errors import CommandGroup
from bunnymoose_cv.cli.terminal.echo import echo

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

HELP_NAMES: Final = ("-h", "--help")


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
    """Take the “<bool>” away that Typer writes beside flags, --help among them: they take no value."""
    for option in command.get_params(typer.Context(command, help_option_names=list(HELP_NAMES))):
        if isinstance(option, TyperOption) and option.is_flag:
            option.metavar = ""
    if isinstance(command, TyperGroup):
        for each in command.commands.values():
            _show_flags_bare(each)


class _Loaded(Mapping[str, "Command"]):
    """Commands by name: those of the table are imported when one is asked for, others were registered as usual."""

    def __init__(self, lazy: Mapping[str, LazyCommand], registered: Mapping[str, Command]) -> None:
        self._lazy, self._registered = lazy, registered

    def __getitem__(self, name: str) -> Command:
        return self._registered[name] if name in self._registered else self._lazy[name].load(name)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._lazy, **self._registered})

    def __len__(self) -> int:
        return len({*self._lazy, *self._registered})


class LazyGroup(CommandGroup):
    """A group whose help is made from summaries, in plain text: the boxes of rich alone take as long as MediaPipe."""

    lazy: ClassVar[Mapping[str, LazyCommand]] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = cast("MutableMapping[str, Command]", _Loaded(self.lazy, self.commands))

    def list_commands(self, ctx: Context) -> list[str]:
        """List the names in the order of the table, then those that were registered as usual."""
        del ctx
        return list(self.commands)

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the options; where nothing was typed print the help, which Typer leaves to the boxes of rich.

        Raises:
            typer.Exit: nothing was typed, which is a mistake.
        """
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            echo(ctx.get_help())
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help without rich."""
        mode, self.rich_markup_mode = self.rich_markup_mode, None
        try:
            super().format_help(ctx, formatter)
        finally:
            self.rich_markup_mode = mode

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write names and summaries."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._summary(ctx, name)) for name in self.list_commands(ctx)])

    def _summary(self, ctx: Context, name: str) -> str:
        if name in self.lazy:
            return self.lazy[name].summary
        command = self.get_command(ctx, name)
        return "" if command is None else command.get_short_help_str()
