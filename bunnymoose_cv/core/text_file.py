"""Read the text files that a person names: decks, scripts, profiles, learnt sounds, manifests.

Size, depth and numbers are bounded, so that no file exhausts memory or the parser's stack.
"""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.core.input_file import read_bounded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LARGEST_BYTES: Final = 16_000_000
"""Bound of a file; the longest manifest in use has 0.2 MB."""

DEEPEST: Final = 32
"""Tables and lists within each other; a script has three."""

_LARGEST_NUMBER: Final = 2**63
"""SQLite and other programs hold 64 bits."""


class FormError(ValueError):
    """Text file that is no valid TOML or JSON, or leaves a bound of depth or of numbers."""


UNUSABLE: Final = (OSError, UnicodeDecodeError, FormError)
"""Errors of `read_toml` and `read_json`."""


def read_text(path: Path) -> str:
    """Read a text in UTF-8, with or without a byte order mark.

    Raises:
        OSError: the file cannot be read, is no regular file, or is too large.
        UnicodeDecodeError: the file is not in UTF-8.
    """
    return read_bounded(path, LARGEST_BYTES).decode("utf-8-sig")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        OSError, UnicodeDecodeError: as `read_text`.
        FormError: the file is no valid TOML or leaves a bound.
    """
    content: dict[str, Any] = _parsed(tomllib.loads, read_text(path))
    return content


def read_json(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        OSError, UnicodeDecodeError: as `read_text`.
        FormError: the file is no valid JSON or leaves a bound.
    """
    return _parsed(json.loads, read_text(path))


def toml_fault(error: OSError | UnicodeDecodeError | FormError) -> str:
    """Predicate about a file that `read_toml` refuses, with a remedy for the person who named it.

    It follows the name of the file: “cannot be read (Is a directory): name a file”. Nobody is told to delete anything.
    """
    match error:
        case FormError():
            reason, remedy = f"it is no valid TOML: {error}", "mend it"
        case UnicodeDecodeError():
            reason, remedy = "it is no text in UTF-8", "name a TOML file in UTF-8"
        case FileNotFoundError() | NotADirectoryError():
            reason, remedy = _system_reason(error), "check its name"
        case IsADirectoryError():
            reason, remedy = _system_reason(error), "name a file"
        case PermissionError():
            reason, remedy = _system_reason(error), "give yourself the right to read it"
        case _:
            reason, remedy = _system_reason(error), "name another file"
    return f"cannot be read ({reason}): {remedy}"


def _system_reason(error: OSError) -> str:
    return error.strerror or str(error)


def _parsed(parse: Callable[[str], Any], text: str) -> Any:
    try:
        content = parse(text)
    except RecursionError:
        raise FormError(f"it is nested deeper than {DEEPEST} levels") from None
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise FormError(str(error)) from None
    except (ValueError, OverflowError):  # Python reads no integer of more than 4300 digits
        raise FormError("a number in it is too large, or no date of the calendar") from None
    _check(content)
    return content


def _check(content: Any) -> None:
    """Walk through without recursion."""
    left = [(content, 1)]
    while left:
        value, depth = left.pop()
        if depth > DEEPEST:
            raise FormError(f"it is nested deeper than {DEEPEST} levels")
        if isinstance(value, int) and not -_LARGEST_NUMBER <= value < _LARGEST_NUMBER:
            raise FormError("a number in it is too large")
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        left.extend((each, depth + 1) for each in inner)
