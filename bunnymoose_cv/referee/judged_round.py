"""A judged round: what the frames at the cue show of each player."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.evidence_writing import RoundEvidence
from bunnymoose_cv.referee.question import ReadPose, judge_move
from bunnymoose_cv.referee.standing_round import standing_verdicts
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

REFEREE: Final = Phrase("referee")
"""Author of judged events in the game file."""

NOTHING_SEEN: Final = Pose(None, None)
"""The pose of a player who was not seen, until people say otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSeat:
    """Reading of one player at the cue.

    Attributes:
        seat: counted from 1 at the image's left.
        reading: what the frames show; None where the player was not found.
        movement: what changed after the freeze, if anything did.
    """

    player: str
    seat: int
    reading: PlayerReading | None
    movement: Movement | None = None

    @property
    def pose(self) -> Pose:
        """The likeliest pose."""
        return NOTHING_SEEN if self.reading is None else self.reading.pose

    @property
    def unclear(self) -> tuple[PoseField, ...]:
        """Uncertain fields; all of them of a player who was not seen."""
        return tuple(PoseField) if self.reading is None else self.reading.unclear

    def move(self, cards: Table, rules: Rules, threshold: float) -> JudgedMove | None:
        """Judge the move of the likeliest pose; None for a player who was not seen."""
        return None if self.reading is None else judge_move(ReadPose.of(self.reading), cards, rules, threshold)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRound:
    """Readings of one round.

    Attributes:
        number: of the round, counted from 1.
        cue_s: when Bam was said, on the clock of the frames.
        frozen: what the frames around the cue show, exempt parts too.
        readings: of each of those frames; after the verdicts also the other frames of the window, for whoever looks at
            them one by one: with players only where they were read.
        seats: one a player, from the left.
        threshold: of a move's probability; below it a person is asked.
        kept: where its evidence lies; None until it is known who moved.
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
        return replace(self.frozen.reading, players=tuple(each.reading for each in self.seats if each.reading))

    def evidence(self, facts: RoundFacts, said: Sequence[str], language: Language) -> RoundEvidence:
        """Evidence of the round, with the verdicts by its facts and with what was announced in a language."""
        return RoundEvidence(
            number=self.number,
            cue_s=self.cue_s,
            players=tuple(seat.player for seat in self.seats),
            readings=self.readings,
            agreed=self.agreed,
            verdicts=standing_verdicts(facts),
            said=tuple(said),
            moved={seat.seat: seat.movement.time_s for seat in self.seats if seat.movement},
            language=language,
        )
