"""Enrol the owner's deck: photograph cards, then say of each which one it is; the program proposes where it can."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.live.card_choices import enrolled_cards
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import COMMANDS, ENROL_FACES, ENROL_PHOTO, crop_address
from bunnymoose_cv.web.widgets.card_photo_panel import SHEET as PHOTO
from bunnymoose_cv.web.widgets.card_picker import SCRIPT, PickerForm, choices_html, motifs_html
from bunnymoose_cv.web.widgets.photo_picker import picker_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.deck_enrolment import DeckEnrolment, Proposal
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.event_stream import PartsRenderer
    from bunnymoose_cv.web.live.host import Host


def page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts = host.texts
    if host.enrolment is None:
        return HtmlPage("enrol/none", texts("Own deck"), {})
    parts = _parts(host.enrolment, enrolled_cards(host.choices.rules, host.deck), texts)
    sheets, scripts = ("table", SCRIPT, PHOTO), (PHOTO, SCRIPT)
    return HtmlPage("enrol/page", texts("Own deck"), parts, sheets=sheets, scripts=scripts)


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer | None]:
    """Show each change of the enrolment; nothing here follows the camera."""
    end = None if host.enrolment is None else host.enrolment.listen(host.notify_change)
    try:
        yield None
    finally:
        if end is not None:
            end()


def _parts(enrolment: DeckEnrolment, deck: Table, texts: Texts) -> Mapping[str, Markup]:
    waiting, missing = enrolment.proposals, enrolment.missing(deck)
    names = [card_name(card, texts) for card in missing]
    known = len(deck) - len(missing)
    return {
        "progress": render("enrol/progress", texts, faces=len(deck), known=known, missing=names),
        "photograph": picker_html(ENROL_PHOTO, texts("Photograph cards"), texts, several=True),
        **_naming(waiting, deck, texts),
        "faces": _faces(enrolment, texts),
    }


def _naming(waiting: tuple[Proposal, ...], deck: Table, texts: Texts) -> Mapping[str, Markup]:
    """Ask about the card that waits longest; nothing stands there while none waits."""
    if not waiting:
        return dict.fromkeys(("question", "motifs", "choices"), drawing(""))
    asked = waiting[0]
    form = PickerForm(f"{COMMANDS}name-card", "card", ENROL_FACES, hidden={"number": str(asked.number)})
    question = render(
        "enrol/question",
        texts,
        number=asked.number,
        waiting=len(waiting),
        address=crop_address(asked.number),
        guess=_guess(asked, texts),
    )
    return {"question": question, "motifs": motifs_html(deck, form, texts), "choices": choices_html(form, texts)}


def _guess(asked: Proposal, texts: Texts) -> Mapping[str, object] | None:
    card = asked.guess
    if card is None:
        return None
    return {"card": str(card), "name": card_name(card, texts), "face": drawing(card_face(card, texts))}


def _faces(enrolment: DeckEnrolment, texts: Texts) -> Markup:
    """List of enrolled faces, each with a button to forget it."""
    faces = [(face, card_name(parse_card(face), texts)) for face in sorted(enrolment.enrolment.ids)]
    return render("enrol/faces", texts, faces=faces) if faces else drawing("")
