"""Unicode text from outside: bytes that are no text, and signs that nobody sees.

A name given on the command line may have bytes in it that are no text. Some unseen signs would be obeyed by a terminal.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_FROM_THE_RIGHT: Final = r"\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Blocks of the scripts that are written from right to left: Hebrew, Arabic, Syriac, Thaana, N’Ko and others."""

RIGHT_TO_LEFT: Final = re.compile(rf"[{_FROM_THE_RIGHT}](?:[\d '’-]*[{_FROM_THE_RIGHT}])*")
"""Words written from right to left, with the numbers between them; a comma ends them, since it parts names."""

JOINERS: Final = "\u200c\u200d"
"""Stand inside emoji, and inside words of some scripts."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of controls, formats (which turn text about), halves of pairs, and separators."""


def as_unicode(text: str) -> str:
    """The same text; bytes that are none, which Python keeps as halves of pairs, become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def isolated(text: str) -> str:
    """Return a sentence from left to right in which words from the right change the order of nothing beside them."""
    if not RIGHT_TO_LEFT.search(text):
        return text
    return "\u200e" + RIGHT_TO_LEFT.sub("\u2068\\g<0>\u2069", text)


def is_unseen(letter: str) -> bool:
    """Tell controls, formats and halves of pairs from letters; joiners count as letters, whose looks they change."""
    return unicodedata.category(letter) in _UNSEEN and letter not in JOINERS
