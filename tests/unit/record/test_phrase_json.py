"""Phrases kept as JSON: they come back as they were, and can be told in another language."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.evidence_json import KeptPhrase

KEPT: TypeAdapter[Phrase] = TypeAdapter(KeptPhrase)


def there_and_back(phrase: Phrase) -> Phrase:
    return KEPT.validate_json(KEPT.dump_json(phrase))


@given(st.floats(0, 180), st.text(), st.text())
def test_a_phrase_comes_back(degrees: float, name: str, plain: str) -> None:
    inner = Phrase("{degrees:.0f}° of {name}", degrees=degrees, name=name)
    for phrase in (inner, Phrase(plain), Phrase("{one}, {two}", one=inner, two=Phrase("wide antler up"))):
        read = there_and_back(phrase)
        assert (read, read.template, read.values) == (phrase, phrase.template, phrase.values)


def test_a_phrase_that_was_kept_is_told_in_another_language() -> None:
    kept = there_and_back(Phrase("{shape} on the left", shape=Phrase("wide antler up")))
    assert Texts(Language.GERMAN)(kept) == "links breite Schaufel nach oben"


def test_a_reason_of_an_older_round_stays_english() -> None:
    assert KEPT.validate_json('"fingers 8° apart, touching"') == "fingers 8° apart, touching"


@pytest.mark.parametrize(
    "kept",
    [
        3,
        {"text": "{degrees}"},
        {"text": "{degrees}", "values": {"other": 1}},
        {"text": "{degrees.nothing}", "values": {"degrees": 1}},
        {"text": "{", "values": {"degrees": 1}},
        {"text": 3, "values": {}},
    ],
)
def test_what_is_no_phrase_is_refused(kept: object) -> None:
    with pytest.raises(ValidationError):
        KEPT.validate_json(json.dumps(kept))
