"""Passwords in the addresses that were typed: hidden in the list of processes, and in what repeats the words."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.address import without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGIN, _END = 45, 46
"""Places of the first and last byte of the command line in `/proc/self/stat`, behind the program's name."""

_STAT: Final = Path("/proc/self/stat")


def hide_in_process_list() -> None:
    """Overwrite the secrets of the command line, which every user of the computer sees otherwise (Linux)."""
    secrets = list(_secret_words())
    if not secrets or sys.platform != "linux":
        return
    with suppress(OSError, ValueError, IndexError):
        places = _STAT.read_text("ascii", "replace").rpartition(")")[2].split()
        begin, end = int(places[_BEGIN]), int(places[_END])
        line = ctypes.string_at(begin, end - begin) if begin else b""
        for word, shown in secrets:
            typed, shorter = os.fsencode(word), os.fsencode(shown)
            at = line.find(typed)
            if at >= 0:
                ctypes.memmove(begin + at, shorter[: len(typed)].ljust(len(typed), b"\0"), len(typed))


def without_typed_secrets(sentence: str) -> str:
    """Return a sentence that may repeat words of the command line, without the secrets in them."""
    for word, shown in _secret_words():
        for written in (word, str(Path(word))):
            sentence = sentence.replace(written, shown)
    return sentence


def _secret_words() -> Iterator[tuple[str, str]]:
    """Find the words with secrets, or the values of options that are one word with them, and how they may be shown."""
    for word in sys.argv[1:]:
        value = word.partition("=")[2] if word.startswith("-") else word
        shown = without_secrets(value)
        if shown != value and not value.endswith("://") and not _is_file(value):
            yield value, shown


def _is_file(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):  # a name that the system cannot have
        return False
