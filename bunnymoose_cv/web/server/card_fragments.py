"""Fragments of HTML about cards, which a page's script fetches when somebody taps or types.

GET /cards/faces.html?about=CARD     the faces about a motif, named by its sample, with what is left of each
GET /enrol/faces.html?about=CARD     the same of all cards that can be enrolled, for the screen at the table alone
GET /cards/understood.html?typed=…   typed cards as far as they are understood

Anything else is a status with one sentence for people.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access import AccessError, Action, Role, visitor_of
from bunnymoose_cv.web.commands.form_fields import CommandFormError
from bunnymoose_cv.web.live.card_choices import cards_of, enrolled_cards, motif_of, remaining_cards
from bunnymoose_cv.web.server.refusals import refusal
from bunnymoose_cv.web.urls import ENROL_FACES, FACES, UNDERSTOOD
from bunnymoose_cv.web.widgets.card_picker import faces_html
from bunnymoose_cv.web.widgets.cards_entry import understood_html

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request

    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.web.live.host import Host

_NOT_YOURS: Final = Phrase("That is not for this phone to do just now.")


def card_fragment_routes(host: Host) -> Sequence[Route]:
    """Routes of all fragments."""
    fragments = _CardFragments(host)
    return (
        Route(FACES, fragments.faces),
        Route(ENROL_FACES, fragments.enrol_faces),
        Route(UNDERSTOOD, fragments.understood),
    )


class _CardFragments:
    """Endpoints of the fragments."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def faces(self, request: Request) -> Response:
        """Cards of the open round."""

        def remaining() -> tuple[Table, Mapping[Card, int]]:
            state = self._host.require_session().state
            return cards_of(state.game, self._host.deck), remaining_cards(state, self._host.deck)

        return self._answered(lambda: self._faces(request, "cards", remaining), _is_player(request))

    def enrol_faces(self, request: Request) -> Response:
        """Cards that can be enrolled."""

        def every() -> tuple[Table, Mapping[Card, int]]:
            deck = enrolled_cards(self._host.choices.rules, self._host.deck)
            return deck, Counter(deck)

        return self._answered(lambda: self._faces(request, "card", every), visitor_of(request).may(Action.SET_UP))

    def understood(self, request: Request) -> Response:
        """Typed cards."""
        typed = request.query_params.get("typed", "")
        return self._answered(lambda: understood_html(typed, self._host.texts), _is_player(request))

    def _faces(self, request: Request, name: str, deck: Callable[[], tuple[Table, Mapping[Card, int]]]) -> str:
        cards, remaining = deck()
        motif = motif_of(cards, request.query_params.get("about", ""))
        if motif is None:
            raise CommandFormError
        return faces_html(motif, remaining, name, self._host.texts)

    def _answered(self, make: Callable[[], str], may: bool) -> Response:  # noqa: FBT001 - told beside what it is about
        try:
            if not may:
                raise AccessError(_NOT_YOURS)
            return HTMLResponse(make())
        except InputError as error:
            return refusal(error, self._host.texts)


def _is_player(request: Request) -> bool:
    """Tell if somebody may open the page of the cards."""
    visitor = visitor_of(request)
    return visitor.role is not Role.GUEST and visitor.may(Action.SEE)
