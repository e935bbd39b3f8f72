"""Make a sentence safe for a terminal: one line, no control characters, and no longer than a person reads."""

from __future__ import annotations

import json
from typing import Final

from bunnymoose_cv.core.unicode_text import is_unseen

LONGEST: Final = 2_000
"""Letters; refusals repeat what was given, which may be a whole file."""

_LAYOUT: Final = frozenset("\n\t")
"""Line breaks and tabs, which belong to a result and to no sentence."""


def printable(sentence: str) -> str:
    """Escape control characters, line breaks among them, and leave the middle out of what is too long."""
    return _escaped(shortened(sentence), frozenset())


def shortened(text: str) -> str:
    """Leave the middle out of what is too long."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]} … {text[-half:]}"


def escaped(text: str) -> str:
    """Escape what a terminal would obey instead of show, in the form of JSON, so that JSON means what it meant."""
    return _escaped(text, _LAYOUT)


def _escaped(text: str, kept: frozenset[str]) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(each if each in kept or not is_unseen(each) else json.dumps(each)[1:-1] for each in text)
