"""View model of a round's verdicts, one for each player, and of the likely answers to open questions.

It is the same from memory and from stored evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.record.round_folder import EvidenceError
from bunnymoose_cv.referee.current_round import current_facts, current_verdicts
from bunnymoose_cv.referee.question import idle_doubts, offered, open_poses
from bunnymoose_cv.referee.stored_readings import read_pose, unclear_of
from bunnymoose_cv.rules.events import Correction, PoseCorrected
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.moves import move_distribution
from bunnymoose_cv.rules.pose_fields import PoseField
from bunnymoose_cv.rules.provenance import NOBODY, REFEREE
from bunnymoose_cv.rules.round import Cause
from bunnymoose_cv.web.live.round_evidence import round_evidence_view

if TYPE_CHECKING:
    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import FigureMove, Round, RoundFacts
    from bunnymoose_cv.rules.scoring import Score
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView


@dataclass(frozen=True, slots=True)
class VerdictView:
    """View of one player in one round.

    Attributes:
        seat: the seat number, from 1 at the left of the image.
        asked: whether players must decide about the pose, for the first time or again with other cards.
        pose: the valid pose; None while players are asked, or while the pose waits for the cards.
        read: the reading of the frames; None if the player was not seen, or nothing is stored.
        idle: uncertain fields that change no move with these cards.
        likeliest: the possible answers, one for each move if the cards are known.
        score: the score of the pose; None while players are asked, or while cards are missing.
        moves: moves of the player's own figures after the round.
        moved_s: seconds after Bam at which the player visibly moved; None if the player kept still.
        decision: the entry by which players decided an uncertain pose; None without one.
        corrections: entries that corrected the pose, the newest last.
    """

    round_number: int
    player: str
    seat: int
    asked: bool
    pose: Pose | None
    read: PlayerEvidence | None
    unclear: tuple[PoseField, ...]
    idle: tuple[PoseField, ...]
    likeliest: tuple[LikelyPose, ...]
    score: Score | None
    moves: tuple[FigureMove, ...]
    moved_s: float | None
    decision: Entry | None
    corrections: tuple[Entry, ...]

    @property
    def doubts(self) -> tuple[PoseField, ...]:
        """Uncertain fields of a pose that is valid as it was read; empty when players have entered the pose."""
        entered = (self.decision is not None and self.decision.who != NOBODY) or bool(self.corrections)
        return () if entered or self.read is None else self.unclear


@dataclass(frozen=True, slots=True)
class RoundView:
    """View of one round at and after its Bam.

    Attributes:
        bet: the player that the narrator bet on; None without a bet.
        cards: known cards on the piles.
        verdicts: in seat order.
        played: the finished round; None while it is open.
        seen: the evidence of the frames; None if nothing was seen or stored.
        corrections: entries that corrected this round, the newest last.
        can_take_back: whether the newest entry is a correction of this round.
        problem: a sentence about unreadable evidence; empty without a problem.
    """

    number: int
    narrator: str
    bet: str | None
    cards: Table
    verdicts: tuple[VerdictView, ...]
    played: Round | None
    seen: RoundEvidenceView | None
    corrections: tuple[Entry, ...]
    can_take_back: bool
    problem: str

    @property
    def groups(self) -> tuple[tuple[VerdictView, ...], ...]:
        """Players grouped by equal poses, in the order of their first seat; a player who is asked about is alone."""
        groups: dict[Pose | str, list[VerdictView]] = {}
        for view in self.verdicts:
            groups.setdefault(view.player if view.asked or view.pose is None else view.pose, []).append(view)
        return tuple(map(tuple, groups.values()))

    @property
    def narrator_moves(self) -> tuple[FigureMove, ...]:
        """Moves of the narrator's figures, by the bet and catching up, once the round is over."""
        moves = () if self.played is None else self.played.moves
        return tuple(move for move in moves if move.figure.player == self.narrator)

    def of_seat(self, seat: int) -> VerdictView | None:
        """Return the view of a seat; None if it is empty."""
        return next((view for view in self.verdicts if view.seat == seat), None)


def shown_round(game: Game) -> int | None:
    """Return the newest round with verdicts: the open one after Bam, or the last one; None before the first Bam."""
    if game.phase is Phase.FROZEN:
        return game.round_number
    return len(game.rounds) or None


