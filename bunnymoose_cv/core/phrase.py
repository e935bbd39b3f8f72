"""English text that can be translated later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping


class Phrase(str):
    """Text with its values. It is an English `str`, and `Texts` translates it into any language.

    Construct it in place: `Phrase("fingers {degrees:.0f}° apart", degrees=8.2)`. The catalogue is gathered from such
    calls, so the text must be a literal.

    Attributes:
        template: the English text, with a placeholder `{name}` for each value.
        values: the values, numbers or texts, some of which may be phrases themselves.
    """

    __slots__ = ("template", "values")

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill in the English text; without values the text is kept unchanged, including braces."""
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template = template
        phrase.values = values
        return phrase

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle with the values."""
        return _phrase, (self.template, self.values)


def _phrase(template: str, values: Mapping[str, object]) -> Phrase:
    return Phrase(template, **values)
