"""Pages of the server: address, permission, builder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bunnymoose_cv.web.auth.access import Role

_ALL: Final = frozenset(Role)
_OWNER: Final = frozenset({Role.OWNER})
_PLAYERS: Final = frozenset({Role.OWNER, Role.PLAYER})


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page of the screen.

    Attributes:
        path: its address; what varies in it is numbers.
        name: without `_page` that of the file in pages/ whose `show` builds it; `page` where it is HTML.
        roles: who may open it.
        is_html: whether it is of our own HTML, with events; else NiceGUI makes it (decision 0002).
        is_live: whether parts of it follow the camera: its `watch` looks as long as somebody has it open.
        is_read: whether files are read for it: it is made beside the server's loop, again when its `basis` differs.
    """

    path: str
    name: str
    roles: frozenset[Role]
    is_html: bool = False
    is_live: bool = False
    is_read: bool = False


ROUTES: Final = (
    PageRoute("/setup", "setup", _OWNER, is_html=True, is_live=True),
    PageRoute("/table", "table", _ALL, is_html=True, is_live=True),
    PageRoute("/cards", "cards", _PLAYERS, is_html=True),
    PageRoute("/verdicts", "verdicts", _ALL, is_html=True),
    PageRoute("/verdicts/{round_number:int}", "verdicts", _ALL, is_html=True),
    PageRoute("/contest/{round_number:int}/{seat:int}", "contest", _ALL, is_html=True),
    PageRoute("/history", "history", _OWNER, is_html=True, is_read=True),
    PageRoute("/history/{game:int}", "history", _OWNER, is_html=True, is_read=True),
    PageRoute("/practice", "practice", _OWNER),
    PageRoute("/check", "check", _OWNER, is_html=True, is_live=True),
    PageRoute("/warm-up", "warm_up", _OWNER, is_html=True, is_live=True),
    PageRoute("/enrol", "enrol", _OWNER, is_html=True, is_live=True),
    PageRoute("/join", "join", _ALL, is_html=True),
    PageRoute("/phone", "phone", frozenset({Role.PLAYER}), is_html=True),
)
"""A page with numbers in its path is shown with them: `show(host, visitor, round_number, seat)`.

Other evenings are the owner's alone: phones see the one that is played.
"""
