"""List of a computer's voices, and the choice of the one that is meant."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class VoiceError(InputError):
    """Error of speech: there is no such voice, or no engine that speaks."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One of the system's voices.

    Attributes:
        language: its language, lower case and with hyphens: `en-gb`; empty where the system doesn't say.
    """

    identifier: str
    name: str
    language: str


# Where a system has several, the voice of this country speaks for the language.
_HOME: Mapping[str, str] = {
    Language.ENGLISH: "en-gb",
    Language.GERMAN: "de-de",
    Language.FRENCH: "fr-fr",
    Language.SPANISH: "es-es",
    Language.CZECH: "cs-cz",
}

_NEAR_MATCHES = 4


def voice_of_language(language: str, voices: Sequence[Voice]) -> Voice | None:
    """The voice that speaks for a language such as `de` or `de-at`: of exactly that, of its home, of any country."""
    for wanted in (language, _HOME.get(language)):
        for voice in voices:
            if voice.language == wanted:
                return voice
    return next((voice for voice in voices if voice.language.startswith(f"{language}-")), None)


def voice_called(wanted: str, voices: Sequence[Voice]) -> Voice:
    """The voice that a person means by a name or a language code, in capitals or not.

    Raises:
        VoiceError: none is called so; it names those that are called nearly so.
    """
    key = wanted.strip().casefold()
    for voice in voices:
        if key in {voice.name.casefold(), voice.identifier.casefold()}:
            return voice
    voice_of_code = voice_of_language(key.replace("_", "-"), voices) if key else None
    if voice_of_code is None:
        raise VoiceError(_unknown(wanted, voices))
    return voice_of_code


def _unknown(wanted: str, voices: Sequence[Voice]) -> str:
    """The sentence about a voice that there is not."""
    names = {voice.name.casefold(): voice.name for voice in voices}
    key = wanted.strip().casefold()
    containing = [folded for folded in names if key and key in folded]
    near = dict.fromkeys(containing + get_close_matches(key, names, _NEAR_MATCHES))
    suggestion = ", ".join(f"“{names[folded]}”" for folded in list(near)[:_NEAR_MATCHES])
    hint = f" ({suggestion}?)" if suggestion else ""
    return f"there is no voice “{wanted}” on this computer{hint}; “bunnymoose say --list” shows them all"
