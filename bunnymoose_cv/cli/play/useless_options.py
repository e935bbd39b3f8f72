"""Options of a game that would change nothing beside others, declared in a table and refused by a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import typer


@dataclass(frozen=True, slots=True)
class _Useless:
    """Options that would change nothing, by the names of their parameters.

    Attributes:
        why: what they are for, and the remedy.
        beside: refused only where all of these are given.
        without: refused only where none of these is given.
    """

    options: frozenset[str]
    why: str
    beside: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()

    def among(self, given: Mapping[str, str]) -> tuple[str, ...]:
        """Return the given options that are refused, as they were typed."""
        if not self.beside <= given.keys() or self.without & given.keys():
            return ()
        return tuple(typed for name, typed in given.items() if name in self.options)


RULES: Final = frozenset({"edition", "advanced", "variant"})
"""Options that tell the rules of a game."""

_TERMINAL: Final = frozenset({"no_screen"})
_SCRIPT: Final = frozenset({"script"})
_TOLD_BY_SCRIPTS: Final = RULES | {"players"}
_FIRST_ROUND: Final = frozenset({"deal", "bet", "cards", "at"})
_FOR_THE_SCRIPT: Final = "up to the script: change that file"

_USELESS: Final = (
    _Useless(frozenset({"lan", "port", "table_camera"}), "for the screen: play without --no-screen", beside=_TERMINAL),
    _Useless(_FIRST_ROUND | {"as_json"}, "for the terminal: add --no-screen", without=_TERMINAL),
    _Useless(_TOLD_BY_SCRIPTS | _FIRST_ROUND | {"seed"}, _FOR_THE_SCRIPT, beside=_SCRIPT | _TERMINAL),
    _Useless(_TOLD_BY_SCRIPTS, _FOR_THE_SCRIPT, beside=_SCRIPT),  # the dealer of the screen has its own seed
    _Useless(
        frozenset({"tempo", "microphone", "bam", "ask_everything"}),
        "for people before a camera: play without --script, or on the screen",
        beside=_SCRIPT | _TERMINAL,
    ),
    _Useless(
        frozenset({"deck", "seed", "tempo"}),
        "for the dealer: add --deal",
        beside=_TERMINAL,
        without=frozenset({"script", "deal"}),
    ),
)


def typed_options(context: typer.Context) -> dict[str, str]:
    """Spelling of each option that was typed, by the name of its parameter."""
    return {
        each.name: (each.secondary_opts if context.params[each.name] is False else each.opts)[0]
        for each in context.command.params
        if getattr(context.get_parameter_source(each.name), "name", None) == "COMMANDLINE"
    }


def refuse_useless(given: Mapping[str, str]) -> None:
    """Refuse options that would be passed over.

    Args:
        given: the options that were typed, by parameter; `no_screen` is among them where the terminal plays alone.

    Raises:
        InputError: some of them would change nothing.
    """
    for row in _USELESS:
        typed = row.among(given)
        if typed:
            raise InputError(f"{' and '.join(typed)} {'is' if len(typed) == 1 else 'are'} {row.why}.")
