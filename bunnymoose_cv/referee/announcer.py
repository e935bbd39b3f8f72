"""Announcements of a round: what is new, and once more what has changed since it was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.referee.standing_round import standing_verdicts
from bunnymoose_cv.voice.announcing import AnnouncedMove, catch_up_lines, lines_about, moves_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.rules.round import Round, RoundFacts


class Announcer:
    """Announcer of one game's rounds.

    Attributes:
        said: lines since the last Bam.
    """

    def __init__(self, voice: Callable[[str], object], language: Language) -> None:
        self._voice = voice
        self._language = language
        self._announced: dict[str, AnnouncedMove] = {}
        self.said: list[str] = []

    def say(self, line: str) -> None:
        """Say one line."""
        self.said.append(line)
        self._voice(line)

    def begin(self) -> None:
        """Begin a round: nothing has been said since its Bam."""
        self.said = []

    def forget(self) -> None:
        """Forget what has been announced of the open round."""
        self._announced = {}

    def keep(self, facts: RoundFacts) -> None:
        """Forget what has been announced of a round but the moves of who is judged in it, and the narrator's copy."""
        kept = {*facts.poses, facts.narrator} if facts.bet in facts.poses else set(facts.poses)
        self._announced = {player: move for player, move in self._announced.items() if player in kept}

    def recall(self, facts: RoundFacts) -> None:
        """Take the verdicts of a round as announced; their lines are not repeated."""
        self._announced = moves_of(standing_verdicts(facts), facts.narrator, facts.bet)

    def tell(self, facts: RoundFacts) -> None:
        """Say the moves of a round that are new, or others than were announced."""
        verdicts, before = standing_verdicts(facts), self._announced
        self._announced = moves_of(verdicts, facts.narrator, facts.bet)
        self._say_all(lines_about(verdicts, facts.narrator, facts.bet, self._language, before))

    def close(self, closed: Round) -> None:
        """Say what is left of a round that is over, and who catches up."""
        self.tell(closed.facts)
        self._say_all(catch_up_lines(closed, self._language))
        self.forget()

    def tell_correction(self, before: Round, after: Round) -> None:
        """Say the moves and the catch-up that a correction has changed in a round that was over."""
        was = moves_of(before.verdicts, before.facts.narrator, before.facts.bet)
        self._say_all(lines_about(after.verdicts, after.facts.narrator, after.facts.bet, self._language, was))
        caught_up = set(catch_up_lines(before, self._language))
        self._say_all(line for line in catch_up_lines(after, self._language) if line not in caught_up)

    def _say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)
