"""An English text that can be said in another language later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping


class Phrase(str):
    """A text with its values: it prints in English wherever a `str` goes, and `Texts` says it in any language.

    Written where it is meant: `Phrase("fingers {degrees:.0f}° apart", degrees=8.2)`. The catalogue is gathered from
    such calls, so the text is a literal.

    Attributes:
        template: the English text; `{name}` stands where a value goes.
        values: those values, numbers or texts, of which some may be phrases themselves.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill in the English text; one without values is taken as it is, braces and all."""
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template = template
        phrase.values = values
        return phrase

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle with the values."""
        return _phrase, (self.template, self.values)


def _phrase(template: str, values: Mapping[str, object]) -> Phrase:
    return Phrase(template, **values)
