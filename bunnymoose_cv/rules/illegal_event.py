"""Illegal events: every reason why an event cannot follow on those before it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from bunnymoose_cv.core.phrase import Phrase


class Illegality(Enum):
    """Every reason why an event cannot follow on those before it."""

    NOT_STARTED = "not started"
    ALREADY_STARTED = "already started"
    WRONG_PLAYERS = "wrong players"
    GAME_OVER = "game over"
    NOTHING_TO_UNDO = "nothing to undo"
    BET_TOO_LATE = "bet too late"
    NOBODY_TO_BET_ON = "nobody to bet on"
    NOT_THE_TOP_CARD = "not the top card"
    CARDS_LEFT = "cards left"
    WRONG_CARDS = "wrong cards"
    WRONG_PILES = "wrong piles"
    NOTHING_LAID = "nothing laid"
    AFTER_BAM = "after Bam"
    BEFORE_BAM = "before Bam"
    NOT_SEATED = "not seated"
    ALREADY_JUDGED = "already judged"
    NOT_JUDGED = "not judged"
    NO_SUCH_ROUND = "no such round"


class IllegalEventError(InputError):
    """An event that cannot follow on those before it."""

    def __init__(self, reason: Illegality, sentence: Phrase) -> None:
        self.reason = reason
        super().__init__(sentence)
