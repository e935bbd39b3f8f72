"""Enrol the owner's deck: photograph cards, then say of each which one it is; the program proposes where it can."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from nicegui import context, html, run, ui

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.card_choices import enrolled_cards
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.server.card_fragments import ENROL_FACES
from bunnymoose_cv.web.server.gatekeeper import ENROL_PHOTO
from bunnymoose_cv.web.widgets.card_picker import SCRIPT, PickerForm, choices_html, motifs_html
from bunnymoose_cv.web.widgets.html_parts import HtmlPart
from bunnymoose_cv.web.widgets.photo_picker import picker_html
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.session.deck_enrolment import DeckEnrolment, Proposal
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host

CROP: Final = "/enrol/crop"
"""Address of proposals, by their number."""


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    texts = host.texts
    with page_frame(host, visitor, texts("Own deck"), sheets=("table", "cards", "photo")) as frame:
        if host.enrolment is None:
            html.h1(texts("No deck can be enrolled here"))
            return
        _Enrol(host, visitor, frame, host.enrolment).follow()


class _Enrol:
    """The page of the owner."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame, enrolment: DeckEnrolment) -> None:
        self._visitor, self._frame, self._texts = visitor, frame, host.texts
        self._enrolment = enrolment
        self._deck = enrolled_cards(host.choices.rules, host.deck)
        self._asked: Proposal | None = None
        for script in ("photo", SCRIPT):
            ui.add_head_html(f'<script src="/style/{script}.js"></script>')
        texts = self._texts
        with html.div().classes("stack wide enrol-page"):
            self._progress: Region[Table] = Region(html.div(role="status"), self._build_progress)
            with html.section().classes("panel"):
                html.p(
                    texts(
                        "Lay your cards three by three on the mat or on something plain, none over another, and "
                        "photograph them from above. The pictures stay on this computer."
                    )
                ).classes("quiet")
                HtmlPart().show(picker_html(ENROL_PHOTO, texts("Photograph cards"), texts, several=True))
            with html.div().classes("enrol-naming") as self._naming:
                self._question: Region[tuple[int, int] | None] = Region(
                    html.section().classes("panel"), self._build_question
                )
                with html.section().classes("panel"):
                    self._picker, self._choices = HtmlPart(), HtmlPart()
            self._faces: Region[tuple[str, ...]] = Region(html.section().classes("panel"), self._build_faces)

    def follow(self) -> None:
        """Show what is known, now and after each change."""
        client, loop = context.client, asyncio.get_running_loop()

        def show_newest() -> None:
            if not client.is_deleted:
                with client:
                    self._show()

        def soon() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(show_newest)

        client.on_delete(self._enrolment.listen(soon))
        self._show()

    def _show(self) -> None:
        waiting = self._enrolment.proposals
        self._asked = waiting[0] if waiting else None
        self._progress.show(self._enrolment.missing(self._deck))
        self._naming.set_visibility(self._asked is not None)
        self._question.show(None if self._asked is None else (self._asked.number, len(waiting)))
        self._show_picker()
        self._faces.show(tuple(self._enrolment.enrolment.ids))

    def _show_picker(self) -> None:
        if self._asked is not None:
            number = {"number": str(self._asked.number)}
            form = PickerForm("/command/name-card", "card", ENROL_FACES, hidden=number)
            self._picker.show(motifs_html(self._deck, form, self._texts))
            self._choices.show(choices_html(form, self._texts))

    # What is done.

    async def _name(self, card: Card) -> None:
        asked = self._asked
        if asked is not None:
            await self._do(lambda: self._enrolment.confirm(asked.number, card))

    async def _do(self, deed: Callable[[], None]) -> None:
        if not self._visitor.may(Action.SET_UP):
            self._frame.tell(self._texts("That is not for this phone to do just now."))
            return
        try:
            await run.io_bound(deed)
        except InputError as error:
            self._frame.tell(self._texts(error.sentence))

    # What stands there.

    def _build_progress(self, missing: Table) -> None:
        texts, all_faces = self._texts, len(self._deck)
        known = all_faces - len(missing)
        html.h1(texts("{known} of {all} faces", known=known, all=all_faces))
        bar = html.progress().props(f"max={all_faces} value={known}")
        bar.props["aria-label"] = texts("Faces that are known")
        if missing and known:
            with html.details():
                html.summary(texts("Missing by the rulebook: {count}", count=len(missing)))
                html.p(", ".join(card_name(card, texts) for card in missing)).classes("small")

    def _build_question(self, shown: tuple[int, int] | None) -> None:
        asked, texts = self._asked, self._texts
        if shown is None or asked is None:
            return
        number = asked.number
        html.h2(texts("Which card is this?"))
        html.p(texts.counted("{count} card waits", "{count} cards wait", shown[1])).classes("quiet small")
        image = html.img().props(f"src={CROP}/{number}.jpg").classes("enrol-crop")
        image.props["alt"] = texts("The photographed card")
        guess = asked.guess
        if guess is not None:
            with html.button(type="button").classes("button main large") as yes:
                html.span(texts("It is: {card}", card=card_name(guess, texts)))
                ui.html(card_face(guess, texts), sanitize=False).classes("enrol-guess").props("aria-hidden=true")
            yes.on("click", partial(self._name, guess))
        with html.div().classes("row tight"):
            turn = html.button(texts("It stands on its head"), type="button").classes("button")
            turn.on("click", partial(self._do, lambda: self._enrolment.turn(number)))
            none = html.button(texts("No card, or a known one"), type="button").classes("button")
            none.on("click", partial(self._do, lambda: self._enrolment.reject(number)))

    def _build_faces(self, faces: tuple[str, ...]) -> None:
        if not faces:
            return
        with html.details():
            html.summary(self._texts("Forget a face"))
            with html.ul().classes("stack tight"):
                for face in sorted(faces):
                    card = parse_card(face)
                    with html.li().classes("row apart"):
                        html.span(card_name(card, self._texts))
                        forget = html.button(self._texts("Forget"), type="button").classes("button small")
                        forget.props["aria-label"] = self._texts("Forget: {card}", card=card_name(card, self._texts))
                        forget.on("click", partial(self._do, partial(self._enrolment.forget, card)))
