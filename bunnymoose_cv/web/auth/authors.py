"""Names of the authors of game entries in the language of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts

SCREEN: Final = Phrase("screen")
"""The screen at the table."""

A_PHONE: Final = Phrase("a phone")
"""A phone that belongs to nobody yet."""

_OF_A_PHONE: Final = "'s phone"


def phone_of(player: str) -> str:
    """Recorded name of a player's phone: `Blue's phone`."""
    return f"{player}{_OF_A_PHONE}"


def author_name(who: str, texts: Texts) -> str:
    """Name an author in the language of the table: `people`, `screen`, `Blue's phone`, or a name as it stands."""
    player = who.removesuffix(_OF_A_PHONE)
    return texts(who) if player == who else texts("{player}'s phone", player=player)
