"""The narrator when nobody wants to be: recites the poem line by line, lays the cards, says Bam with the hunter.

Owns no cards, no rules of the deal, no voice and no round: it is told when it is time, and tells what happens.
"""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.rules.cards import HunterCard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.rules.poem import PoemLine

USUAL_TEMPO_S: Final = 3.0
"""From one line to the next: time to hear it and to change one's shape."""

BAM: Final = "Bam!"


class Dealer:
    """Deals one round, a card a line.

    Args:
        poem: its lines, one a pile; it is recited again and again.
        lay: lays the next card and tells which; a hunter after the first pass ends the deal by the rules.
        over: whether the deal has ended.
        say: lets the table hear something.
        tempo_s: seconds from one line to the next.
    """

    def __init__(
        self,
        poem: Sequence[PoemLine],
        lay: Callable[[], Card],
        over: Callable[[], bool],
        say: Callable[[str], None],
        tempo_s: float = USUAL_TEMPO_S,
    ) -> None:
        self._lines = cycle(poem)
        self._lay = lay
        self._over = over
        self._say = say
        self._tempo_s = tempo_s
        self._next_s = float("-inf")

    def turn(self, now_s: float) -> Card | None:
        """Deal the next card if it is time.

        Args:
            now_s: seconds on any clock.

        Returns:
            the card that was laid; None while the last line is still being recited.
        """
        if now_s < self._next_s:
            return None
        self._next_s = now_s + self._tempo_s
        line = next(self._lines)
        card = self._lay()
        if isinstance(card, HunterCard) and self._over():
            self._say(BAM)
        else:
            self._say(f"{line.draw} {line.lay}")
        return card
