"""Phones join here: on the screen at the table the code for them and who has joined, on a phone “who are you?”."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import segno
from nicegui import html, ui

from bunnymoose_cv.web.auth.access import AccessError, Action
from bunnymoose_cv.web.live.updates import follow_people
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.widgets.player_names import name_among
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host

_ON_LIGHT = {"dark": "#1f2a22", "light": "#ffffff"}
"""A code is read as dark on light alone, by day and by night."""


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    with page_frame(host, visitor, host.texts("Phones"), sheets=("join",)) as frame:
        if visitor.may(Action.ADMIT):
            _AtTheTable(host).follow()
        else:
            _OnAPhone(host, visitor, frame).follow()


class _AtTheTable:
    """The code, and who has joined with it."""

    def __init__(self, host: Host) -> None:
        self._host, self._texts = host, host.texts
        html.h1(self._texts("Phones"))
        with html.div().classes("joining"):
            self._code: Region[tuple[str, ...]] = Region(html.section().classes("panel code"), self._build_code)
            self._phones: Region[tuple[tuple[int, str | None], ...]] = Region(
                html.section().classes("panel stack"), self._build_phones
            )

    def follow(self) -> None:
        """Show who is there, as they come and go."""
        follow_people(self._host, self._show)

    def _show(self) -> None:
        access = self._host.access
        self._code.show(tuple(f"{address}/join?code={access.code}" for address in self._host.addresses[1:]))
        self._phones.show(tuple((phone.number, phone.player) for phone in access.phones))

    def _build_code(self, addresses: tuple[str, ...]) -> None:
        texts = self._texts
        if not addresses:
            html.h2(texts("No phone can join"))
            html.p(texts("Nothing listens to the network: this game was started without --lan."))
            return
        first, *others = addresses
        code = ui.html(_code_art(first), sanitize=False).props("role=img")
        code.props["aria-label"] = texts("Code that a phone joins with")
        html.h2(texts("Point a phone’s camera at the code"))
        html.p(texts("It joins in the same Wi-Fi, without installing anything.")).classes("quiet")
        with html.details():
            html.summary(texts("Or type the address"))
            for address in (first, *others):
                html.p(address).classes("address")
        html.button(texts("Make a new code"), type="button").classes("button").on("click", self._renew)
        html.p(texts("The old code lets nobody in any more; phones that have joined stay.")).classes("quiet small")

    def _build_phones(self, phones: tuple[tuple[int, str | None], ...]) -> None:
        texts = self._texts
        html.h2(texts.counted("{count} phone has joined", "{count} phones have joined", len(phones)))
        if not phones:
            html.p(texts("Nobody needs one: everything can be done here too.")).classes("quiet")
        with html.ul().classes("stack tight"):
            for number, player in phones:
                self._build_phone(number, player)

    def _build_phone(self, number: int, player: str | None) -> None:
        texts = self._texts
        with html.li().classes("row apart"):
            if player is None:
                html.span(texts("Phone {number}, of nobody yet", number=number))
            else:
                name_among(player, self._host.looks)
            remove = html.button(texts("Remove"), type="button").classes("button bad small")
            whose = texts("Phone {number}", number=number) if player is None else player
            remove.props["aria-label"] = texts("Remove the phone: {whose}", whose=whose)
            remove.on("click", partial(self._remove, number))

    def _renew(self) -> None:
        self._host.access.renew_code()

    def _remove(self, number: int) -> None:
        self._host.access.remove(number)


class _OnAPhone:
    """Choice of a player on a phone: “who are you?”."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame) -> None:
        self._host, self._visitor, self._frame, self._texts = host, visitor, frame, host.texts
        self._question: Region[tuple[tuple[str, ...], frozenset[str]]] = Region(
            html.div().classes("stack wide"), self._build_question
        )

    def follow(self) -> None:
        """Ask as long as it is not known."""
        follow_people(self._host, self._show)

    def _show(self) -> None:
        taken = frozenset(phone.player for phone in self._host.access.phones if phone.player is not None)
        self._question.show((self._host.players, taken))

    def _build_question(self, asked: tuple[tuple[str, ...], frozenset[str]]) -> None:
        players, taken = asked
        texts, own = self._texts, self._visitor.player
        if own is not None:
            html.h1(texts("This is the phone of {player}", player=own))
            html.a(texts("My page"), href="/phone").classes("button main large")
            html.p(texts("To give it to somebody else, have it removed at the table.")).classes("quiet")
            return
        html.h1(texts("Who are you?"))
        if not players:
            html.p(texts("As soon as the players are named at the table, they stand here."))
        with html.div().classes("who"):
            for player in players:
                self._build_answer(player, free=player not in taken)

    def _build_answer(self, player: str, *, free: bool) -> None:
        button = html.button(type="button").classes("button large")
        with button:
            name_among(player, self._host.looks)
            if not free:
                html.span(self._texts("has a phone")).classes("quiet small")
        if free:
            button.on("click", partial(self._choose, player))
        else:
            button.props("disabled")

    def _choose(self, player: str) -> None:
        try:
            self._host.give_phone(self._visitor, player)
        except AccessError as error:
            self._frame.tell(self._texts(error.sentence))
        else:
            ui.navigate.to("/phone")


def _code_art(address: str) -> str:
    """The address as a QR code, as SVG."""
    return segno.make(address, error="m", micro=False).svg_inline(border=4, omitsize=True, **_ON_LIGHT)
