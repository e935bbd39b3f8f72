"""Hiding of passwords in typed addresses: in the list of processes, and in sentences that repeat the arguments."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.address import without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGIN, _END = 45, 46
"""Fields of `/proc/self/stat`, after the program's name, with the addresses of the command line's begin and end."""

_OPTION: Final = re.compile(r"^-+(?:[\w-]*=)?")
"""Beginning of an option before its value, or before an address that follows the dashes by mistake."""

_STAT: Final = Path("/proc/self/stat")


def hide_in_process_list() -> None:
    """Overwrite the secrets in the command line, which every user of the computer can see (Linux)."""
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
    """Remove the secrets from a sentence that may repeat words of the command line."""
    for word, shown in _secret_words():
        for written in (word, str(Path(word))):
            sentence = sentence.replace(written, shown)
    return sentence


def _secret_words() -> Iterator[tuple[str, str]]:
    """Yield the words with secrets, or values in words like `--option=value`, each with its displayable form."""
    for word in sys.argv[1:]:
        value = _OPTION.sub("", word)
        shown = without_secrets(value)
        is_file = os.path.exists(value)  # noqa: PTH110 - never fails
        if shown != value and not value.endswith("://") and not is_file:
            yield value, shown
