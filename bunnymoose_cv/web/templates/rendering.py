"""Renderer of the templates beside it: HTML in the language of the table, with every value escaped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bunnymoose_cv.core.unicode_text import as_unicode

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


def render(name: str, texts: Texts, **values: object) -> Markup:
    """Fill a template.

    Args:
        name: of its file, without ending.
        texts: in the language of the table; templates say `texts("…")` and `counted("…", "…", n)`.
        values: text, which is escaped, or `Markup`, which stands as it is.
    """
    filled = _ENVIRONMENT.get_template(f"{name}.html").render(texts=texts, counted=texts.counted, **values)
    return Markup(as_unicode(filled.strip()))  # noqa: S704 - Jinja2 has escaped it


def drawing(svg: str) -> Markup:
    """Mark a drawing of ours as HTML: its words are escaped where it is drawn."""
    return Markup(svg)  # noqa: S704 - our own drawing
