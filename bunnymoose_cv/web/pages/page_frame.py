"""The frame around every page: header, way to the other pages, skip link, keys, and where troubles are told."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.web.auth.access import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future

    from nicegui.element import Element

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.server.host import Host

TOLD_S: Final = 9.0
"""Duration of a notice on the screen."""


@dataclass(frozen=True, slots=True)
class KeyWords:
    """Key and its effect, for the list that `?` opens.

    Attributes:
        keys: as they are written on the keys.
        does: in the language of the table.
    """

    keys: tuple[str, ...]
    does: str


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
        top = html.header().classes("top house")
        with top:
            _brand(texts)
            _ways(visitor, title, texts)
            _switches(texts, with_keys=bool(keys))
        told = html.div(role="status").props("aria-live=assertive").classes("told house")
        if keys:
            _keys_sheet(keys, texts)
    top.move(target_index=0)
    skip.move(target_index=0)
    with html.div().classes("house page"):
        yield PageFrame(told, texts)


def _dress(sheets: Sequence[str], texts: Texts) -> None:
    for sheet in sheets:
        ui.add_head_html(f'<link rel="stylesheet" href="/style/{sheet}.css">')
    ui.add_head_html(f'<script src="/style/house.js" data-language="{texts.language.value}"></script>')


def _brand(texts: Texts) -> None:
    """The way home, with our sign."""
    with html.a(href="/").classes("brand"):
        ui.html(_SIGN, sanitize=False, tag="span").props("aria-hidden=true")
        html.span(texts("Bunnymoose"))


def _ways(visitor: Visitor, title: str, texts: Texts) -> None:
    """The ways to the other pages that this visitor may see."""
    table, cards, verdicts = ("/table", texts("Table")), ("/cards", texts("Cards")), ("/verdicts", texts("Verdicts"))
    phones = ("/join", texts("Phones"))
    further = ("/history", texts("History")), ("/practice", texts("Practice")), phones, ("/setup", texts("New game"))
    ways = {
        Role.OWNER: (table, cards, verdicts, *further),
        Role.PLAYER: (("/phone", texts("My page")), table, cards, verdicts),
        Role.GUEST: (table, verdicts, phones),
    }[visitor.role]
    nav = html.nav()
    nav.props["aria-label"] = texts("Pages")
    with nav, html.ul():
        for path, name in ways:
            with html.li():
                way = html.a(name, href=path).classes("button plain")
                if name == title:
                    way.props("aria-current=page")


def _switches(texts: Texts, *, with_keys: bool) -> None:
    """Light and dark, full screen, and the list of keys."""
    with html.div().classes("row tight switches"):
        _switch(_MOON, texts("Light or dark"), "data-does=theme")
        _switch(_CORNERS, texts("Full screen"), "data-does=fullscreen aria-keyshortcuts=f")
        if with_keys:
            _switch("?", texts("Keys"), "data-opens=keys aria-keyshortcuts=?")


def _switch(sign: str, name: str, props: str) -> None:
    switch = html.button().classes("button plain switch").props(f"type=button {props}")
    switch.props["aria-label"] = switch.props["title"] = name
    with switch:
        ui.html(sign, sanitize=False, tag="span").props("aria-hidden=true")


def _keys_sheet(keys: Sequence[KeyWords], texts: Texts) -> None:
    """The dialog that lists the keys."""
    with html.dialog(id="keys").classes("sheet") as sheet:
        sheet.props["aria-label"] = texts("Keys")
        with html.div().classes("row apart"):
            html.h2(texts("Keys"))
            html.button(texts("Close")).classes("button").props(
                "type=button data-closes data-first aria-keyshortcuts=?"
            )
        with html.dl().classes("keys"):
            for each in keys:
                with html.dt():
                    for key in each.keys:
                        html.kbd(key)
                html.dd(each.does)


_SIGN: Final = (
    '<svg viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="3.2" stroke-linecap="round" '
    'stroke-linejoin="round"><path d="M24 20c-7 0-11 5-11 11s5 11 11 11 11-5 11-11-4-11-11-11Z"/>'
    '<path d="M18 21C13 14 13 6 16 4s6 5 6 15"/><path d="M30 21c2-4 2-7 2-10m0 3c4 0 8-2 9-7M32 15c-1-4-1-7 1-11"/>'
    '<path d="M20 31h.01M28 31h.01M22 36c1 1 3 1 4 0"/></svg>'
)
_MOON: Final = (
    '<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2.2" '
    'stroke-linejoin="round"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z"/></svg>'
)
_CORNERS: Final = (
    '<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2.2" '
    'stroke-linecap="round" stroke-linejoin="round"><path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/></svg>'
)
