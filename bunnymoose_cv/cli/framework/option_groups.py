"""Groups of command-line options: frozen dataclasses that several commands take."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def takes_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Let Typer see every option of the groups that a command takes.

    Args:
        command: of keyword arguments; those whose type is a dataclass are groups, with an annotated option a field.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)}
    parameters = [
        option
        for name, parameter in signature(command).parameters.items()
        for option in (_options(groups[name]) if name in groups else [parameter.replace(annotation=hints[name])])
    ]

    @wraps(command)
    def run(**given: Any) -> None:
        made = {name: _made(kind, given) for name, kind in groups.items()}
        command(**made, **given)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _made(group: type, given: dict[str, Any]) -> object:
    return group(**{each.name: given.pop(each.name) for each in fields(group)})


def _options(group: type) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for each in fields(group):
        yield Parameter(each.name, Parameter.KEYWORD_ONLY, default=_default(each), annotation=hints[each.name])


def _default(field: Field[Any]) -> object:
    return Parameter.empty if field.default is MISSING else field.default
