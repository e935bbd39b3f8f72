"""Untrusted Unicode text: undecodable bytes, and invisible characters.

A name given on the command line may contain undecodable bytes. A terminal would obey some invisible characters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_FROM_THE_RIGHT: Final = r"\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Blocks of the scripts that are written from right to left: Hebrew, Arabic, Syriac, Thaana, N’Ko and others."""

RIGHT_TO_LEFT: Final = re.compile(rf"[{_FROM_THE_RIGHT}](?:[\d '’-]*[{_FROM_THE_RIGHT}])*")
"""Words written from right to left, with the numbers between them; a comma ends them, since it separates names."""

JOINERS: Final = "\u200c\u200d"
"""Zero-width joiners, found inside emoji and inside words of some scripts."""


def as_unicode(text: str) -> str:
    """Return the text with undecodable bytes, which Python keeps as surrogates, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def isolated(text: str) -> str:
    """Return a left-to-right sentence with its right-to-left words isolated, so their neighbours keep their order."""
    if not RIGHT_TO_LEFT.search(text):
        return text
    return "\u200e" + RIGHT_TO_LEFT.sub("\u2068\\g<0>\u2069", text)


def is_unseen(letter: str) -> bool:
    """Return whether a character is a control, format, surrogate or separator of lines; joiners count as letters."""
    return unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and letter not in JOINERS