def round_view(state: TableState, number: int) -> RoundView | None:
    """Return the view of a round; None before its Bam and for an unknown round."""
    game = state.game
    if not 1 <= number <= (shown_round(game) or 0):
        return None
    played = game.rounds[number - 1] if number <= len(game.rounds) else None
    facts = current_facts(game, number)
    scores = {verdict.player: verdict.score for verdict in (played.verdicts if played else current_verdicts(facts))}
    moves = () if played is None else played.moves
    problem = ""
    try:
        seen = round_evidence_view(state, number)
    except EvidenceError as error:
        seen, problem = None, error.sentence
    entries = standing_entries(state.entries)
    corrections = tuple(
        entry for entry in entries if isinstance(entry.event, Correction) and entry.event.round_number == number
    )
    entered = {  # by people, for an uncertain pose
        player: entries[source.event]
        for (round_number, player), source in game.provenance.sources.items()
        if round_number == number and source.judged_by != REFEREE
    }
    verdicts = tuple(
        _view(state, facts, seat, seen, scores.get(player), moves, entered.get(player), corrections)
        for seat, player in enumerate(facts.seats, start=1)
    )
    cards, can_take_back = game.table if played is None else facts.cards, entries[-1] in corrections
    return RoundView(
        number, facts.narrator, facts.bet, cards, verdicts, played, seen, corrections, can_take_back, problem
    )


def _view(  # noqa: PLR0913, PLR0917 - sources of a verdict
    state: TableState,
    facts: RoundFacts,
    seat: int,
    seen: RoundEvidenceView | None,
    score: Score | None,
    moves: tuple[FigureMove, ...],
    decision: Entry | None,
    corrections: tuple[Entry, ...],
) -> VerdictView:
    player = facts.seats[seat - 1]
    pose = facts.poses.get(player)
    read = None if seen is None else seen.reading_of(seat)
    moved_at = None if seen is None else seen.moved.get(seat)
    asked = _is_asked(state, facts, player)
    return VerdictView(
        round_number=facts.number,
        player=player,
        seat=seat,
        asked=asked,
        pose=pose,
        read=read,
        unclear=tuple(PoseField) if read is None else unclear_of(read),
        idle=idle_doubts(read_pose(read), facts.cards, facts.rules) if read is not None and facts.cards else (),
        likeliest=_answers(state, read, facts.cards, facts.rules) if asked or pose is None else (),
        score=score,
        moves=tuple(move for move in moves if move.figure.player == player and move.cause is not Cause.BET),
        moved_s=None if seen is None or moved_at is None else moved_at - seen.cue_s,
        decision=decision,
        corrections=tuple(
            entry for entry in corrections if isinstance(entry.event, PoseCorrected) and entry.event.player == player
        ),
    )


def _is_asked(state: TableState, facts: RoundFacts, player: str) -> bool:
    if facts.number > len(state.game.rounds) and player in state.asked:
        return True
    judged = state.judged
    return judged is not None and judged.number == facts.number and player in state.asked_again


def _answers(state: TableState, read: PlayerEvidence | None, cards: Table, rules: Rules) -> tuple[LikelyPose, ...]:
    """Return the answers to choose from: one for each move if the moves are known and matter, or else poses."""
    if read is None:
        return ()
    if cards and not state.asks_everything:
        likely = offered(move_distribution(read_pose(read).probabilities, cards, rules))
        return tuple(LikelyPose(move.pose, move.probability, move.score) for move in likely)
    return likeliest_poses(read) if unclear_of(read) else ()


@dataclass(frozen=True, slots=True)
class LikelyPose:
    """Possible answer with its probability among everything that the reading leaves open.

    Attributes:
        probability: that of the pose or, if the score is known, of all poses with its move, 0 to 1.
        score: None without known cards.
    """

    pose: Pose
    probability: float
    score: Score | None = None


def likeliest_poses(read: PlayerEvidence) -> tuple[LikelyPose, ...]:
    """Return the likeliest poses that agree with all certain fields."""
    known = read_pose(read)
    chances = {pose: known.probabilities.of(pose) for pose in open_poses(known)}
    total = sum(chances.values())
    likeliest = sorted(chances, key=chances.__getitem__, reverse=True)
    return offered([LikelyPose(pose, chances[pose] / total) for pose in likeliest])
