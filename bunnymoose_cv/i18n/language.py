"""Languages that players can choose."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """Language that the referee writes and speaks, by its ISO 639-1 code."""

    ENGLISH = "en"
    GERMAN = "de"
    FRENCH = "fr"
    SPANISH = "es"
    CZECH = "cs"

    @property
    def own_name(self) -> str:
        """Name of the language in itself, for the list of languages."""
        return _OWN_NAMES[self]


_OWN_NAMES = {
    Language.ENGLISH: "English",
    Language.GERMAN: "Deutsch",
    Language.FRENCH: "Français",
    Language.SPANISH: "Español",
    Language.CZECH: "Čeština",
}
