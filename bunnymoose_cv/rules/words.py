"""Patterns of cards in words.

Whole phrases, by the notation: languages bend phrases, not words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Pattern

_THERE: Final = {
    "WU": Phrase("wide antler up"),
    "WD": Phrase("wide antler down"),
    "W?": Phrase("wide antler"),
    "CU": Phrase("compact antler up"),
    "CD": Phrase("compact antler down"),
    "C?": Phrase("compact antler"),
    "?U": Phrase("antler up"),
    "?D": Phrase("antler down"),
    "TS": Phrase("straight ear on top"),
    "TF": Phrase("floppy ear on top"),
    "T?": Phrase("ear on top"),
    "SS": Phrase("straight ear at the side"),
    "SF": Phrase("floppy ear at the side"),
    "S?": Phrase("ear at the side"),
    "?S": Phrase("straight ear"),
    "?F": Phrase("floppy ear"),
}

_MISSING: Final = {
    "WU": Phrase("no wide antler up"),
    "WD": Phrase("no wide antler down"),
    "W?": Phrase("no wide antler"),
    "CU": Phrase("no compact antler up"),
    "CD": Phrase("no compact antler down"),
    "C?": Phrase("no compact antler"),
    "?U": Phrase("no antler up"),
    "?D": Phrase("no antler down"),
    "TS": Phrase("no straight ear on top"),
    "TF": Phrase("no floppy ear on top"),
    "T?": Phrase("no ear on top"),
    "SS": Phrase("no straight ear at the side"),
    "SF": Phrase("no floppy ear at the side"),
    "S?": Phrase("no ear at the side"),
    "?S": Phrase("no straight ear"),
    "?F": Phrase("no floppy ear"),
}


def notation_words(notation: str) -> Phrase:
    """Describe a headgear or a card's pattern by its notation."""
    return _THERE[notation]


def pattern_words(pattern: Pattern, *, there: bool = True) -> Phrase:
    """Describe a card's pattern: `wide antler up`, `ear on top`; or its absence: `no floppy ear`."""
    return notation_words(str(pattern)) if there else _MISSING[str(pattern)]
