"""Join page: at the table the code and the joined phones, on a phone “who are you?”."""

from __future__ import annotations

from typing import TYPE_CHECKING

import segno

from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import JOIN

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host

_ON_LIGHT = {"dark": "#1f2a22", "light": "#ffffff"}
"""A code is read as dark on light alone, by day and by night."""


def page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the page."""
    title = host.texts("Phones")
    if visitor.may(Action.ADMIT):
        parts = {"code": _code(host), "phones": _phones(host)}
        return HtmlPage("join/table", title, parts, sheets=("join",))
    return HtmlPage("join/phone", title, {"question": _question(host, visitor)}, sheets=("join",))


def _code(host: Host) -> Markup:
    """The code of each address in the network; the one that most phones reach is the first, and large."""
    addresses = tuple(f"{address}{JOIN}?code={host.access.code}" for address in host.addresses[1:])
    return render("join/code", host.texts, codes=[(address, drawing(_code_art(address))) for address in addresses])


def _phones(host: Host) -> Markup:
    """Phones that have joined with it."""
    return render("join/phones", host.texts, phones=host.access.phones, styles=host.styles)


def _question(host: Host, visitor: Visitor) -> Markup:
    """Choice of a player on a phone, as long as it is nobody's."""
    taken = {phone.player for phone in host.access.phones}
    players, styles = host.players, host.styles
    return render("join/question", host.texts, own=visitor.player, players=players, taken=taken, styles=styles)


def _code_art(address: str) -> str:
    """The address as a QR code, as SVG."""
    return segno.make(address, error="m", micro=False).svg_inline(border=4, omitsize=True, **_ON_LIGHT)
