"""The frame around every page that NiceGUI makes: the header, and where troubles are told."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.web.pages.page_header import header, keys_sheet, notices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from nicegui.element import Element

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_header import KeyWords
    from bunnymoose_cv.web.server.host import Host

TOLD_S: Final = 9.0
"""Duration of a notice on the screen."""


class PageFrame:
    """Frame operations for a page."""

    def __init__(self, told: Element, texts: Texts) -> None:
        self._told, self._texts = told, texts

    def tell(self, sentence: str) -> None:
        """Tell people something at the foot of the page for some seconds; screen readers say it at once."""
        self._told.clear()
        with self._told:
            told = html.p(sentence)
            ui.timer(TOLD_S, told.delete, once=True)

    async def attempt(self, deed: Callable[[], Future[None]]) -> bool:
        """Do what people want; where that cannot be done they are told why.

        Args:
            deed: sets it going.

        Returns:
            Whether it was done.
        """
        try:
            await asyncio.wrap_future(deed())
        except InputError as error:
            self.tell(self._texts(error.sentence))
            return False
        return True


@contextmanager
def page_frame(
    host: Host, visitor: Visitor, title: str, *, sheets: Sequence[str] = (), keys: Sequence[KeyWords] = ()
) -> Iterator[PageFrame]:
    """A page, with everything that stands on every page.

    Args:
        host: what is served.
        visitor: who looks.
        title: of the page, in the language of the table.
        sheets: further style sheets of the page, by name without ending.
        keys: what the page's keys do; without them there is no list of keys.
    """
    texts = host.texts
    ui.page_title(f"{title} · Bunnymoose")
    _dress(("house", *sheets), texts)
    client = ui.context.client
    client.page_container.default_slot.children[0].props("id=main tabindex=-1")  # Quasar's page is the main landmark
    with client.layout:
        skip = html.a(texts("Skip to the page itself"), href="#main").classes("skip button")
        content = header(visitor, title, texts, with_keys=bool(keys))
        top = ui.html(content, sanitize=False, tag="header").classes("top house")
        ui.html(notices(texts), sanitize=False)
        place = html.div(role="status").props("aria-live=assertive").classes("told house")
        if keys:
            ui.html(keys_sheet(keys, texts), sanitize=False)
    top.move(target_index=0)
    skip.move(target_index=0)
    with html.div().classes("house page"):
        yield PageFrame(place, texts)


def _dress(sheets: Sequence[str], texts: Texts) -> None:
    for sheet in sheets:
        ui.add_head_html(f'<link rel="stylesheet" href="/style/{sheet}.css">')
    ui.add_head_html(f'<script src="/style/house.js" data-language="{texts.language.value}"></script>')
    ui.add_head_html('<script src="/style/commands.js"></script>')
