"""Current facts, verdicts and announcements of a round, and the announcer of those that have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.announcements.announcing import AnnouncedMove, catch_up_lines, lines_about, moves_of, round_lines
from bunnymoose_cv.announcements.phrases import ask_to_check
from bunnymoose_cv.announcements.questions import ask_about
from bunnymoose_cv.rules.round import RoundFacts, Verdict
from bunnymoose_cv.rules.scoring import score

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import Round


def current_facts(game: Game, number: int) -> RoundFacts:
    """Return the facts of a round that is over or open; the poses of the open round may be incomplete."""
    return game.rounds[number - 1].facts if number <= len(game.rounds) else game.open_facts


def current_verdicts(facts: RoundFacts) -> tuple[Verdict, ...]:
    """Return the verdicts of the judged players in seat order; empty while the cards are unknown."""
    return tuple(
        Verdict(player, seat, score(facts.poses[player], facts.cards, facts.rules))
        for seat, player in enumerate(facts.seats, start=1)
        if facts.cards and player in facts.poses
    )


def current_lines(game: Game, number: int, language: Language) -> tuple[str, ...]:
    """Return the announcements of a round that is over or frozen, according to its current verdicts."""
    if number <= len(game.rounds):
        return round_lines(game.rounds[number - 1], language)
    facts = current_facts(game, number)
    lines = lines_about(current_verdicts(facts), facts, language)
    unjudged = [player for player in facts.seats if player not in facts.poses]
    return (*lines, ask_to_check(unjudged, language)) if unjudged else tuple(lines)


class Announcer:
    """Announcer of one game's rounds; `said` has the lines since the last Bam."""

    def __init__(self, voice: Callable[[str], object], ask: Callable[[str, str], object], language: Language) -> None:
        self._voice, self._ask = voice, ask
        self._language = language
        self._announced: dict[str, AnnouncedMove] = {}
        self.said: list[str] = []

    def say(self, line: str) -> None:
        """Say one line."""
        self.said.append(line)
        self._voice(line)

    def ask_about(self, players: Sequence[str], answers: Mapping[str, Sequence[Pose]]) -> None:
        """Ask about players by their answers, likeliest first; without any, the table is asked to check."""
        for player in players:
            if answers.get(player):
                line = ask_about(player, answers[player], self._language)
                self.said.append(line)
                self._ask(line, player)
        unseen = [player for player in players if not answers.get(player)]
        if unseen:
            self.say(ask_to_check(unseen, self._language))

    def begin(self) -> None:
        """Begin a round: nothing has been said since its Bam."""
        self.said = []

    def forget(self) -> None:
        """Forget what has been announced of the open round."""
        self._announced = {}

    def keep(self, facts: RoundFacts) -> None:
        """Forget what has been announced of a round, except the moves of judged players and the narrator's copy."""
        kept = {*facts.poses, facts.narrator} if facts.bet in facts.poses else set(facts.poses)
        self._announced = {player: move for player, move in self._announced.items() if player in kept}

    def recall(self, facts: RoundFacts) -> None:
        """Take the verdicts of a round as announced; their lines are not repeated."""
        self._announced = moves_of(current_verdicts(facts), facts)

    def announce(self, facts: RoundFacts, held_back: Collection[str] = ()) -> None:
        """Say the moves of a round that are new or differ from those announced; new ones of players held back wait."""
        before = self._announced
        later = {player for player in held_back if player not in before}
        verdicts = [verdict for verdict in current_verdicts(facts) if verdict.player not in later]
        self._announced = moves_of(verdicts, facts)
        self._say_all(lines_about(verdicts, facts, self._language, before))

    def close(self, closed: Round) -> None:
        """Say the remaining moves of a round that is over, and the catch-up."""
        self.announce(closed.facts)
        self._say_all(catch_up_lines(closed, self._language))
        self.forget()

    def announce_correction(self, before: Round, after: Round) -> None:
        """Say the moves and the catch-up that a correction has changed in a round that was over."""
        was = moves_of(before.verdicts, before.facts)
        self._say_all(lines_about(after.verdicts, after.facts, self._language, was))
        caught_up = set(catch_up_lines(before, self._language))
        self._say_all(line for line in catch_up_lines(after, self._language) if line not in caught_up)

    def _say_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)
