"""Texts in the language of the table. Owns no sentence: those stand where they are said, in English.

An English text is its own key, so that code reads as people will; `Texts` turns it into another language.
"""

from __future__ import annotations

from dataclasses import dataclass

from bunnymoose_cv.voice.phrases import Language


@dataclass(frozen=True, slots=True)
class Texts:
    """The catalogue of one language.

    Attributes:
        language: whose.
    """

    language: Language = Language.ENGLISH

    def __call__(self, text: str, **values: object) -> str:
        """A text in this language.

        Args:
            text: in English; `{name}` stands where a value goes.
            values: those values, which are never markup nor patterns themselves.
        """
        return text.format(**values)

    def counted(self, one: str, many: str, count: int, **values: object) -> str:
        """A text about so many things, as the language bends it; `{count}` is the number."""
        return (one if count == 1 else many).format(count=count, **values)
