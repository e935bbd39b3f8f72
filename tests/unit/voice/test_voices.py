"""Choice of the voice that is meant by what a person writes."""

import pytest

from bunnymoose_cv.voice.voices import Voice, VoiceError, voice_called, voice_of_language

AMERICAN = Voice("gmw/en-us", "English (America)", "en-us")
BRITISH = Voice("gmw/en", "English (Great Britain)", "en-gb")
GERMAN = Voice("gmw/de", "German", "de")
AUSTRIAN = Voice("x", "Resi", "de-at")
MEXICAN = Voice("y", "Paulina", "es-mx")
SILENT_ABOUT_ITSELF = Voice("z", "Hal", "")
VOICES = (AMERICAN, BRITISH, AUSTRIAN, GERMAN, MEXICAN, SILENT_ABOUT_ITSELF)


@pytest.mark.parametrize(
    ("wanted", "voice"),
    [
        ("German", GERMAN),
        (" german ", GERMAN),
        ("de", GERMAN),
        ("de_AT", AUSTRIAN),
        ("DE-at", AUSTRIAN),
        ("en", BRITISH),
        ("es", MEXICAN),
        ("hal", SILENT_ABOUT_ITSELF),
        ("gmw/en-us", AMERICAN),
    ],
)
def test_a_voice_is_meant_by_its_name_or_its_language(wanted: str, voice: Voice) -> None:
    assert voice_called(wanted, VOICES) is voice


@pytest.mark.parametrize(
    ("wanted", "near"),
    [("Germn", "“German”"), ("english", "“English (America)”, “English (Great Britain)”"), ("paulin", "“Paulina”")],
)
def test_an_unknown_voice_names_its_neighbours(wanted: str, near: str) -> None:
    with pytest.raises(VoiceError, match="there is no voice") as raised:
        voice_called(wanted, VOICES)
    assert near in str(raised.value)


@pytest.mark.parametrize("wanted", ["", "  ", "xx", "Ωμέγα"])
def test_a_voice_like_no_other_names_none(wanted: str) -> None:
    with pytest.raises(VoiceError) as raised:
        voice_called(wanted, VOICES)
    assert "?" not in str(raised.value)


def test_a_language_that_nobody_speaks_has_no_voice() -> None:
    assert voice_of_language("cs", VOICES) is None
