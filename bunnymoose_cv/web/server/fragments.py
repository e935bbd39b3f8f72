"""Fragments that a page's script fetches while a visitor taps, types or chooses.

Anything else is a status with one sentence for people.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access import visitor_of
from bunnymoose_cv.web.auth.permissions import REFUSED_NOW, AccessError, Action, Role
from bunnymoose_cv.web.commands.form_command import CommandFormError
from bunnymoose_cv.web.live.card_choices import cards_of, enrolled_cards, motif_of, remaining_cards
from bunnymoose_cv.web.live.verdict_view import round_view
from bunnymoose_cv.web.server.refusals import refusal
from bunnymoose_cv.web.urls import ENROL_FACES, FACES, UNDERSTOOD
from bunnymoose_cv.web.widgets.cards_entry import faces_html, understood_html
from bunnymoose_cv.web.widgets.poses import chosen_pose, pose_preview

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request

    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.web.live.host import Host


def fragment_routes(host: Host) -> Sequence[Route]:
    """Return the routes of all fragments."""
    fragments = {
        FACES: _faces,
        ENROL_FACES: _enrol_faces,
        UNDERSTOOD: _understood,
        "/contest/{round_number:int}/{seat:int}/preview.json": _preview,
    }
    return [Route(path, partial(_answer, host, make)) for path, make in fragments.items()]


def _answer(host: Host, make: Callable[[Host, Request], Response], request: Request) -> Response:
    try:
        return make(host, request)
    except InputError as error:
        return refusal(error, host.texts)


def _expect_player(request: Request) -> None:
    """Raise an `AccessError` unless the visitor may open the page of the cards."""
    visitor = visitor_of(request)
    if visitor.role is Role.GUEST:
        raise AccessError(REFUSED_NOW)
    visitor.expect(Action.SEE)


def _faces(host: Host, request: Request) -> Response:
    """Send the faces of a motif, `about` its sample, in the open round, and how many of each are left."""
    _expect_player(request)
    state, deck = host.require_session().state, host.choices.deck
    return _faces_of(host, request, "cards", cards_of(state.game, deck), remaining_cards(state, deck))


def _enrol_faces(host: Host, request: Request) -> Response:
    """Send the faces of a motif among all cards that can be enrolled, for the screen at the table alone."""
    visitor_of(request).expect(Action.SET_UP)
    cards = enrolled_cards(host.choices.rules, host.choices.deck)
    return _faces_of(host, request, "card", cards, Counter(cards))


def _faces_of(host: Host, request: Request, name: str, cards: Table, remaining: Mapping[Card, int]) -> Response:
    motif = motif_of(cards, request.query_params.get("about", ""))
    if motif is None:
        raise CommandFormError
    return HTMLResponse(faces_html(motif, remaining, name, host.texts))


def _understood(host: Host, request: Request) -> Response:
    """Send `typed` cards as far as they are understood."""
    _expect_player(request)
    return HTMLResponse(understood_html(request.query_params.get("typed", ""), host.texts))


def _preview(host: Host, request: Request) -> Response:
    """Send a chosen pose of a verdict: `art` as SVG, and `words` on its score."""
    state, visitor = host.require_session().state, visitor_of(request)
    view = round_view(state, request.path_params["round_number"])
    verdict = None if view is None else view.of_seat(request.path_params["seat"])
    if view is None or verdict is None:
        raise InputError(Phrase("There is no such verdict"))
    visitor.expect(Action.CORRECT_POSE, verdict.player)
    return JSONResponse(pose_preview(chosen_pose(request.query_params), view, state.game, host.texts))
