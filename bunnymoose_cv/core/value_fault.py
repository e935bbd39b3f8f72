"""Faults of values in files and options, in words for people; pydantic finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "finite": "a finite number",
    "decimal": "a number",
    "bool": "true or false",
    "string": "a text",
    "list": "a list",
    "tuple": "a list",
    "dict": "a table",
    "mapping": "a table",
    "model": "a table",
}
"""Kind that a value has to have, by the first word of pydantic's name of the fault."""

_BOUNDS: Final = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}
_SIZES: Final = {"too_short": ("at least", "min_length"), "too_long": ("at most", "max_length")}
_LONGEST: Final = 40
"""Longest text that is repeated, in characters."""


def value_fault(error: ErrorDetails) -> str:
    """Say what is wrong with a value, as a predicate: “has to be a whole number, not “x””.

    Args:
        error: one of `ValidationError.errors()`.
    """
    kind, given = error["type"], _shown(error["input"])
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "is nothing that belongs there"
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"has to be {words} {error['ctx'][bound]:g}{given}"
    if kind in _SIZES:
        words, bound = _SIZES[kind]
        return f"has to hold {words} {error['ctx'][bound]}"
    if kind in {"literal_error", "enum"}:
        return f"has to be {error['ctx']['expected']}{given}"
    wanted = _KINDS.get(kind.partition("_")[0])
    return error["msg"].removeprefix("Value error, ").rstrip(".") if wanted is None else f"has to be {wanted}{given}"


def _shown(value: Any) -> str:
    """Repeat a short value; a long one, or one of many parts, is left out."""
    if isinstance(value, str):
        return f", not “{value}”" if len(value) <= _LONGEST else ""
    if isinstance(value, bool):
        return f", not {str(value).lower()}"
    return f", not {value:g}" if isinstance(value, int | float) else ""
