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


_WORDS_OR_MARKUP: Final = re.compile(
    rf"<(?:bdi|svg|option|title|textarea)\b.*?</(?:bdi|svg|option|title|textarea)>|<[^>]*>|({RIGHT_TO_LEFT.pattern})",
    re.DOTALL,
)
"""Words that have to be isolated, or markup that holds none: tags, what is isolated, and what may hold no tag."""


def render(name: str, texts: Texts, **values: object) -> Markup:
    """Fill a template.

    Args:
        name: of its file, without ending.
        texts: in the language of the table; templates say `texts("…")` and `counted("…", "…", n)`.
        values: text, which is escaped, or `Markup`, which stands as it is.
    """
    filled = _ENVIRONMENT.get_template(f"{name}.html").render(texts=texts, counted=texts.counted, **values)
    return Markup(_isolated(as_unicode(filled.strip())))  # noqa: S704 - Jinja2 has escaped it


def _isolated(html: str) -> str:
    """Isolate words from right to left, so that numbers and neighbours stay where the sentence has them."""
    return _WORDS_OR_MARKUP.sub(lambda found: f"<bdi>{found[1]}</bdi>" if found[1] else found[0], html)


def drawing(svg: str) -> Markup:
    """Mark a drawing of ours as HTML: its words are escaped where it is drawn."""
    return Markup(svg)  # noqa: S704 - our own drawing
