"""Pages of the server: address, permission, builder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.access import Role
from bunnymoose_cv.web.pages import (
    cards_page,
    check_page,
    contest_page,
    enrol_page,
    history_page,
    join_page,
    phone_page,
    practice_page,
    setup_page,
    table_page,
    verdicts_page,
    warm_up_page,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bunnymoose_cv.web.live.event_stream import PartsRenderer
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.pages.html_page import HtmlPage

_ALL: Final = frozenset(Role)
_OWNER: Final = frozenset({Role.OWNER})
_PLAYERS: Final = frozenset({Role.OWNER, Role.PLAYER})


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page of the screen; its functions are called with host, visitor and the numbers in its address.

    Attributes:
        path: its address; what varies in it is numbers.
        watch: looks at what follows the camera on it, or what else changes, once for each stream, as long as that is
            open; None where nothing does.
        basis: of a page that reads files, of the host alone: it is made beside the server's loop, and on a stream again
            only when its basis differs.
    """

    path: str
    page: Callable[..., HtmlPage]
    roles: frozenset[Role]
    watch: Callable[..., AbstractContextManager[PartsRenderer | None]] | None = None
    basis: Callable[[Host], object] | None = None


ROUTES: Final = (
    PageRoute(urls.SETUP, setup_page.page, _OWNER, watch=setup_page.watch),
    PageRoute(urls.TABLE, table_page.page, _ALL, watch=table_page.watch),
    PageRoute(urls.CARDS, cards_page.page, _PLAYERS),
    PageRoute(urls.VERDICTS, verdicts_page.page, _ALL),
    PageRoute("/verdicts/{round_number:int}", verdicts_page.page, _ALL),
    PageRoute("/contest/{round_number:int}/{seat:int}", contest_page.page, _ALL),
    PageRoute(urls.HISTORY, history_page.page, _OWNER, basis=history_page.basis),
    PageRoute("/history/{game:int}", history_page.page, _OWNER, basis=history_page.basis),
    PageRoute(urls.PRACTICE, practice_page.page, _OWNER, watch=practice_page.watch),
    PageRoute("/check", check_page.page, _OWNER, watch=check_page.watch),
    PageRoute("/warm-up", warm_up_page.page, _OWNER, watch=warm_up_page.watch),
    PageRoute("/enrol", enrol_page.page, _OWNER, watch=enrol_page.watch),
    PageRoute(urls.JOIN, join_page.page, _ALL),
    PageRoute(urls.PHONE, phone_page.page, frozenset({Role.PLAYER})),
)
"""Other evenings are the owner's alone: phones see the one that is played."""
