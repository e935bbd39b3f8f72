"""Renderer of the templates beside it: HTML in the language of the table, with every value escaped."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bunnymoose_cv.core.unicode_text import RIGHT_TO_LEFT, as_unicode

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts

TEMPLATES: Final = Path(__file__).parent

_ENVIRONMENT: Final = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    auto_reload=False,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.globals.update(vars(_ENVIRONMENT.get_template("macros.html").module))  # its macros, for all templates


_WORDS_OR_MARKUP: Final = re.compile(
    rf"<(?:bdi|svg|option|title|textarea)\b.*?</(?:bdi|svg|option|title|textarea)>|<[^>]*>|({RIGHT_TO_LEFT.pattern})",
    re.DOTALL,
)
"""Right-to-left words to isolate, or markup to skip: tags, isolated text, and elements that may not contain tags."""


def render(name: str, texts: Texts, /, **values: object) -> Markup:
    """Render a template.

    Args:
        name: the name of its file, without ending.
        texts: the texts of the table's language; templates call `texts("…")` and `counted("…", "…", n)`.
        values: text, which is escaped, or `Markup`, which is inserted unchanged.
    """
    filled = _ENVIRONMENT.get_template(f"{name}.html").render(texts=texts, counted=texts.counted, **values)
    return Markup(_isolated(as_unicode(filled.strip())))  # noqa: S704 - Jinja2 has escaped it


def _isolated(html: str) -> str:
    """Isolate right-to-left words, so that numbers and neighbouring words keep their order."""
    return _WORDS_OR_MARKUP.sub(lambda found: f"<bdi>{found[1]}</bdi>" if found[1] else found[0], html)


def drawing(svg: str) -> Markup:
    """Mark our own drawing as HTML; the function that draws it has escaped its words."""
    return Markup(svg)  # noqa: S704 - our own drawing
