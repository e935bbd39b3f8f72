"""A player's own phone: what one shows and scores, contest, and for the narrator bet, cards and the big Bam."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.voice.phrases import listed
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.phone_assignment import is_unused
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.bets import bets_html
from bunnymoose_cv.web.widgets.card_photo_panel import PICKER, RESULT, photo_parts
from bunnymoose_cv.web.widgets.card_photo_panel import SHEET as PHOTO
from bunnymoose_cv.web.widgets.controls import bam_html, controls_html, controls_of
from bunnymoose_cv.web.widgets.delay_pattern import DELAY, pattern_html
from bunnymoose_cv.web.widgets.seen_entries import entries_part
from bunnymoose_cv.web.widgets.table_status import Mood, Waiting, waiting_for
from bunnymoose_cv.web.widgets.verdict_tiles import CARDS, SHEETS, narrator_moves_html, tile_parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host


def page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the page."""
    if host.card_reader is not None:
        host.card_reader.open_soon()  # whoever opens this page may photograph at the next Bam
    name = render("phone/name", host.texts, player=visitor.player or "", styles=host.styles)
    whose = {"pattern": pattern_html(host), "name": name, "not-me": _not_me(host, visitor)}
    parts = {**whose, **(_nothing_runs(host) if host.session is None else _parts(host, host.session.state, visitor))}
    sheets = ("table", "phone", DELAY, PHOTO, *SHEETS)
    return HtmlPage("phone/page", host.texts("My page"), parts, sheets=sheets, scripts=(PHOTO, DELAY))


def _not_me(host: Host, visitor: Visitor) -> Markup:
    """Button for a visitor who said the wrong player, until the phone has done something."""
    return render("phone/not_me", host.texts) if is_unused(host, visitor) else drawing("")


def _nothing_runs(host: Host) -> Mapping[str, Markup]:
    texts = host.texts
    waiting = Waiting(Mood.OVER, texts("No game runs"), texts("As soon as one begins, it stands here."))
    empty = dict.fromkeys((PICKER, RESULT, "narrating", "moves", CARDS), drawing(""))
    return {"headline": render("round/headline", texts, waiting=waiting), **empty}


def _parts(host: Host, state: TableState, visitor: Visitor) -> Mapping[str, Markup]:
    texts, narrates = host.texts, visitor.may(Action.LAY)
    return {
        **entries_part(state),
        "headline": render("round/headline", texts, waiting=_waiting(state, visitor, texts)),
        **photo_parts(host, visitor, state),
        "narrating": _narrating(state, visitor, texts) if narrates else drawing(""),
        "moves": narrator_moves_html(state, visitor, texts),
        **tile_parts(state, visitor, texts),
    }


def _waiting(state: TableState, visitor: Visitor, texts: Texts) -> Waiting:
    """Status of the table; whoever has nothing to tell reads where others do."""
    waiting = waiting_for(state, texts)
    told_elsewhere = waiting.mood is Mood.CHECK and not state.game.first_pass and visitor.player not in state.asked
    if not told_elsewhere or not state.asked:
        return waiting
    return replace(
        waiting,
        hint=texts.counted(
            "{names}: on your own phone or at the table.",
            "{names}: on your own phone or at the table.",
            len(state.asked),
            names=listed(state.asked, texts.language),
        ),
    )


def _narrating(state: TableState, visitor: Visitor, texts: Texts) -> Markup:
    """Permissions of the narrator."""
    controls = controls_of(state, visitor)
    return render(
        "phone/narrating",
        texts,
        bam=bam_html(texts, can_press=True) if controls.bam else "",
        lays=controls.lays and (controls.bam or state.game.first_pass),
        controls=controls_html(controls, texts),
        bets=bets_html(state.game, texts, may_bet=True),
    )
