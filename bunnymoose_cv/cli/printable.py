"""Make a sentence safe for a terminal: no control characters, and no longer than a person reads."""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 2_000
"""Letters; refusals repeat what was given, which may be a whole file."""

_KEPT: Final = frozenset("\n\t")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of controls, formats (which turn text about), halves of pairs, and separators."""

_JOINER: Final = "\u200d"
"""Stands inside emoji."""


def printable(text: str) -> str:
    """Escape what a terminal would obey instead of show, and leave the middle out of what is too long."""
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[:half]} … {text[-half:]}"
    return "".join(map(_shown, text))


def _shown(letter: str) -> str:
    if letter in _KEPT or letter == _JOINER or unicodedata.category(letter) not in _HIDDEN:
        return letter
    return letter.encode("unicode_escape").decode("ascii")
