"""Facts of a round that pages show until the next begins: announcements, effects of a correction, a photograph."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.record.correction_effects import Changes
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.card_photo import CardPhoto
    from bunnymoose_cv.session.notices import Notices


class RoundDisplay:
    """Display of one round, cleared when the next begins. Belongs to the session's thread.

    Args:
        notices: transient ones are cleared with the rest.

    Attributes:
        said: announcements, in order.
        changes: effects of the last correction; None where there is none.
        photo: newest photograph of the cards; None where there is none.
    """

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self.said: list[str] = []
        self.changes: Changes | None = None
        self.photo: CardPhoto | None = None

    def clear(self) -> None:
        """Forget everything shown of the round."""
        self.said, self.changes, self.photo = [], None, None
        self._notices.forget()

    @contextmanager
    def clear_if_round_begins(self, game: Game) -> Iterator[None]:
        """Clear the display once the action within has succeeded, if that began a round.

        Args:
            game: as it stands before the action.
        """
        yield
        if game.phase is Phase.BETTING:
            self.clear()
