"""Narrator by program: recite the poem line by line, lay the cards, say Bam with the hunter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.cards import HunterCard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.i18n.poem import PoemLine
    from bunnymoose_cv.rules.cards import Card

USUAL_TEMPO_S: Final = 3.0
"""From one line to the next: time to hear it and to change one's shape."""

FASTEST_TEMPO_S: Final = 0.2
SLOWEST_TEMPO_S: Final = 60.0
"""Upper limit of the tempo: a larger one is a slip of the keys."""

BAM: Final = "Bam!"


class Dealer:
    """Dealer of one round, a card a line; it may rest and go on, and people may lay cards in between.

    Args:
        poem: its lines, one a pile; it is recited again and again.
        pile: tells which pile the next card goes on, counted from 0; its line is recited.
        lay: lays the next card and tells which; a hunter after the first pass ends the deal by the rules.
        tempo_s: seconds from one line to the next.

    Attributes:
        tempo_s: as it was given; may be changed, and counts from the last line on.
        line: the index of the line that was recited last; None before the first.
    """

    def __init__(  # noqa: PLR0913 - what a dealer asks and tells
        self,
        poem: Sequence[PoemLine],
        pile: Callable[[], int],
        lay: Callable[[], Card],
        over: Callable[[], bool],
        say: Callable[[str], None],
        *,
        tempo_s: float = USUAL_TEMPO_S,
    ) -> None:
        self._poem = poem
        self._pile = pile
        self._lay = lay
        self._over = over
        self._say = say
        self._turned_s = float("-inf")
        self.tempo_s = tempo_s
        self.line: int | None = None

    def is_due(self, now_s: float) -> bool:
        """Tell if it is time for the next card, in seconds on any clock."""
        return now_s >= self._turned_s + self.tempo_s

    def turn(self, now_s: float) -> Card | None:
        """Deal the next card if it is time.

        Args:
            now_s: seconds on any clock.

        Returns:
            the card that was laid; None while the last line is still being recited.
        """
        if not self.is_due(now_s):
            return None
        self._turned_s = now_s
        self.line = self._pile() % len(self._poem)
        card = self._lay()
        if isinstance(card, HunterCard) and self._over():
            self._say(BAM)
        else:
            self._say(f"{self._poem[self.line].draw} {self._poem[self.line].lay}")
        return card
