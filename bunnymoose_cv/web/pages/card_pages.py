"""Pages of cards: the narrator's page, on which cards are picked, typed or dealt, and the enrolment of the own deck.

The cards are stored in the session alone, so that two phones see the same. The permission to lay is checked at every
tap.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.art.art_names import card_name
from bunnymoose_cv.art.card_art import card_face
from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.events import CardLaid, TableLaid
from bunnymoose_cv.rules.game import BEFORE_BAM, Phase
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.live.card_choices import cards_of, enrolled_cards
from bunnymoose_cv.web.pages.html_page import HtmlPage, no_game_page
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import COMMANDS, ENROL_CROP, ENROL_FACES, ENROL_PHOTO, FACES
from bunnymoose_cv.web.widgets.cards_entry import (
    PHOTO_SHEET,
    SCRIPT,
    PickerForm,
    choices_html,
    entry_html,
    motifs_html,
    photo_parts,
    picker_html,
    pile_parts,
    takes_cards,
)
from bunnymoose_cv.web.widgets.controls import bam_html, controls_of, dealer_parts, entries_part
from bunnymoose_cv.web.widgets.standings import ranking_html
from bunnymoose_cv.web.widgets.table_status import between_rounds, idle_keys_html, waiting_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.cards.deck_enrolment import Proposal
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.streams import PartsRenderer
    from bunnymoose_cv.web.pages.html_page import Keys

_FORM: Final = PickerForm(f"{COMMANDS}lay", "cards", FACES, needs="lay")


def cards_page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the narrator's page."""
    texts, session = host.texts, host.session
    if host.card_reader is not None:
        host.card_reader.open_soon()  # a visitor of this page may photograph the cards at the next Bam
    keys: Keys = {
        ("Tab", texts("Enter")): texts("Choose a card"),
        ("c",): texts("Type cards"),
        ("s",): texts("Deal, or let the dealer rest"),
        ("u",): texts("Undo"),
        (texts("Space"),): texts("Bam!"),
    }
    if session is None:
        return no_game_page(texts("Cards"), texts, keys)
    sheets, parts = ("table", SCRIPT, PHOTO_SHEET), _cards_parts(host, visitor, session.state)
    return HtmlPage("cards/page", texts("Cards"), parts, sheets=sheets, scripts=(PHOTO_SHEET, SCRIPT), keys=keys)


def _cards_parts(host: Host, visitor: Visitor, state: TableState) -> Mapping[str, Markup]:
    texts = host.texts
    newest = standing_entries(state.entries)[-1].event
    undoes = visitor.may(Action.UNDO) and isinstance(newest, CardLaid | TableLaid)
    return {
        **entries_part(state),
        "next": render("cards/next", texts, headline=_headline(state, visitor, texts), last=_last(state, texts)),
        **pile_parts(state.game, texts),
        "ranking": ranking_html(state.game, texts) if state.game.phase is Phase.OVER else drawing(""),
        **photo_parts(host, visitor, state),
        "motifs": motifs_html(cards_of(state.game, host.choices.deck), _FORM, texts),
        "typed": entry_html(texts, key="c", needs="lay"),
        **dealer_parts(state.deal, texts),
        "undo": render("cards/undo", texts, enabled=undoes),
        "bam": bam_html(texts, can_press=controls_of(state, visitor).bam, by_keys=not between_rounds(state.game)),
        "choices": choices_html(_FORM, texts),
        "idle-keys": idle_keys_html(state, visitor, texts),
        "allowed": render("cards/allowed", texts, actions=tuple(_allowed(state, visitor))),
    }


def _allowed(state: TableState, visitor: Visitor) -> Iterator[str]:
    """Yield the names of the visitor's current permissions, which fields use for what they need."""
    if controls_of(state, visitor).lays:
        yield "lay"
    if visitor.may(Action.DEAL) and state.game.phase in BEFORE_BAM:
        yield "deal"


def _headline(state: TableState, visitor: Visitor, texts: Texts) -> str:
    """Return the headline: the next card's pile, or the reason why no card can be laid."""
    game = state.game
    pile = game.laid % game.rules.piles + 1
    if game.phase is Phase.OVER:
        return waiting_for(state, texts).headline
    if state.judging:
        return texts("Bam! Nobody moves")
    if not takes_cards(game):
        return texts("Bam! All cards are down")
    if not visitor.may(Action.LAY):
        return texts("{narrator} lays the cards", narrator=game.narrator)
    if game.phase is Phase.FROZEN:
        return texts("Bam! Which card is on pile {number}?", number=pile)
    return texts("Next: pile {number}", number=pile)


def _last(state: TableState, texts: Texts) -> str:
    """Return the words for the card that was laid last; empty before the first."""
    if state.game.phase is Phase.OVER:
        return texts("The game is over.")
    if not state.game.piles:
        return ""
    number = (state.game.laid - 1) % state.game.rules.piles
    return texts("On pile {number}: {card}", number=number + 1, card=card_name(state.game.table[number], texts))


def enrol_page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page of the enrolment: photograph cards, then name each one; the program proposes names if it can."""
    texts, enrolment = host.texts, host.enrolment
    if enrolment is None:
        return HtmlPage("enrol/none", texts("Own deck"), {})
    deck = enrolled_cards(host.choices.rules, host.choices.deck)
    missing = [card_name(card, texts) for card in enrolment.missing(deck)]
    known = [(face, card_name(parse_card(face), texts)) for face in sorted(enrolment.enrolment.ids)]
    parts = {
        "progress": render("enrol/progress", texts, faces=len(deck), known=len(deck) - len(missing), missing=missing),
        "photograph": picker_html(ENROL_PHOTO, texts("Photograph cards"), texts, several=True),
        **_naming(enrolment.proposals, deck, texts),
        "faces": render("enrol/faces", texts, faces=known) if known else drawing(""),
    }
    sheets, scripts = ("table", SCRIPT, PHOTO_SHEET), (PHOTO_SHEET, SCRIPT)
    return HtmlPage("enrol/page", texts("Own deck"), parts, sheets=sheets, scripts=scripts)


@contextmanager
def watch_enrolment(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer | None]:
    """Notify the host of each change of the enrolment; no part follows the camera."""
    unsubscribe = None if host.enrolment is None else host.enrolment.listen(host.notify_change)
    try:
        yield None
    finally:
        if unsubscribe is not None:
            unsubscribe()


def _naming(waiting: tuple[Proposal, ...], deck: Table, texts: Texts) -> Mapping[str, Markup]:
    """Ask for the name of the oldest unnamed card; the parts are empty if there is none."""
    if not waiting:
        return dict.fromkeys(("question", "motifs", "choices"), drawing(""))
    number, guess = waiting[0].number, waiting[0].guess
    form = PickerForm(f"{COMMANDS}name-card", "card", ENROL_FACES, hidden={"number": str(number)})
    question = render(
        "enrol/question",
        texts,
        number=number,
        waiting=len(waiting),
        address=f"{ENROL_CROP}/{number}.jpg",
        guess=guess,
        name="" if guess is None else card_name(guess, texts),
        face="" if guess is None else drawing(card_face(guess, texts)),
    )
    return {"question": question, "motifs": motifs_html(deck, form, texts), "choices": choices_html(form, texts)}
