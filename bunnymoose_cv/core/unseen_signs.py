"""Signs that a text may hold and that nobody sees: some of them a terminal would obey."""

from __future__ import annotations

import unicodedata
from typing import Final

JOINERS: Final = "\u200c\u200d"
"""Stand inside emoji, and inside words of some scripts."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of controls, formats (which turn text about), halves of pairs, and separators."""


def is_unseen(letter: str) -> bool:
    """Tell controls, formats and halves of pairs from letters; joiners count as letters, whose looks they change."""
    return unicodedata.category(letter) in _UNSEEN and letter not in JOINERS
