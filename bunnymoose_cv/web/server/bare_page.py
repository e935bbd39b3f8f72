"""Pages of one sentence, without style sheets and scripts: for whoever is not let in, and on the way in."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts

_STYLE = """
:root { color-scheme: light dark; --paper: #f3ecdb; --ink: #1f2a22; --forest: #22543a; }
@media (prefers-color-scheme: dark) { :root { --paper: #131c17; --ink: #f3ecdb; --forest: #8fcf9f; } }
body { background: var(--paper); color: var(--ink); font: 1.25rem/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 34rem; margin: 18vh auto 0; padding: 1.25rem; }
h1 { font: 700 2rem/1.2 Rockwell, "Roboto Slab", Georgia, serif; }
a { color: var(--forest); }
"""


def bare_page(texts: Texts, title: str, sentence: str, status: int, way: str | None = None) -> HTMLResponse:
    """Page with one sentence.

    Args:
        texts: the language of the table; title and sentence are in it already.
        way: a path of ours to go on to.
    """
    link = "" if way is None else f'<p><a href="{escape(way)}">{escape(texts("Go on"))}</a></p>'
    return _page(texts, title, f"<p>{escape(sentence)}</p>{link}", status)


def refusal_page(texts: Texts, status: int) -> HTMLResponse:
    """Page that refuses a request; but for one that comes too often, the connection ends with it.

    Args:
        status: 429 for one that comes too often, or the reason of HTTP for which it is never answered.
    """
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return bare_page(texts, texts("Not so fast"), texts("Wait a moment and try once more."), status)
    page = bare_page(texts, texts("Not here"), texts("There is nothing here."), status, "/")
    page.headers["connection"] = "close"
    return page


def identify_page(texts: Texts, *, is_owner: bool) -> HTMLResponse:
    """Page for a stranger, with the way in.

    Args:
        is_owner: whether the browser may become the owner's, on the computer itself, and no phone.
    """
    way = (
        texts("Open the address that the terminal shows.")
        if is_owner
        else texts("Take the code on the screen at the table with this phone's camera.")
    )
    return bare_page(texts, texts("Who are you?"), way, 403)


def onward_page(texts: Texts, way: str) -> HTMLResponse:
    """Redirecting page, which keeps the address it came by out of the history.

    A redirect would come from whoever sent the browser here, and a strict cookie would stay behind.
    """
    refresh = f'<meta http-equiv="refresh" content="0;url={escape(way)}">'
    return _page(texts, texts("Come in"), f"<p>{escape(texts('One moment.'))}</p>", 200, refresh)


def _page(texts: Texts, title: str, body: str, status: int, head: str = "") -> HTMLResponse:
    return HTMLResponse(
        f'<!doctype html><html lang="{texts.language.value}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">'
        f"{head}<title>{escape(title)} · Bunnymoose</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>",
        status_code=status,
    )
