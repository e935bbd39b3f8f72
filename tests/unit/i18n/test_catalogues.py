"""The catalogues: every text of the program is gathered, and in each of them translated, with its values, compiled."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo

from bunnymoose_cv.i18n.gather import (
    TRANSLATED,
    UngatherableError,
    gathered,
    read_catalogue,
    texts_in,
    texts_in_template,
)
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import CATALOGUES


def found_in(folder: Path, code: str) -> list[object]:
    path = folder / "page.py"
    path.write_text(code, "utf-8")
    return list(texts_in(path))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('texts("Deal")', ["Deal"]),
        ('self._texts("Bet on {player}", player=name)', ["Bet on {player}"]),
        ('host.texts("Deal", )', ["Deal"]),
        ('texts("Go on" if paused else "Pause")', ["Go on", "Pause"]),
        ('texts("One sentence " "in two pieces")', ["One sentence in two pieces"]),
        ('texts.counted("{count} card", "{count} cards", 2)', [("{count} card", "{count} cards")]),
        ('NOBODY = Phrase("nobody")', ["nobody"]),
        ('texts(line.why)\nprint("Deal")\nTexts(language)', []),
    ],
)
def test_literals_are_found(tmp_path: Path, code: str, expected: list[object]) -> None:
    assert found_in(tmp_path, code) == expected


@pytest.mark.parametrize("code", ['texts(f"Bet on {name}")', 'Phrase("Bet on " + name)', 'texts("Bet on %s" % name)'])
def test_a_text_that_is_made_while_the_program_runs_is_refused(tmp_path: Path, code: str) -> None:
    with pytest.raises(UngatherableError, match=r"page\.py:1: a text is one literal"):
        found_in(tmp_path, code)


def found_in_template(folder: Path, template: str) -> list[object]:
    path = folder / "page.html"
    path.write_text(template, "utf-8")
    return list(texts_in_template(path))


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ('<p title="{{ texts("Deal") }}">{{ texts("Bet on {player}", player=name) }}</p>', ["Deal", "Bet on {player}"]),
        ('{{ texts("Go on" if paused else "Pause") }}', ["Go on", "Pause"]),
        ('{{ counted("{count} card", "{count} cards", cards | length) }}', [("{count} card", "{count} cards")]),
        ("{% macro word(text) %}{{ texts(text) }}{{ texts(line.why) }}{% endmacro %}{{ print('Deal') }}", []),
    ],
)
def test_literals_of_templates_are_found(tmp_path: Path, template: str, expected: list[object]) -> None:
    assert found_in_template(tmp_path, template) == expected


@pytest.mark.parametrize("template", ['{{ texts("Bet on " ~ name) }}', '{{ texts("Bet on %s" | format(name)) }}'])
def test_a_text_that_a_template_joins_is_refused(tmp_path: Path, template: str) -> None:
    with pytest.raises(UngatherableError, match=r"page\.html:1: a text is one literal"):
        found_in_template(tmp_path, template)


SAME = {
    "Computer",
    "Distance",
    *(
        "Bam",
        "Bam!",
        "Bunnymoose",
        "Corrections",
        "Enter",
        "Films",
        "Home",
        "Orange",
        "Pages",
        "Pause",
        "Piles",
        "Pile {number}",
        "Start",
    ),
    *("Table", "Verdicts", "index"),
}
"""English texts that another language may write the same."""

ENGLISH_WORDS = re.compile(
    r"\b(the|and|with|your|this|that|is|are|of|from|card|cards|round|player|left|right|moose|rabbit|antler|ear|bet|"
    r"nobody|not|there|which|what|who|been|has|have|game|phone)\b",
    re.IGNORECASE,
)
"""Words that none of the other languages has."""

RIVALS = {
    Language.GERMAN: ("Telefon", "Mobiltelefon", "Deck", "Kartendeck", "Geweih", "Wiederholung"),
    Language.FRENCH: ("portable", "paquet", "ramure"),
    Language.SPANISH: ("teléfono", "celular", "mazo", "cuerno", "película", "repetición", "ustedes"),
    Language.CZECH: ("telefon", "paroží", "záznam"),
}
"""Beginnings of words that mean what the glossary of docs/how-to/languages.md calls otherwise."""

COMMAND = re.compile(r"`[^`]*`|[„«“](?:sudo|bunnymoose)[^“»”]*[“»”]|--[a-z]+|[a-z]+-lines")
"""Text that is typed as it stands."""


@dataclass(frozen=True)
class Entry:
    """One text: its forms in English, and in another language."""

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
    """The places for values, with how a number is written there."""
    return {(name, how) for _, name, how, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_program_stands_in_the_catalogue_and_nothing_else(language: Language) -> None:
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
def test_every_translation_has_the_same_places_for_values(language: Language) -> None:
    for entry in entries(language):
        assert {name for each in entry.said for name in values_of(each)} == values_of(entry.english[-1]), entry


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_counted_text_has_all_forms_of_the_language(language: Language) -> None:
    """Check all forms; for one thing, a word may stand for the number."""
    counted = [entry for entry in entries(language) if entry.counted]
    forms_of_the_language = read_catalogue(language).num_plurals
    assert counted
    for entry in counted:
        assert len(entry.said) == forms_of_the_language
        for said in entry.said:
            assert values_of(said) | {("count", "")} == values_of(entry.english[-1]) | {("count", "")}, entry


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_compiled_is_what_was_translated(language: Language) -> None:
    with (CATALOGUES / f"{language}.mo").open("rb") as file:
        assert set(read(read_mo(file))) == set(entries(language))


@pytest.mark.parametrize("language", TRANSLATED)
def test_sentences_end_alike(language: Language) -> None:
    """A full stop stays one, and a title gets none."""
    wrong = [
        entry
        for entry in entries(language)
        for said in entry.said
        if entry.english[-1].endswith(".") != said.endswith(".")
    ]
    assert not wrong


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_says_the_same_thing_twice(language: Language) -> None:
    """A text of several lines was once written three times into its entry."""
    twice = re.compile(r"(.{20,}?)\s*\1+", re.DOTALL)
    assert not [said for entry in entries(language) for said in entry.said if twice.fullmatch(said)]


def test_no_name_is_bent_or_elided_by_the_word_before_it() -> None:
    """French writes “de Blaise” and “d’Ida”: names stand alone there."""
    bends = re.compile(r"\b(de|que|ne|se|si|le|la|du|au) \{(player|name|narrator|names|who|whose)\}")
    assert not [said for entry in entries(Language.FRENCH) for said in entry.said if bends.search(said)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_number_keeps_its_unit_on_its_line(language: Language) -> None:
    parts = re.compile(r"[\d}] (%|ms|s|cm|dB|Hz|MB|Mo)(?!\w)")
    assert not [said for entry in entries(language) for said in entry.said if parts.search(said)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_an_apostrophe_is_no_typewriters(language: Language) -> None:
    typed = re.compile(r"\w'\w")
    assert not [said for entry in entries(language) for said in entry.said if typed.search(said)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_thing_has_one_word(language: Language) -> None:
    rivals = re.compile(rf"\b({'|'.join(RIVALS[language])})", re.IGNORECASE)
    assert not [said for entry in entries(language) for said in entry.said if rivals.search(without_values(said))]


def test_french_keeps_its_signs_with_the_word_before() -> None:
    lost = re.compile(r"[^\N{NO-BREAK SPACE}][:;!?»](?=$|[\s»])|«[^\N{NO-BREAK SPACE}]")
    said = [re.sub(r"\{[^}]*\}", "X", said) for entry in entries(Language.FRENCH) for said in entry.said]
    assert not list(filter(lost.search, said))


def test_spanish_opens_what_it_asks_and_calls() -> None:
    """A sign at the very beginning stands for doubt and asks nothing."""
    for entry in entries(Language.SPANISH):
        for said in entry.said:
            assert [said.count(sign) for sign in "¡¿"] == [said.count(sign) - (said[0] == sign) for sign in "!?"]
