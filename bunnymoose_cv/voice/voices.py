"""Voices of a computer, and the choice of one by name or language."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class VoiceError(InputError):
    """Error of speech: the voice or the engine is missing."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One of the system's voices, with its language such as `en-gb`; empty if the system does not report it."""

    identifier: str
    name: str
    language: str


# If a system has several voices of a language, that of this country is used.
_HOME: Mapping[str, str] = {
    Language.ENGLISH: "en-gb",
    Language.GERMAN: "de-de",
    Language.FRENCH: "fr-fr",
    Language.SPANISH: "es-es",
    Language.CZECH: "cs-cz",
}

_NEAR_MATCHES = 4


def voice_of_language(language: str, voices: Sequence[Voice]) -> Voice | None:
    """Return the voice of a language such as `de` or `de-at`: an exact match, its home country, or any other."""
    for wanted in (language, _HOME.get(language)):
        for voice in voices:
            if voice.language == wanted:
                return voice
    return next((voice for voice in voices if voice.language.startswith(f"{language}-")), None)


def voice_called(wanted: str, voices: Sequence[Voice]) -> Voice:
    """Return the voice with a name or a language code, ignoring case. Raise a `VoiceError` with similar names."""
    key = wanted.strip().casefold()
    for voice in voices:
        if key in {voice.name.casefold(), voice.identifier.casefold()}:
            return voice
    voice_of_code = voice_of_language(key.replace("_", "-"), voices) if key else None
    if voice_of_code is None:
        raise VoiceError(_unknown(wanted, voices))
    return voice_of_code


def _unknown(wanted: str, voices: Sequence[Voice]) -> str:
    names = {voice.name.casefold(): voice.name for voice in voices}
    key = wanted.strip().casefold()
    containing = [folded for folded in names if key and key in folded]
    near = dict.fromkeys(containing + get_close_matches(key, names, _NEAR_MATCHES))
    suggestion = ", ".join(f"“{names[folded]}”" for folded in list(near)[:_NEAR_MATCHES])
    hint = f" ({suggestion}?)" if suggestion else ""
    return f"there is no voice “{wanted}” on this computer{hint}; “bunnymoose say --list” shows them all"
