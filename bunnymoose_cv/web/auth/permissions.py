"""Permissions: the roles of visitors, the actions that need one, refusals, and visitors' names in the game file."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts


class Role(Enum):
    """Role of a visitor."""

    OWNER = "owner"  # the screen at the table
    PLAYER = "player"  # a phone that belongs to a player
    GUEST = "guest"  # a phone that has joined without choosing a player: it may only look


class Action(Enum):
    """Action of a visitor that needs a permission."""

    SEE = auto()  # the evening's own pages and images
    SEE_CLOSE_UPS = auto()  # near films of one player
    BET = auto()
    LAY = auto()
    UNDO = auto()
    DISMISS = auto()  # declare that the last Bam was a mistake
    BAM = auto()
    DEAL = auto()  # continues or pauses the dealer
    PAUSE = auto()
    CORRECT_POSE = auto()  # say what a player shows, or showed
    CONFIRM_POSE = auto()  # agree with the referee's likeliest reading of a player who is asked
    CORRECT_TABLE = auto()  # correct the cards or the bet of a round that is over
    SET_UP = auto()  # begin and end a game, practise
    BROWSE = auto()  # other evenings, downloads
    DELETE = auto()  # an evening
    ADMIT = auto()  # see the code, remove phones


NARRATOR_ACTIONS: Final = frozenset({Action.BET, Action.LAY, Action.UNDO, Action.DISMISS, Action.BAM, Action.DEAL})
"""Permissions of the narrator's phone, for as long as its player narrates."""

POSE_ACTIONS: Final = frozenset({Action.CORRECT_POSE, Action.CONFIRM_POSE})
"""Permissions that are about one player, and depend on the open questions."""

REFUSED: Final = {
    Action.SEE_CLOSE_UPS: Phrase("That player shows the close-ups to nobody else."),
    Action.LAY: Phrase("Only the narrator's phone and the screen at the table lay cards."),
    Action.CONFIRM_POSE: Phrase("Somebody has just answered: please check again."),
}
"""Sentences for permissions that are refused for a particular reason; `REFUSED_NOW` is for all others."""

REFUSED_NOW: Final = Phrase("This phone cannot do that right now.")


class AccessError(InputError):
    """Refusal: a visitor lacks a permission, or a phone cannot get the role that it asks for."""


SCREEN: Final = Phrase("screen")
"""Recorded name of the screen at the table."""

A_PHONE: Final = Phrase("a phone")
"""Recorded name of a phone without a player."""

_OF_A_PHONE: Final = "'s phone"


def phone_of(player: str) -> str:
    """Return the recorded name of a player's phone: `Blue's phone`."""
    return f"{player}{_OF_A_PHONE}"


def author_name(who: str, texts: Texts) -> str:
    """Return the name of an author in the language of the table: `people`, `screen`, `Blue's phone`, or as recorded."""
    player = who.removesuffix(_OF_A_PHONE)
    return texts(who) if player == who else texts("{player}'s phone", player=player)
