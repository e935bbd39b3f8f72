"""Make a sentence safe for a terminal: no control characters, and no longer than a person reads."""

from __future__ import annotations

import json
from typing import Final

from bunnymoose_cv.core.unseen_signs import is_unseen

LONGEST: Final = 2_000
"""Letters; refusals repeat what was given, which may be a whole file."""

_KEPT: Final = frozenset("\n\t")


def printable(text: str) -> str:
    """Escape what a terminal would obey instead of show, and leave the middle out of what is too long."""
    return escaped(shortened(text))


def shortened(text: str) -> str:
    """Leave the middle out of what is too long."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]} … {text[-half:]}"


def escaped(text: str) -> str:
    """Escape what a terminal would obey instead of show, in the form of JSON, so that JSON means what it meant."""
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


def _shown(letter: str) -> str:
    return letter if letter in _KEPT or not is_unseen(letter) else json.dumps(letter)[1:-1]
