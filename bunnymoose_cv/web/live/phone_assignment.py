"""Assignment of visitors' phones to players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access import AccessError

if TYPE_CHECKING:
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host


def assign_phone(host: Host, visitor: Visitor, player: str) -> None:
    """Assign a visitor's phone to a player.

    Raises:
        AccessError: nobody is called so, the phone is somebody's already, or the player has another one.
    """
    if player not in host.players:
        raise AccessError(Phrase("That player does not play: load the page once more."))
    host.access.choose(visitor, player)


def is_unused(host: Host, visitor: Visitor) -> bool:
    """Tell if a phone has done nothing in the game yet, so that it may still be somebody else's."""
    return host.session is None or all(entry.who != visitor.name for entry in host.session.state.entries)


def give_phone_back(host: Host, visitor: Visitor) -> None:
    """Take the assignment of a visitor's phone back.

    Raises:
        AccessError: it is nobody's, or has done something in the game.
    """
    if visitor.player is None or not is_unused(host, visitor):
        raise AccessError(Phrase("This phone belongs to a player already: let the table remove it first."))
    host.access.give_back(visitor)
