"""Errors for mistakes that the user can correct, and messages about invalid values, which pydantic finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class InputError(Exception):
    """Unusable input, described in one sentence: the fault, its place, and the remedy.

    The command line prints the sentence and exits with 2. Every other exception is a bug.
    """

    @property
    def sentence(self) -> str:
        """The text as it was given; if it is a `Phrase`, `Texts` can translate it into the language of the table."""
        given = self.args[0] if self.args else ""
        return given if isinstance(given, Phrase) else str(self)


def reason_of(error: Exception) -> str:
    """Return the reason of an error: its own sentence, or the words of the system."""
    if isinstance(error, InputError):
        return error.sentence
    return getattr(error, "strerror", None) or str(error)


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
"""Expected kind of a value, by the first word of pydantic's error type."""

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
"""Message for a fault, by pydantic's error type; filled in with pydantic's context and the given value."""

_LONGEST: Final = 40
"""Length limit of a value that is repeated in a message, in characters."""


def value_fault(error: ErrorDetails) -> str:
    """Return what is wrong with a value, as a predicate: “has to be a whole number, not “x””."""
    kind, given = error["type"], _shown(error["input"])
    if kind in _WORDS:
        return _WORDS[kind].format(given=given, **error.get("ctx", {}))
    wanted = _KINDS.get(kind.partition("_")[0])
    return error["msg"].removeprefix("Value error, ").rstrip(".") if wanted is None else f"has to be {wanted}{given}"


def _shown(value: Any) -> str:
    """Return the words that repeat a short value; a long or compound one is left out."""
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
