"""A phrase as JSON and back, so that a kept reason can be told in any language later.

A phrase without values is its text; one with values is its text and the values, and a value may be a phrase again:
`{"text": "fingers {degrees:.0f}° apart, parted", "values": {"degrees": 12.3}}`.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import PlainSerializer, PlainValidator

from bunnymoose_cv.core.phrase import Phrase


def _encode_phrase(phrase: Phrase) -> str | dict[str, Any]:
    return _with_values(phrase) if phrase.values else phrase.template


def _with_values(phrase: Phrase) -> dict[str, Any]:
    values = {name: _with_values(each) if isinstance(each, Phrase) else each for name, each in phrase.values.items()}
    return {"text": phrase.template, "values": values}


def _read(kept: object) -> Phrase:
    """A phrase out of JSON; one that is a phrase already stays as it is."""
    match kept:
        case Phrase():
            return kept
        case str():
            return Phrase(kept)
        case {"text": str(text), "values": dict(values)}:
            read = {name: _read(each) if isinstance(each, dict) else each for name, each in values.items()}
            try:
                return Phrase(text, **read)
            except (LookupError, AttributeError, TypeError) as error:
                raise ValueError(f"the values do not fit “{text}”") from error
    raise ValueError("a phrase is a text, or a text with its values")


KeptPhrase: TypeAlias = Annotated[Phrase, PlainValidator(_read), PlainSerializer(_encode_phrase)]
"""The type of a field that holds a phrase."""
