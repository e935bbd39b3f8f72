"""The catalogues: every text of the program stands in each, translated, with the same places for values, compiled."""

from __future__ import annotations

import re
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING

import pytest
from babel.messages.mofile import read_mo

from bunnymoose_cv.catalogue.texts import CATALOGUES
from languages.gather import TRANSLATED, gathered, read_catalogue

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

    from bunnymoose_cv.catalogue.language import Language
    from languages.gather import Text

SAME = {
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

COMMAND = re.compile(r"`[^`]*`|[„«“](?:sudo|bunnymoose)[^“»”]*[“»”]|--[a-z]+|[a-z]+-lines")
"""What is typed as it stands."""


@cache
def catalogue_of(language: Language) -> Catalog:
    return read_catalogue(language)


@cache
def texts() -> tuple[Text, ...]:
    return tuple(gathered())


def messages(language: Language) -> list[Message]:
    return [message for message in catalogue_of(language) if message.id]


def forms(text: Text | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def values_of(text: str) -> set[tuple[str, str | None]]:
    """The places for values, with how a number is written there."""
    return {(name, how) for _, name, how, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_program_stands_in_the_catalogue_and_nothing_else(language: Language) -> None:
    known = {message.id for message in messages(language)}
    assert known == set(texts()), "make catalogue, then translate what is new"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: Language) -> None:
    missing = [message.id for message in messages(language) if not all(forms(message.string))]
    assert not missing


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_text_is_left_in_english(language: Language) -> None:
    left = [
        message.id
        for message in messages(language)
        for english in forms(message.id)
        if english in forms(message.string) and re.search(r"[a-z]", without_values(english)) and english not in SAME
    ]
    assert not left
    speaking = [
        (word.group(), said)
        for message in messages(language)
        for said in forms(message.string)
        for word in ENGLISH_WORDS.finditer(COMMAND.sub("", without_values(said)))
    ]
    assert not speaking


def without_values(text: str) -> str:
    return "".join(literal for literal, _, _, _ in Formatter().parse(text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_has_the_same_places_for_values(language: Language) -> None:
    wrong = [
        (message.id, said)
        for message in messages(language)
        if isinstance(message.id, str)
        for said in forms(message.string)
        if values_of(said) != values_of(message.id)
    ]
    assert not wrong


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_counted_text_has_all_forms_of_the_language(language: Language) -> None:
    counted = [message for message in messages(language) if not isinstance(message.id, str)]
    assert counted
    for message in counted:
        assert len(message.string) == catalogue_of(language).num_plurals
        *_, many = message.string
        assert values_of(many) == values_of(message.id[1]), message.id
        for said in message.string:  # one thing may be said in a word of its own
            assert values_of(said) | {("count", "")} == values_of(message.id[1]) | {("count", "")}, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_compiled_is_what_was_translated(language: Language) -> None:
    with (CATALOGUES / f"{language}.mo").open("rb") as file:
        compiled = {forms(message.id): forms(message.string) for message in read_mo(file) if message.id}
    assert compiled == {forms(message.id): forms(message.string) for message in messages(language)}


@pytest.mark.parametrize("language", TRANSLATED)
def test_sentences_end_alike(language: Language) -> None:
    """A full stop stays one, and a title gets none."""
    wrong = [
        (message.id, message.string)
        for message in messages(language)
        if isinstance(message.id, str) and message.id.endswith(".") != message.string.endswith(".")
    ]
    assert not wrong
