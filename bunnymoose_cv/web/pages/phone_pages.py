"""Pages of phones: how to join, how to play, and a player's own page.

The player's page shows cards, ranking and verdicts, and gives the narrator the bet, the cards and the big Bam button.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.art.animals import bam_art, figure_art, narrator_art
from bunnymoose_cv.art.card_art import card_face
from bunnymoose_cv.art.head_art import pose_art
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.live.player_styles import STYLES
from bunnymoose_cv.web.pages.camera_pages import DELAY, pattern_html
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.cards_entry import PHOTO_SHEET, PICKER, RESULT, photo_parts, pile_parts
from bunnymoose_cv.web.widgets.controls import bam_html, bets_html, controls_html, controls_of, entries_part
from bunnymoose_cv.web.widgets.question_tiles import ASKING, asking_html
from bunnymoose_cv.web.widgets.standings import join_codes, ranking_html
from bunnymoose_cv.web.widgets.table_status import Mood, Waiting, waiting_for
from bunnymoose_cv.web.widgets.verdict_tiles import CARDS, SHEETS, narrator_moves_html, tile_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host


def how_to_play_page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page that explains the game in six sentences with drawings, for guests who are new to it."""
    parts = {"steps": render("how_to_play/steps", host.texts, steps=tuple(_steps(host.texts)))}
    return HtmlPage("how_to_play/page", host.texts("How to play"), parts, sheets=("how_to_play",))


def _steps(texts: Texts) -> Iterator[tuple[Markup, str]]:
    """Yield each sentence with the drawing beside it."""

    def shows(*poses: str) -> Markup:
        return drawing("".join(pose_art(Pose.parse(pose), texts) for pose in poses))

    figures = (figure_art(animal, STYLES[1].colour, STYLES[1].symbol) for animal in (Animal.MOOSE, Animal.RABBIT))
    yield drawing(narrator_art()), texts("The narrator bets on somebody else and lays cards on the piles in turn.")
    yield (
        shows("WU WU", "TS TS"),
        texts("Everybody else follows the top cards with both hands: two antlers are a moose, two ears a rabbit."),
    )
    yield shows("WU WU t", "-- --"), texts("Tongue out swaps moose and rabbit; anything else is a bush.")
    yield drawing(bam_art()), texts("At Bam nobody moves until the referee has announced everybody.")
    yield (
        drawing(card_face(parse_card("L.WU+2"), texts)),
        texts("Each card that you show moves the figure of your animal; a bush moves both of yours back."),
    )
    yield (
        drawing("".join(figures)),
        texts("The narrator’s figures move along with the bet, and in the end your rear figure counts."),
    )


def join_page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the page with the code by which phones join or, on a phone, the choice of its player."""
    title = host.texts("Phones")
    if visitor.may(Action.ADMIT):
        parts = {
            # The template shows the first code, which most phones reach, in a large size.
            "code": render("join/code", host.texts, codes=join_codes(host)),
            "phones": render("join/phones", host.texts, phones=host.access.phones, styles=host.styles),
        }
        return HtmlPage("join/table", title, parts, sheets=("join",))
    return HtmlPage("join/phone", title, {"question": _question(host, visitor)}, sheets=("join",))


def _question(host: Host, visitor: Visitor) -> Markup:
    """Render the choice of a player on a phone without one."""
    taken = {phone.player for phone in host.access.phones}
    players, styles = host.players, host.styles
    is_over = host.session is not None and host.session.state.game.phase is Phase.OVER
    return render(
        "join/question", host.texts, own=visitor.player, players=players, taken=taken, styles=styles, is_over=is_over
    )


_KNOWN: Final = ("picker-known", "photo-known")
"""Parts with the photograph of the cards once all cards are known."""


def phone_page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the page of a player."""
    if host.card_reader is not None:
        host.card_reader.open_soon()  # a visitor of this page may photograph the cards at the next Bam
    name = render("phone/name", host.texts, player=visitor.player or "", styles=host.styles)
    parts = {
        "pattern": pattern_html(host),
        "name": name,
        # A visitor who chose the wrong player may say so until the phone is used.
        "not-me": render("phone/not_me", host.texts) if host.is_phone_unused(visitor) else drawing(""),
        **(_nothing_runs(host) if host.session is None else _parts(host, host.session.state, visitor)),
    }
    sheets = ("table", "phone", DELAY, PHOTO_SHEET, *SHEETS)
    return HtmlPage("phone/page", host.texts("My page"), parts, sheets=sheets, scripts=(PHOTO_SHEET, DELAY))


def _nothing_runs(host: Host) -> Mapping[str, Markup]:
    texts = host.texts
    waiting = Waiting(Mood.OVER, texts("No game is running"), texts("When one begins, it appears here."))
    empty = dict.fromkeys((PICKER, RESULT, *_KNOWN, "narrating", "ranking", "moves", CARDS, ASKING), drawing(""))
    return {"headline": render("round/headline", texts, waiting=waiting), **empty}


def _parts(host: Host, state: TableState, visitor: Visitor) -> Mapping[str, Markup]:
    texts, narrates, is_over = host.texts, visitor.may(Action.LAY), state.game.phase is Phase.OVER
    own = render("phone/films", texts) if is_over else drawing("")
    return {
        **entries_part(state),
        "headline": render("round/headline", texts, waiting=_waiting(state, visitor, texts)),
        **_photograph(host, visitor, state),
        "narrating": _narrating(state, visitor, texts) if narrates else own,
        **pile_parts(state.game, texts),
        "ranking": ranking_html(state.game, texts),
        "moves": narrator_moves_html(state, visitor, texts),
        **tile_parts(state, visitor, texts),
        ASKING: asking_html(state, texts),
    }


def _photograph(host: Host, visitor: Visitor, state: TableState) -> Mapping[str, Markup]:
    """Return the photograph of the cards: on top while cards are missing, at the end of the page once all are known."""
    parts, nothing = photo_parts(host, visitor, state), drawing("")
    is_missing = state.game.phase is Phase.FROZEN and state.game.first_pass
    shown = {own: parts[own] if is_missing else nothing for own in (PICKER, RESULT)}
    known = {name: nothing if is_missing else parts[own] for name, own in zip(_KNOWN, shown, strict=True)}
    return {**shown, **known}


def _waiting(state: TableState, visitor: Visitor, texts: Texts) -> Waiting:
    """Return the status of the table; visitors who cannot answer a question read where it is answered."""
    waiting = waiting_for(state, texts)
    is_asked = waiting.mood is Mood.CHECK and not state.game.first_pass and bool(state.asked)
    if not is_asked or visitor.may(Action.CORRECT_POSE, state.asked[0]):
        return waiting
    hint = texts("{narrator}’s phone and the table’s screen answer this.", narrator=state.game.narrator)
    return replace(waiting, hint=hint)


def _narrating(state: TableState, visitor: Visitor, texts: Texts) -> Markup:
    controls = controls_of(state, visitor)
    return render(
        "phone/narrating",
        texts,
        bam=bam_html(texts, can_press=True) if controls.bam else "",
        lays=controls.lays and (controls.bam or state.game.first_pass),
        controls=controls_html(controls, texts),
        bets=bets_html(state.game, texts, may_bet=True),
    )
