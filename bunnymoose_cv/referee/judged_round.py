"""Judged round: the readings of each player at the cue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bunnymoose_cv.record.evidence_writing import RoundEvidence
from bunnymoose_cv.referee.current_round import current_verdicts
from bunnymoose_cv.referee.question import ReadPose, judge_move, possible_answers
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.pose_fields import PoseField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.round import RoundFacts
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.video.freeze import Freeze
    from bunnymoose_cv.vision.video.movement import Movement


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSeat:
    """Reading of one player at the cue, None if the player was not found, and the change after the freeze, if any."""

    player: str
    seat: int
    reading: PlayerReading | None
    movement: Movement | None = None

    @property
    def pose(self) -> Pose:
        """The likeliest pose; a bush, until it is corrected, for a player who was not seen."""
        return Pose(None, None) if self.reading is None else self.reading.pose

    @property
    def unclear(self) -> tuple[PoseField, ...]:
        """Uncertain fields; all fields for a player who was not seen."""
        return tuple(PoseField) if self.reading is None else self.reading.unclear

    def move(self, cards: Table, rules: Rules, threshold: float) -> JudgedMove | None:
        """Judge the move of the likeliest pose; None for a player who was not seen."""
        return None if self.reading is None else judge_move(ReadPose.of(self.reading), cards, rules, threshold)

    def answers(self, facts: RoundFacts, *, everything: bool) -> tuple[Pose, ...]:
        """Return the poses to choose from, likeliest first; none for a player who was not seen."""
        if self.reading is None:
            return ()
        return possible_answers(ReadPose.of(self.reading), facts, everything=everything)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRound:
    """Readings of one round.

    Attributes:
        cue_s: the time of Bam on the clock of the frames.
        frozen: the poses in the frames around the cue, with exempt parts.
        readings: the readings of those frames; after the watch also the other frames of the window, for pages that
            show them one by one. Frames that were not read have no players.
        seats: one seat per player, from the left.
        threshold: the probability of a move below which a person is asked.
        kept: the folder of its evidence; None until the watch is over.
    """

    number: int
    cue_s: float
    frozen: Freeze
    readings: tuple[FrameReading, ...]
    seats: tuple[JudgedSeat, ...]
    threshold: float
    kept: RoundFolder | None = None

    @property
    def agreed(self) -> FrameReading:
        """The frame to show, with the readings that are judged: those of the freeze without exempt parts."""
        return replace(self.frozen.reading, players=tuple(seat.reading for seat in self.seats if seat.reading))

    def evidence(self, facts: RoundFacts, said: Sequence[str], language: Language) -> RoundEvidence:
        """Return the evidence of the round, with its verdicts and with its announcements in a language."""
        return RoundEvidence(
            number=self.number,
            cue_s=self.cue_s,
            players=tuple(seat.player for seat in self.seats),
            readings=self.readings,
            agreed=self.agreed,
            verdicts=current_verdicts(facts),
            said=tuple(said),
            moved={seat.seat: seat.movement.time_s for seat in self.seats if seat.movement},
            language=language,
        )
