"""The catalogues: every text of the program is gathered, translated with its placeholders, and compiled."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo
from catalogues import (
    TRANSLATED,
    UngatherableError,
    gathered,
    read_catalogue,
    texts_in,
    texts_in_template,
)

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import CATALOGUES


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("page.py", 'texts("Deal")', ["Deal"]),
        ("page.py", 'self._texts("Bet on {player}", player=name)', ["Bet on {player}"]),
        ("page.py", 'host.texts("Deal", )', ["Deal"]),
        ("page.py", 'texts("Go on" if paused else "Pause")', ["Go on", "Pause"]),
        ("page.py", 'texts("One sentence " "in two pieces")', ["One sentence in two pieces"]),
        ("page.py", 'texts.counted("{count} card", "{count} cards", 2)', [("{count} card", "{count} cards")]),
        ("page.py", 'NOBODY = Phrase("nobody")', ["nobody"]),
        ("page.py", 'texts(line.why)\nprint("Deal")\nTexts(language)', []),
        (
            "page.html",
            '<p title="{{ texts("Deal") }}">{{ texts("Bet on {player}", player=name) }}</p>',
            ["Deal", "Bet on {player}"],
        ),
        ("page.html", '{{ texts("Go on" if paused else "Pause") }}', ["Go on", "Pause"]),
        ("page.html", '{{ counted("{count} card", "{count} cards", 2) }}', [("{count} card", "{count} cards")]),
        (
            "page.html",
            "{% macro word(text) %}{{ texts(text) }}{{ texts(line.why) }}{% endmacro %}{{ print('Deal') }}",
            [],
        ),
    ],
)
def test_translatable_literals_are_found(tmp_path: Path, name: str, content: str, expected: list[object]) -> None:
    assert found_in(tmp_path / name, content) == expected


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.py", 'texts(f"Bet on {name}")'),
        ("page.py", 'Phrase("Bet on " + name)'),
        ("page.py", 'texts("Bet on %s" % name)'),
        ("page.html", '{{ texts("Bet on " ~ name) }}'),
        ("page.html", '{{ texts("Bet on %s" | format(name)) }}'),
    ],
)
def test_text_built_at_run_time_is_refused(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(UngatherableError, match=rf"{name}:1: a text is one literal"):
        found_in(tmp_path / name, content)


def found_in(path: Path, content: str) -> list[object]:
    path.write_text(content, "utf-8")
    return list(texts_in(path) if path.suffix == ".py" else texts_in_template(path))


SAME = {
    *("Bam", "Bam!", "Bunnymoose", "Computer", "Corrections", "Distance", "Enter", "Films", "Home", "Orange", "Pages"),
    *("Pause", "Pile {number}", "Piles", "Podium", "Start", "Table", "Verdicts", "index"),
}
"""English texts that may be the same in another language."""

ENGLISH_WORDS = re.compile(
    r"\b(the|and|with|your|this|that|is|are|of|from|card|cards|round|player|left|right|moose|rabbit|antler|ear|bet|"
    r"nobody|not|there|which|what|who|been|has|have|game|phone)\b",
    re.IGNORECASE,
)
"""English words that occur in none of the other languages."""

RIVALS = {
    Language.GERMAN: ("Telefon", "Mobiltelefon", "Deck", "Kartendeck", "Geweih", "Wiederholung"),
    Language.FRENCH: ("portable", "paquet", "ramure"),
    Language.SPANISH: ("teléfono", "celular", "mazo", "cuerno", "película", "repetición", "ustedes"),
    Language.CZECH: ("telefon", "paroží", "záznam"),
}
"""Beginnings of synonyms that the glossary of docs/how-to/languages.md replaces."""

COMMAND = re.compile(r"`[^`]*`|[„«“](?:sudo|bunnymoose)[^“»”]*[“»”]|--[a-z]+|[a-z]+-lines")
"""Text that users type literally."""


@dataclass(frozen=True)
class Entry:
    """A text with its forms in English and in another language."""

    english: tuple[str, ...]
    said: tuple[str, ...]

    @property
    def counted(self) -> bool:
        return len(self.english) > 1


@cache
def entries(language: Language) -> tuple[Entry, ...]:
    return tuple(read(read_catalogue(language)))


def read(catalogue: Catalog) -> Iterator[Entry]:
    for message in catalogue:
        if message.id:
            yield Entry(forms(message.id), forms(message.string))


def forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def values_of(text: str) -> set[tuple[str, str | None]]:
    """Return the placeholders with their number formats."""
    return {(name, how) for _, name, how, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogue_has_exactly_the_texts_of_the_program(language: Language) -> None:
    assert {entry.english for entry in entries(language)} == texts(), "make catalogue, then translate what is new"


@cache
def texts() -> frozenset[tuple[str, ...]]:
    return frozenset(map(forms, gathered()))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: Language) -> None:
    assert not [entry.english for entry in entries(language) if not (entry.said and all(entry.said))]


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_text_is_left_in_english(language: Language) -> None:
    left = [
        english
        for entry in entries(language)
        for english in entry.english
        if english in entry.said and re.search(r"[a-z]", without_values(english)) and english not in SAME
    ]
    assert not left
    speaking = [
        (word.group(), said)
        for entry in entries(language)
        for said in entry.said
        for word in ENGLISH_WORDS.finditer(COMMAND.sub("", without_values(said)))
    ]
    assert not speaking


def without_values(text: str) -> str:
    return "".join(literal for literal, _, _, _ in Formatter().parse(text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_same_placeholders(language: Language) -> None:
    for entry in entries(language):
        assert {name for form in entry.said for name in values_of(form)} == values_of(entry.english[-1]), entry


@pytest.mark.parametrize("language", TRANSLATED)
def test_counted_texts_have_all_plural_forms(language: Language) -> None:
    """Check all plural forms; the singular may spell the number out."""
    counted = [entry for entry in entries(language) if entry.counted]
    forms_of_the_language = read_catalogue(language).num_plurals
    assert counted
    for entry in counted:
        assert len(entry.said) == forms_of_the_language
        for said in entry.said:
            assert values_of(said) | {("count", "")} == values_of(entry.english[-1]) | {("count", "")}, entry


@pytest.mark.parametrize("language", TRANSLATED)
def test_compiled_catalogue_matches_its_source(language: Language) -> None:
    with (CATALOGUES / f"{language}.mo").open("rb") as file:
        assert set(read(read_mo(file))) == set(entries(language))


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_end_with_a_full_stop_like_the_original(language: Language) -> None:
    """Check that sentences keep their full stop and titles get none."""
    wrong = [
        entry
        for entry in entries(language)
        for said in entry.said
        if entry.english[-1].endswith(".") != said.endswith(".")
    ]
    assert not wrong


SLIPS = {
    "says the same thing twice": r"\A(?s:(.{20,}?)\s*\1+)\Z",  # a text of several lines was once repeated three times
    "parts a number from its unit": r"[\d}] (%|ms|s|cm|dB|Hz|MB|Mo)(?!\w)",
    "has a typewriter's apostrophe": r"\w'\w",
}


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("slip", SLIPS)
def test_translation_has_no_known_slip(language: Language, slip: str) -> None:
    found = re.compile(SLIPS[slip])
    assert not [said for entry in entries(language) for said in entry.said if found.search(said)]


def test_no_french_name_follows_a_word_that_would_be_elided() -> None:
    """French elides before vowels (“de Blaise”, “d’Ida”), so no such word may precede a name."""
    bends = re.compile(r"\b(de|que|ne|se|si|le|la|du|au) \{(player|name|narrator|names|who|whose)\}")
    assert not [said for entry in entries(Language.FRENCH) for said in entry.said if bends.search(said)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_use_the_words_of_the_glossary(language: Language) -> None:
    rivals = re.compile(rf"\b({'|'.join(RIVALS[language])})", re.IGNORECASE)
    assert not [said for entry in entries(language) for said in entry.said if rivals.search(without_values(said))]


def test_french_punctuation_has_non_breaking_spaces() -> None:
    lost = re.compile(r"[^\N{NO-BREAK SPACE}][:;!?»](?=$|[\s»])|«[^\N{NO-BREAK SPACE}]")
    said = [re.sub(r"\{[^}]*\}", "X", said) for entry in entries(Language.FRENCH) for said in entry.said]
    assert not list(filter(lost.search, said))


def test_spanish_questions_and_exclamations_have_opening_marks() -> None:
    """A mark at the very beginning expresses doubt and needs no opening mark."""
    for entry in entries(Language.SPANISH):
        for said in entry.said:
            assert [said.count(sign) for sign in "¡¿"] == [said.count(sign) - (said[0] == sign) for sign in "!?"]
