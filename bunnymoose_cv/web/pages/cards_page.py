"""The narrator's page: piles in order, and three ways to lay cards that mix freely: picked, typed, dealt.

What lies stands in the session alone, so that two phones see the same; whether somebody may lay is asked anew with
every tap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.rules.events import CardLaid, TableLaid
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.table_cues import BEFORE_BAM
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.card_choices import cards_of
from bunnymoose_cv.web.pages.html_page import HtmlPage, no_game_page
from bunnymoose_cv.web.templates.rendering import render
from bunnymoose_cv.web.urls import COMMANDS, FACES
from bunnymoose_cv.web.widgets.card_photo_panel import SHEET as PHOTO
from bunnymoose_cv.web.widgets.card_photo_panel import photo_parts
from bunnymoose_cv.web.widgets.card_picker import SCRIPT, PickerForm, choices_html, motifs_html
from bunnymoose_cv.web.widgets.cards_entry import entry_html
from bunnymoose_cv.web.widgets.controls import bam_html, controls_of
from bunnymoose_cv.web.widgets.dealer_panel import dealer_parts
from bunnymoose_cv.web.widgets.key_words import KeyWords
from bunnymoose_cv.web.widgets.piles import pile_parts, takes_cards
from bunnymoose_cv.web.widgets.seen_entries import entries_part
from bunnymoose_cv.web.widgets.table_status import between_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host

_FORM: Final = PickerForm(f"{COMMANDS}lay", "cards", FACES, needs="lay")


def page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, session = host.texts, host.session
    if host.card_reader is not None:
        host.card_reader.open_soon()  # whoever opens this page may photograph at the next Bam
    if session is None:
        return no_game_page(texts("Cards"), texts, keys_of(texts))
    sheets, parts = ("table", SCRIPT, PHOTO), _parts(host, visitor, session.state)
    return HtmlPage("cards/page", texts("Cards"), parts, sheets=sheets, scripts=(PHOTO, SCRIPT), keys=keys_of(texts))


def keys_of(texts: Texts) -> tuple[KeyWords, ...]:
    """List the keys of this page."""
    return (
        KeyWords(("Tab", texts("Enter")), texts("Choose a card")),
        KeyWords(("c",), texts("Type cards")),
        KeyWords(("s",), texts("Deal, or let the dealer rest")),
        KeyWords(("u",), texts("Undo")),
        KeyWords((texts("Space"),), texts("Bam!")),
        KeyWords(("?",), texts("These keys")),
    )


def _parts(host: Host, visitor: Visitor, state: TableState) -> Mapping[str, Markup]:
    texts = host.texts
    undoes = visitor.may(Action.UNDO) and _newest_is_laying(state)
    return {
        **entries_part(state),
        "next": render("cards/next", texts, headline=_headline(state, visitor, texts), last=_last(state, texts)),
        **pile_parts(state.game, texts),
        **photo_parts(host, visitor, state),
        "motifs": motifs_html(cards_of(state.game, host.deck), _FORM, texts),
        "typed": entry_html(texts, key="c", needs="lay"),
        **dealer_parts(state.deal, texts),
        "undo": render("cards/undo", texts, enabled=undoes),
        "bam": bam_html(texts, can_press=controls_of(state, visitor).bam, by_keys=not between_rounds(state.game)),
        "choices": choices_html(_FORM, texts),
        "allowed": render("cards/allowed", texts, actions=tuple(_allowed(state, visitor))),
    }


def _allowed(state: TableState, visitor: Visitor) -> Iterator[str]:
    """Names of what the visitor may do just now, as the fields that need it call it."""
    if controls_of(state, visitor).lays:
        yield "lay"
    if visitor.may(Action.DEAL) and state.game.phase in BEFORE_BAM:
        yield "deal"


def _headline(state: TableState, visitor: Visitor, texts: Texts) -> str:
    """Headline: the next card's pile, or why nothing can be laid."""
    game = state.game
    pile = game.laid % game.rules.piles + 1
    if game.phase is Phase.OVER:
        return texts("The game is over")
    if state.judging:
        return texts("Bam! Nobody moves")
    if not takes_cards(game):
        return texts("Bam! All cards lie")
    if not visitor.may(Action.LAY):
        return texts("{narrator} lays the cards", narrator=game.narrator)
    if game.phase is Phase.FROZEN:
        return texts("Bam! What lies on pile {number}?", number=pile)
    return texts("Next: pile {number}", number=pile)


def _last(state: TableState, texts: Texts) -> str:
    """The card that was laid last; empty before the first."""
    if not state.game.piles:
        return ""
    number = (state.game.laid - 1) % state.game.rules.piles
    return texts("On pile {number}: {card}", number=number + 1, card=card_name(state.game.table[number], texts))


def _newest_is_laying(state: TableState) -> bool:
    return isinstance(standing_entries(state.entries)[-1].event, CardLaid | TableLaid)
