"""The narrator's page: piles in order, and three ways to lay cards that mix freely: picked, typed, dealt.

What lies stands in the session alone, so that two phones see the
same; whether somebody may lay is asked anew with every tap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.rules.events import CardLaid, TableLaid
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.art.art_names import card_name
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.card_choices import cards_of, remaining_cards
from bunnymoose_cv.web.live.updates import follow
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.pages.page_header import KeyWords
from bunnymoose_cv.web.widgets.card_photo_panel import PICKER, RESULT, photo_parts
from bunnymoose_cv.web.widgets.card_photo_panel import SHEET as PHOTO
from bunnymoose_cv.web.widgets.card_picker import Picker
from bunnymoose_cv.web.widgets.cards_entry import CardsEntry
from bunnymoose_cv.web.widgets.controls import BEFORE_BAM, bam_html, controls_of
from bunnymoose_cv.web.widgets.dealer_panel import DealerPanel
from bunnymoose_cv.web.widgets.html_parts import HtmlPart, HtmlParts
from bunnymoose_cv.web.widgets.piles import PilesWidget
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable
    from concurrent.futures import Future

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    texts = host.texts
    with page_frame(host, visitor, texts("Cards"), sheets=("table", "cards", PHOTO), keys=keys_of(texts)) as frame:
        if host.session is None:
            html.h1(texts("No game runs"))
            html.p(texts("As soon as one begins, it stands here."))
            follow(host, lambda _: ui.navigate.reload())
        else:
            follow(host, _Cards(host, visitor, frame).show)


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


@dataclass(frozen=True, slots=True)
class _Next:
    """Next step of the page.

    Attributes:
        headline: for the narrator.
        last: what was laid last; empty before the first card.
    """

    headline: str
    last: str


class _Cards:
    """The page of one visitor."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame) -> None:
        self._host, self._visitor, self._frame, self._texts = host, visitor, frame, host.texts
        self._session = host.session
        with html.div().classes("cards-page"):
            with html.header().classes("lying"):
                self._next: Region[_Next] = Region(html.div(role="status"), self._build_next)
                self._piles = PilesWidget(self._texts)
            self._build_photo()
            self._build_ways()
            with html.section().classes("panel way picks"):
                self._picker = Picker(lambda card: self._lay((card,)), self._remaining_cards, self._texts)
            with html.section().classes("panel way types"):
                piles = self._host.at_table().state.game.rules.piles
                self._typed = CardsEntry(self._lay, piles, self._texts, key="c")
            with html.section().classes("panel way deals"):
                self._dealer = DealerPanel(self._deal, self._rest, self._texts)
            with html.div().classes("at-hand"):
                self._undo = self._build_undo()
                self._bam = HtmlPart("press")

    def show(self, state: TableState) -> None:
        """Show what stands."""
        if self._host.session is not self._session:
            ui.navigate.reload()  # another game, perhaps in another language
            return
        may_lay = self._visitor.may(Action.LAY) and not state.judging
        is_open = may_lay and (state.game.phase in BEFORE_BAM or _piles_are_unknown(state.game))
        self._next.show(_Next(self._headline(state), self._last(state)))
        self._piles.show(state.game)
        self._picker.show(cards_of(state.game, self._host.deck), is_open=is_open)
        self._photo.show(photo_parts(self._host, self._visitor, state))
        self._typed.show(is_open=is_open)
        self._dealer.show(state.deal, is_open=self._visitor.may(Action.DEAL) and state.game.phase in BEFORE_BAM)
        _enable(self._undo, enabled=self._visitor.may(Action.UNDO) and _newest_is_laying(state))
        self._bam.show(bam_html(self._texts, can_press=controls_of(state, self._visitor).bam))

    # What is done.

    async def _lay(self, cards: Table) -> bool:
        return await self._attempt(Action.LAY, lambda: self._host.at_table().lay(cards, self._visitor.name))

    async def _deal(self, tempo_s: float) -> bool:
        return await self._attempt(Action.DEAL, lambda: self._host.at_table().deal(tempo_s))

    async def _rest(self) -> bool:
        return await self._attempt(Action.DEAL, lambda: self._host.at_table().rest())

    async def _take_back(self) -> bool:
        return await self._attempt(Action.UNDO, lambda: self._host.at_table().undo(self._visitor.name))

    async def _attempt(self, action: Action, deed: Callable[[], Future[None]]) -> bool:
        if not self._visitor.may(action):
            self._frame.tell(self._texts("Only the narrator's phone and the screen at the table lay cards."))
            return False
        return await self._frame.attempt(deed)

    def _remaining_cards(self) -> Counter[Card]:
        return remaining_cards(self._host.at_table().state, self._host.deck)

    # What stands there.

    def _headline(self, state: TableState) -> str:
        game = state.game
        pile = game.laid % game.rules.piles + 1
        if game.phase in BEFORE_BAM and not self._visitor.may(Action.LAY):
            return self._texts("{narrator} lays the cards", narrator=game.narrator)
        if game.phase in BEFORE_BAM:
            return self._texts("Next: pile {number}", number=pile)
        if _piles_are_unknown(game):
            return self._texts("Bam! What lies on pile {number}?", number=pile)
        return self._texts("The game is over") if game.phase is Phase.OVER else self._texts("Bam! All cards lie")

    def _last(self, state: TableState) -> str:
        if not state.game.piles:
            return ""
        number = (state.game.laid - 1) % state.game.rules.piles
        name = card_name(state.game.table[number], self._texts)
        return self._texts("On pile {number}: {card}", number=number + 1, card=name)

    def _build_next(self, shown: _Next) -> None:
        html.h1(shown.headline)
        html.p(shown.last).classes("quiet small")

    def _build_photo(self) -> None:
        if self._host.card_reader is not None:
            self._host.card_reader.open_soon()  # whoever opens this page may photograph at the next Bam
        ui.add_head_html(f'<script src="/style/{PHOTO}.js"></script>')
        with html.section().classes("panel card-photo"):
            self._photo = HtmlParts({PICKER: "", RESULT: "seen"})

    def _build_ways(self) -> None:
        """On a phone one way is seen at a time; which one is a matter of the phone alone."""
        ways = {"picks": self._texts("Pick"), "types": self._texts("Type"), "deals": self._texts("Deal")}
        group = html.div(role="radiogroup").classes("ways")
        group.props["aria-label"] = self._texts("How to lay cards")
        with group:
            for way, name in ways.items():
                with html.label().classes("button small"):
                    choice = html.input_(type="radio", name="way", value=way)
                    html.span(name)
                if way == "picks":
                    choice.props("checked")

    def _build_undo(self) -> html.button:
        undo = html.button(type="button").classes("button undo").props("aria-keyshortcuts=u")
        with undo:
            html.span(self._texts("Undo"))
            html.kbd("u").props("aria-hidden=true")
        return undo.on("click", self._take_back)


def _piles_are_unknown(game: Game) -> bool:
    """Tell if Bam came before all cards were told."""
    return game.phase is Phase.FROZEN and game.first_pass


def _newest_is_laying(state: TableState) -> bool:
    return isinstance(standing_entries(state.entries)[-1].event, CardLaid | TableLaid)


def _enable(button: html.button, *, enabled: bool) -> None:
    if enabled:
        button.props(remove="disabled")
    else:
        button.props("disabled")
