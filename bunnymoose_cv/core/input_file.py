"""Reading of the files that a user names: only regular files, in bytes, text, TOML and JSON, all of it bounded.

A named pipe would block for ever and a device never ends, so both are refused before a byte is read. Size, depth and
numbers are bounded, so no file can exhaust memory or the parser's stack.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import tomllib
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from bunnymoose_cv.core.errors import reason_of
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for `os.open`; without O_NONBLOCK, opening a pipe blocks until another process writes to it."""


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; the `strerror` of an `OSError` has the reason why that is not possible."""
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "its name has a zero byte in it", str(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    descriptor = os.open(path, _FLAGS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no file", str(path))
    return os.fdopen(descriptor, "rb")


def no_right_to_read(path: Path, reason: str) -> Phrase:
    """Return the sentence about a file that exists but may not be read."""
    return Phrase(
        "{path} cannot be read ({reason}): give yourself the right to read it.", path=str(path), reason=reason
    )


def is_visible(path: Path) -> bool:
    """Return whether a path is an accessible regular file; False also for one in a folder that may not be entered."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_own_file(path: Path) -> bool:
    """Return whether a path is an accessible regular file and not a link, which may point anywhere."""
    return is_visible(path) and not path.is_symlink()


def read_bounded(path: Path, largest_bytes: int) -> bytes:
    """Read a whole regular file up to a size limit; raise an `OSError` like `open_regular`, or if it is larger."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        # A read allocates all the bytes that it asks for. Files such as those in /proc report a size of 0.
        content = b"" if size > largest_bytes else file.read((size or largest_bytes) + 1)
    if size > largest_bytes or len(content) > largest_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {largest_bytes // 1_000_000} MB", str(path))
    return content


LARGEST_BYTES: Final = 16_000_000
"""Size limit of a file; the longest manifest in use has 0.2 MB."""

DEEPEST: Final = 32
"""Limit of nested tables and lists; a script has three levels."""

_LARGEST_NUMBER: Final = 2**63
"""Limit of an integer; SQLite and other programs have 64 bits."""


class FormError(ValueError):
    """Text file that is not valid TOML or JSON, or exceeds a limit of depth or of numbers."""


UNUSABLE: Final = (OSError, UnicodeDecodeError, FormError)
"""Errors of `read_toml` and `read_json`."""


def read_text(path: Path) -> str:
    """Read a text in UTF-8, with or without a byte order mark; raise one of the `UNUSABLE` errors."""
    return read_bounded(path, LARGEST_BYTES).decode("utf-8-sig")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, or raise one of the `UNUSABLE` errors."""
    content: dict[str, Any] = _parsed(tomllib.loads, read_text(path))
    return content


def read_json(path: Path) -> Any:
    """Read a JSON file, or raise one of the `UNUSABLE` errors."""
    return _parsed(json.loads, read_text(path))


def toml_fault(error: OSError | UnicodeDecodeError | FormError) -> str:
    """Return a predicate about a file that `read_toml` refuses, with a remedy for the user who named it.

    It follows the name of the file: “cannot be read (Is a directory): name a file”. The remedy is never to delete it.
    """
    match error:
        case FormError():
            return f"cannot be read (it is no valid TOML: {error}): mend it"
        case UnicodeDecodeError():
            return "cannot be read (it is no text in UTF-8): name a TOML file in UTF-8"
        case FileNotFoundError() | NotADirectoryError():
            remedy = "check its name"
        case IsADirectoryError():
            remedy = "name a file"
        case PermissionError():
            remedy = "give yourself the right to read it"
        case _:
            remedy = "name another file"
    return f"cannot be read ({reason_of(error)}): {remedy}"


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
    """Check depth and numbers, without recursion."""
    left = [(content, 1)]
    while left:
        value, depth = left.pop()
        if depth > DEEPEST:
            raise FormError(f"it is nested deeper than {DEEPEST} levels")
        if isinstance(value, int) and not -_LARGEST_NUMBER <= value < _LARGEST_NUMBER:
            raise FormError("a number in it is too large")
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        left.extend((part, depth + 1) for part in inner)
