"""Detection of laid cards by votes of still frames: the next pile's, a missed one, the hunter laid apart."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from bunnymoose_cv.rules.cards import HunterCard, parse_card
from bunnymoose_cv.session.card_photo import hunters_apart
from bunnymoose_cv.vision.cards.card_settings import WATCHING

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from bunnymoose_cv.rules.cards import Card
    from bunnymoose_cv.vision.cards.card_reading import CardsReading

Answer = TypeVar("Answer", bound="Hashable")


class FrameVotes(Generic[Answer]):
    """Votes about several questions at once, each known by its number."""

    def __init__(self) -> None:
        self._answers: dict[int, deque[Answer | None]] = {}

    @property
    def frames(self) -> int:
        """Number of frames that have voted since the last movement, at most five."""
        return max(map(len, self._answers.values()), default=0)

    def forget(self) -> None:
        """Forget the votes, since something moved."""
        self._answers.clear()

    def add(self, answers: Mapping[int, Answer | None]) -> Mapping[int, Answer]:
        """Add the answers of one frame; None where it has none.

        Returns:
            The questions of which enough frames agree, with the answer.
        """
        for number, answer in answers.items():
            self._answers.setdefault(number, deque(maxlen=WATCHING.frames)).append(answer)
        agreed = {}
        for number, given in self._answers.items():
            answer, times = Counter(given).most_common(1)[0]
            if answer is not None and times >= WATCHING.agreeing:
                agreed[number] = answer
        return agreed


APART = 0
"""Number under which the hunter beside the row is voted on; piles begin at 1."""


@dataclass(frozen=True, slots=True)
class LaidCardResult:
    """Findings of the newest frame.

    Attributes:
        card: that fell on the next pile; None where none did.
        missed: piles that show another card than is known, though it was not their turn.
        hunter: whether the hunter lies apart from the row.
    """

    card: Card | None = None
    missed: tuple[int, ...] = ()
    hunter: bool = False


class LaidCardDetector:
    """Vote over readings of frames in which nothing moves: three of five must agree."""

    def __init__(self) -> None:
        self._votes: FrameVotes[Card] = FrameVotes()

    @property
    def settled(self) -> bool:
        """Tell if another frame of the same still table could tell nothing more."""
        return self._votes.frames >= WATCHING.frames

    def moved(self) -> None:
        """Forget the votes of the frames before, since a hand came."""
        self._votes.forget()

    def take(self, reading: CardsReading, piles: int, known: Mapping[int, Card], next_pile: int) -> LaidCardResult:
        """Add the reading of one more frame.

        Args:
            known: the card on top of each pile, as far as cards lie.
            next_pile: on which the next card falls.
        """
        apart, row = hunters_apart(reading, piles)
        answers = {number: None if face is None else parse_card(face) for number, face in row.items()}
        agreed = self._votes.add({**answers, APART: HunterCard() if apart else None})
        others = {number: card for number, card in agreed.items() if number != APART and card != known.get(number)}
        fell = others.pop(next_pile, None)
        return LaidCardResult(fell, tuple(sorted(others)), hunter=APART in agreed)
