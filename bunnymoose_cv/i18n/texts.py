"""Texts in the language of the table.

An English text is its own key, so the code shows the texts as users see them. `Texts` translates it with the
language's gettext catalogue (`de.mo` in this folder, compiled from `de.po`). See docs/how-to/languages.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from string import Formatter
from typing import Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language

CATALOGUES: Final = Path(__file__).parent
"""Folder of the catalogues: one for each language except English, whose texts are the keys."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The catalogue of one language."""

    language: Language = Language.ENGLISH

    def __call__(self, text: str, /, **values: object) -> str:
        """Translate a text; it remains English if the catalogue has no translation.

        Args:
            text: the English text, with a placeholder `{name}` for each value. A `Phrase` has its own values. Any other
                text without values is not formatted.
            values: the values, which are never interpreted as markup or patterns.
        """
        if isinstance(text, Phrase):
            return self(text.template, **text.values)
        return self._filled(_catalogue(self.language).gettext(text) if text else "", values)

    def counted(self, one: str, many: str, /, count: int, **values: object) -> str:
        """Translate a text about a number of things in the language's plural form; `{count}` is the number."""
        return self._filled(_catalogue(self.language).ngettext(one, many, count), {"count": count, **values})

    def _filled(self, pattern: str, values: dict[str, object]) -> str:
        if not values:
            return pattern
        said = {name: self(value) if isinstance(value, Phrase) else value for name, value in values.items()}
        return _FORMATTERS[self.language].vformat(pattern, (), said)


class _Continental(Formatter):
    """Number format of the other four languages: decimal comma, and a space before the per cent sign."""

    def format_field(self, value: object, format_spec: str) -> str:
        written = str(super().format_field(value, format_spec))
        return written.replace(".", ",").replace("%", "\N{NO-BREAK SPACE}%") if isinstance(value, float) else written


_FORMATTERS: Final = {
    language: Formatter() if language is Language.ENGLISH else _Continental() for language in Language
}


@cache
def _catalogue(language: Language) -> NullTranslations:
    if language is Language.ENGLISH:
        return NullTranslations()
    with (CATALOGUES / f"{language}.mo").open("rb") as file:
        return GNUTranslations(file)
