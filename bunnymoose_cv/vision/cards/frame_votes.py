"""Majority votes over frames: an answer counts when three of the last five agree."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Generic, TypeVar

from bunnymoose_cv.vision.cards.card_settings import WATCHING

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

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
