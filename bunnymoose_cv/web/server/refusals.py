"""Answers of one sentence: refusals of requests, and pages without style sheets and scripts on the way in."""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.responses import HTMLResponse, PlainTextResponse

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.web.auth.permissions import AccessError
from bunnymoose_cv.web.commands.form_command import CommandFormError

if TYPE_CHECKING:
    from bunnymoose_cv.core.phrase import Phrase
    from bunnymoose_cv.i18n.texts import Texts


class StatusError(InputError):
    """Refusal of a request with a status of HTTP."""

    def __init__(self, status: int, sentence: Phrase) -> None:
        self.status = status
        super().__init__(sentence)


def refusal(error: InputError, texts: Texts) -> PlainTextResponse:
    """Return the answer to a request that ended with an error."""
    match error:
        case StatusError():
            status = error.status
        case CommandFormError() | NotationError():
            status = 400
        case AccessError():
            status = 403
        case _:
            status = 409
    return PlainTextResponse(as_unicode(texts(error.sentence)), status_code=status)


_STYLE = """
:root { color-scheme: light dark; --paper: #f3ecdb; --ink: #1f2a22; --forest: #22543a; }
@media (prefers-color-scheme: dark) { :root { --paper: #131c17; --ink: #f3ecdb; --forest: #8fcf9f; } }
body { background: var(--paper); color: var(--ink); font: 1.25rem/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 34rem; margin: 18vh auto 0; padding: 1.25rem; }
h1 { font: 700 2rem/1.2 Rockwell, "Roboto Slab", Georgia, serif; }
a { color: var(--forest); }
"""

_LOOK_AGAIN: Final = '<meta http-equiv="refresh" content="10">'
"""Reload every ten seconds, since the same browser may have logged in on another page."""


def bare_page(texts: Texts, title: str, sentence: str, status: int, way: str | None = None) -> HTMLResponse:
    """Return a page with one sentence, and a link to the path `way` if it is given."""
    link = "" if way is None else f'<p><a href="{escape(way)}">{escape(texts("Go on"))}</a></p>'
    return _page(texts, title, f"<p>{escape(sentence)}</p>{link}", status)


def refusal_page(texts: Texts, status: int) -> HTMLResponse:
    """Return the page for a refused request. Except for 429, over the rate limit, the connection is then closed."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return bare_page(texts, texts("Not so fast"), texts("Wait a moment and try again."), status)
    page = bare_page(texts, texts("Not here"), texts("There is nothing here."), status, "/")
    page.headers["connection"] = "close"
    return page


def identify_page(texts: Texts, *, is_owner: bool) -> HTMLResponse:
    """Return the page that explains to an unknown visitor how to log in; `is_owner` on the computer itself."""
    if is_owner:
        way = texts("Open the address that the terminal shows.")
        then = texts("An unfinished game is waiting there: press “Go on with it”.")
    else:
        way = texts("Take the code on the screen at the table with this phone's camera.")
        then = texts("If the game has stopped, wait until it goes on there.")
    return _page(texts, texts("Who are you?"), f"<p>{escape(way)} {escape(then)}</p>", 403, _LOOK_AGAIN)


def onward_page(texts: Texts, way: str) -> HTMLResponse:
    """Return a page that redirects, which keeps the address with the secret out of the history.

    With an HTTP redirect the browser would count as sent by another site, and withhold the strict cookie.
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
