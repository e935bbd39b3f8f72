"""Pages of the server: address, permission, builder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import Role

_ALL: Final = frozenset(Role)
_OWNER: Final = frozenset({Role.OWNER})
_PLAYERS: Final = frozenset({Role.OWNER, Role.PLAYER})


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page of the screen.

    Attributes:
        path: its address; what varies in it is numbers.
        name: without `_page` that of the file in pages/ whose `page` builds it.
        roles: who may open it.
        is_live: whether parts of it follow the camera: its `watch` looks as long as somebody has it open.
        is_read: whether files are read for it: it is made beside the server's loop, again when its `basis` differs.
    """

    path: str
    name: str
    roles: frozenset[Role]
    is_live: bool = False
    is_read: bool = False


ROUTES: Final = (
    PageRoute(urls.SETUP, "setup", _OWNER, is_live=True),
    PageRoute(urls.TABLE, "table", _ALL, is_live=True),
    PageRoute(urls.CARDS, "cards", _PLAYERS),
    PageRoute(urls.VERDICTS, "verdicts", _ALL),
    PageRoute("/verdicts/{round_number:int}", "verdicts", _ALL),
    PageRoute("/contest/{round_number:int}/{seat:int}", "contest", _ALL),
    PageRoute(urls.HISTORY, "history", _OWNER, is_read=True),
    PageRoute("/history/{game:int}", "history", _OWNER, is_read=True),
    PageRoute(urls.PRACTICE, "practice", _OWNER, is_live=True),
    PageRoute("/check", "check", _OWNER, is_live=True),
    PageRoute("/warm-up", "warm_up", _OWNER, is_live=True),
    PageRoute("/enrol", "enrol", _OWNER, is_live=True),
    PageRoute(urls.JOIN, "join", _ALL),
    PageRoute(urls.PHONE, "phone", frozenset({Role.PLAYER})),
)
"""A page with numbers in its path is shown with them: `page(host, visitor, round_number, seat)`.

Other evenings are the owner's alone: phones see the one that is played.
"""
