"""Previews of poses that somebody chooses on the contest page.

GET /contest/ROUND/SEAT/preview.json?left=…&right=…&tongue=…     `art` as SVG, and `words` on its score

Anything else is a status with one sentence for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access import Action, visitor_of
from bunnymoose_cv.web.live.verdict_view import round_view
from bunnymoose_cv.web.server.refusals import refusal
from bunnymoose_cv.web.widgets.pose_chooser import chosen_pose, pose_preview

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from bunnymoose_cv.web.live.host import Host

_PREVIEW: Final = "/contest/{round_number:int}/{seat:int}/preview.json"


def contest_preview_route(host: Host) -> Route:
    """Route of the previews."""

    def answer(request: Request) -> Response:
        try:
            return JSONResponse(_preview(host, request))
        except InputError as error:
            return refusal(error, host.texts)

    return Route(_PREVIEW, answer)


def _preview(host: Host, request: Request) -> Mapping[str, str]:
    state, visitor = host.require_session().state, visitor_of(request)
    view = round_view(state, request.path_params["round_number"])
    verdict = None if view is None else view.of_seat(request.path_params["seat"])
    if view is None or verdict is None:
        raise InputError(Phrase("There is no such verdict"))
    visitor.expect(Action.CORRECT_POSE, verdict.player)
    preview = pose_preview(chosen_pose(request.query_params), view, state.game, host.texts)
    return {"art": preview.art, "words": preview.words}
