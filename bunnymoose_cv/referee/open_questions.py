"""Questions to people: whose move is in doubt, given a game, its judged round and what people have said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.referee.question import ReadPose, judge_move
from bunnymoose_cv.referee.standing_round import standing_facts
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import RoundFacts
    from bunnymoose_cv.vision.readings import PlayerReading


@dataclass(frozen=True, slots=True)
class AskPolicy:
    """Choice of what people are asked about.

    Attributes:
        in_doubt: whether a move in doubt waits for a person; else the likeliest reading stands.
        everything: whether every unclear field does, also where no card on the table cares.
    """

    in_doubt: bool = True
    everything: bool = False

    def is_sure(self, reading: PlayerReading, facts: RoundFacts, threshold: float) -> bool:
        """Tell if a reading is sure enough for the cards of a round, or as a whole while they are not known."""
        if self.everything:
            return not reading.unclear
        read = ReadPose.of(reading)
        if not facts.cards:  # a pose that is sure as a whole makes a sure move on every table
            return read.probability >= threshold
        return not judge_move(read, facts.cards, facts.rules, threshold).asked


@dataclass(frozen=True, slots=True, eq=False)
class OpenQuestions:
    """Questions at one moment of a game.

    Attributes:
        judged: the last judged round, which may be over; None where none is.
        confirmed: players of the judged round whom people have put right.
        taken_back: players whose verdict people have taken back, so that the camera does not tell it again.
    """

    game: Game
    judged: JudgedRound | None
    asking: AskPolicy
    confirmed: frozenset[str]
    taken_back: frozenset[str]

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Players of the frozen round whose pose is not written down."""
        game = self.game
        return tuple(each for each in game.seats if each not in game.poses) if game.phase is Phase.FROZEN else ()

    @property
    def asked(self) -> tuple[str, ...]:
        """Players of the frozen round who wait for a person: the move is in doubt, or they were not seen."""
        waiting = self._waiting_for_cards
        return tuple(each for each in self.unjudged if each not in waiting)

    @property
    def asked_again(self) -> tuple[str, ...]:
        """Players of the judged round whose verdict stands, but is in doubt since other cards were told."""
        judged = self.judged
        if judged is None or judged.number > self.game.round_number or not self._cards_matter:
            return ()
        facts = standing_facts(self.game, judged.number)
        return tuple(
            seat.player
            for seat in judged.seats
            if facts.cards
            and facts.poses.get(seat.player) == seat.pose
            and seat.player not in self.confirmed
            and not self._is_sure(judged, seat, facts)
        )

    @property
    def settled(self) -> dict[str, Pose]:
        """Poses of the judged round, while it is open, that stand without a question and are not written down."""
        judged, game = self.judged, self.game
        if judged is None or judged.number != game.round_number:
            return {}
        facts = standing_facts(game, judged.number)
        return {
            seat.player: seat.pose
            for seat in judged.seats
            if seat.player not in {*game.poses, *self.taken_back}
            and (not self.asking.in_doubt or self._is_sure(judged, seat, facts))
        }

    @property
    def settled_by_cards(self) -> dict[str, Pose]:
        """Settled poses of the frozen round, where known cards tell which doubts matter."""
        is_known = self.game.phase is Phase.FROZEN and not self.game.first_pass
        return self.settled if is_known and not self.asking.everything else {}

    @property
    def _waiting_for_cards(self) -> set[str]:
        """Players who were seen in the open round, while the cards are missing that tell if a doubt matters."""
        judged, game = self.judged, self.game
        if judged is None or judged.number != game.round_number or not (game.first_pass and self._cards_matter):
            return set()
        return {seat.player for seat in judged.seats if seat.reading is not None} - self.taken_back

    @property
    def _cards_matter(self) -> bool:
        """True if cards tell whether a doubt is asked about."""
        return self.asking.in_doubt and not self.asking.everything

    def _is_sure(self, judged: JudgedRound, seat: JudgedSeat, facts: RoundFacts) -> bool:
        """Tell if nothing about a seat is in doubt; everything is of a player who was not seen."""
        return seat.reading is not None and self.asking.is_sure(seat.reading, facts, judged.threshold)
