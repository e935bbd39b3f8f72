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

_WORDS: Final = {
    "missing": "is missing",
    "extra_forbidden": "is nothing that belongs there",
    "greater_than_equal": "has to be at least {ge:g}{given}",
    "greater_than": "has to be more than {gt:g}{given}",
    "less_than_equal": "has to be at most {le:g}{given}",
    "less_than": "has to be less than {lt:g}{given}",
    "too_short": "has to hold at least {min_length}",
    "too_long": "has to hold at most {max_length}",
    "string_too_short": "has to have at least {min_length} characters",
    "string_too_long": "has to have at most {max_length} characters",
    "literal_error": "has to be {expected}{given}",
    "enum": "has to be {expected}{given}",
    "json_invalid": "is no JSON ({error})",
    "union_tag_not_found": "lacks {discriminator}",
    "union_tag_invalid": "is of an unknown kind, “{tag}”",
}
"""Words for a fault, by pydantic's name of it, with what pydantic tells about it and the value that was given."""

_LONGEST: Final = 40
"""Longest value that is repeated, in characters."""


def value_fault(error: ErrorDetails) -> str:
    """Say what is wrong with a value, as a predicate: “has to be a whole number, not “x””.

    Args:
        error: one of `ValidationError.errors()`.
    """
    kind, given = error["type"], _shown(error["input"])
    if kind in _WORDS:
        return _WORDS[kind].format(given=given, **error.get("ctx", {}))
    wanted = _KINDS.get(kind.partition("_")[0])
    return error["msg"].removeprefix("Value error, ").rstrip(".") if wanted is None else f"has to be {wanted}{given}"


def _shown(value: Any) -> str:
    """Repeat a short value; a long one, or one of many parts, is left out."""
    match value:
        case str() if len(value) <= _LONGEST:
            return f", not “{value}”"
        case bool():
            return f", not {str(value).lower()}"
        case float():
            return f", not {value:.12g}"
        case int() if abs(value) < 10**_LONGEST:
            return f", not {value}"
    return ""
