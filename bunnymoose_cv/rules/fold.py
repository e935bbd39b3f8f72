"""Fold of events into the state of a game, with undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.correction import apply_correction, lacks_cards
from bunnymoose_cv.rules.events import Correction, GameStarted, TableCorrected, TableLaid, Undone
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.illegal_event import IllegalEventError, Illegality
from bunnymoose_cv.rules.open_round import apply_round_event, start_game

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bunnymoose_cv.rules.events import Event, RoundEvent

RULES_VERSION = 1
"""Version of the fold, kept beside every stored game; rises when the same events would lead to another state."""


def fold(events: Iterable[Event]) -> Game:
    """The state that events lead to.

    Raises:
        IllegalEventError: an event cannot follow on those before it, or there is none.
    """
    standing: list[Game] = []
    for event in events:
        _step(standing, event)
    if not standing:
        raise IllegalEventError(Illegality.NOT_STARTED, Phrase("The game has not been started: say who plays."))
    return standing[-1]


def stands_already(game: Game, correction: Correction) -> bool:
    """Tell if a correction says what stands already, so that it changes nothing.

    Raises:
        IllegalEventError: it cannot follow on what happened.
    """
    return apply_correction(game, correction) == game


def as_of_today(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a file that an older program may have written as today's rules know them.

    Once cards could be put right before any lay, which was laying them all.

    Raises:
        IllegalEventError: an event cannot follow on those before it.
    """
    standing: list[Game] = []
    for event in events:
        known = event
        if isinstance(event, TableCorrected) and standing and lacks_cards(standing[-1], event):
            known = TableLaid(event.cards)
        _step(standing, known)
        yield known


def _step(standing: list[Game], event: Event) -> None:
    """Add the state after one more event to those that can be gone back to, or go back."""
    if not isinstance(event, Undone):
        standing.append(_apply(standing[-1] if standing else None, event))
    elif len(standing) > 1:
        standing.pop()
    else:
        raise IllegalEventError(Illegality.NOTHING_TO_UNDO, Phrase("There is nothing left to undo."))


def _apply(game: Game | None, event: GameStarted | RoundEvent | Correction) -> Game:
    """The state after one more event."""
    if isinstance(event, GameStarted):
        return start_game(game, event)
    if game is None:
        raise IllegalEventError(Illegality.NOT_STARTED, Phrase("The game has not been started: say who plays."))
    if isinstance(event, Correction):
        return apply_correction(game, event)
    if game.phase is Phase.OVER:
        raise IllegalEventError(
            Illegality.GAME_OVER, Phrase("The game is over: start a new one, or correct a round of this one.")
        )
    return apply_round_event(game, event)
