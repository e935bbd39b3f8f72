"""Questions to people: the players whose move is in doubt, given a game and its judged round."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from bunnymoose_cv.referee.current_round import current_facts
from bunnymoose_cv.referee.question import ReadPose, judge_move, possible_answers
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import RoundFacts
    from bunnymoose_cv.vision.readings import PlayerReading


@dataclass(frozen=True, slots=True)
class AskPolicy:
    """Choice of the questions to people.

    Attributes:
        in_doubt: whether a move in doubt waits for a person. If not, the likeliest reading counts.
        everything: whether every unclear field waits for a person, even if it changes no score.
    """

    in_doubt: bool = True
    everything: bool = False

    def is_sure(self, reading: PlayerReading, facts: RoundFacts, threshold: float) -> bool:
        """Return whether a reading is sure enough for the cards of a round, or as a whole while they are unknown."""
        if self.everything:
            return not reading.unclear
        read = ReadPose.of(reading)
        if not facts.cards:  # a pose that is sure as a whole makes a sure move on every table
            return read.probability >= threshold
        return not judge_move(read, facts.cards, facts.rules, threshold).asked


@dataclass(frozen=True, slots=True, eq=False)
class RecalledRound:
    """Frozen round that a former program judged, with the stored readings of the players who were seen."""

    number: int
    readings: Mapping[str, ReadPose]


@dataclass(frozen=True, slots=True, eq=False)
class OpenQuestions:
    """Questions at one moment of a game.

    Attributes:
        judged: the last judged round, which may be over; None without one.
        recalled: the round that was frozen at a restart; None without one.
    """

    game: Game
    judged: JudgedRound | None
    asking: AskPolicy
    recalled: RecalledRound | None = None

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Players of the frozen round whose pose has not been recorded."""
        game = self.game
        return tuple(player for player in game.seats if player not in game.poses) if game.phase is Phase.FROZEN else ()

    @property
    def asked(self) -> tuple[str, ...]:
        """Players of the frozen round who wait for a person: the move is in doubt, or they were not seen."""
        waiting = self._waiting_for_cards
        return tuple(player for player in self.unjudged if player not in waiting)

    @property
    def likeliest(self) -> dict[str, Pose]:
        """Likeliest answer about each asked player, which counts if it is not answered in time.

        A person has to answer about players who were not seen or whose verdict was undone, and while cards are missing.
        """
        game, readings = self.game, self._readings
        if game.first_pass:
            return {}
        facts = current_facts(game, game.round_number)
        return {
            player: possible_answers(readings[player], facts, everything=self.asking.everything)[0]
            for player in self.asked
            if player in readings and player not in game.provenance.undone_verdicts
        }

    @property
    def possible_look_alikes(self) -> frozenset[str]:
        """Judged players of the frozen round who may be announced together with a player who is asked about."""
        judged, game = self.judged, self.game
        if judged is None or judged.number != game.round_number:
            return frozenset()
        possible = set(chain.from_iterable(self.answers_about(self.unjudged).values()))
        return frozenset(player for player, pose in game.poses.items() if pose in possible)

    def answers_about(self, players: Collection[str]) -> dict[str, tuple[Pose, ...]]:
        """Return the poses to choose from about players of the judged round, likeliest first; empty if not seen."""
        judged = self.judged
        if judged is None:
            return {}
        facts = current_facts(self.game, judged.number)
        return {
            seat.player: seat.answers(facts, everything=self.asking.everything)
            for seat in judged.seats
            if seat.player in players
        }

    @property
    def asked_again(self) -> tuple[str, ...]:
        """Players of the judged round with a verdict that is in doubt since the cards were changed."""
        judged = self.judged
        if judged is None or judged.number > self.game.round_number or not self._cards_matter:
            return ()
        facts = current_facts(self.game, judged.number)
        corrected = self.game.provenance.players_corrected(judged.number)
        return tuple(
            seat.player
            for seat in judged.seats
            if facts.cards
            and facts.poses.get(seat.player) == seat.pose
            and seat.player not in corrected
            and not self._is_sure(judged, seat, facts)
        )

    @property
    def settled(self) -> dict[str, Pose]:
        """Poses of the judged round, while it is open, that need no question and have not been recorded."""
        judged, game = self.judged, self.game
        if judged is None or judged.number != game.round_number:
            return {}
        facts = current_facts(game, judged.number)
        return {
            seat.player: seat.pose
            for seat in judged.seats
            if seat.player not in {*game.poses, *game.provenance.undone_verdicts}
            and (not self.asking.in_doubt or self._is_sure(judged, seat, facts))
        }

    @property
    def settled_by_cards(self) -> dict[str, Pose]:
        """Settled poses of the frozen round, if the cards are known that decide which doubts matter."""
        is_known = self.game.phase is Phase.FROZEN and not self.game.first_pass
        return self.settled if is_known and not self.asking.everything else {}

    @property
    def _readings(self) -> Mapping[str, ReadPose]:
        """Readings of the open round, those before a restart included; empty for players who were not seen."""
        number = self.game.round_number
        if self.judged is not None and self.judged.number == number:
            return {seat.player: ReadPose.of(seat.reading) for seat in self.judged.seats if seat.reading is not None}
        return self.recalled.readings if self.recalled is not None and self.recalled.number == number else {}

    @property
    def _waiting_for_cards(self) -> set[str]:
        """Players who were seen in the open round, while the cards are missing that decide whether a doubt matters."""
        judged, game = self.judged, self.game
        if judged is None or judged.number != game.round_number or not (game.first_pass and self._cards_matter):
            return set()
        return {seat.player for seat in judged.seats if seat.reading is not None} - game.provenance.undone_verdicts

    @property
    def _cards_matter(self) -> bool:
        return self.asking.in_doubt and not self.asking.everything

    def _is_sure(self, judged: JudgedRound, seat: JudgedSeat, facts: RoundFacts) -> bool:
        """Return whether nothing about a seat is in doubt; False for a player who was not seen."""
        return seat.reading is not None and self.asking.is_sure(seat.reading, facts, judged.threshold)
