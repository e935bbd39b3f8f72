"""View model of the verdicts of a round: one view a player, the same from memory and from stored evidence.

Evidence stands in round_evidence.py, scores in rules/scoring.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.record.game_file import standing_entries
from bunnymoose_cv.record.round_folder import EvidenceError
from bunnymoose_cv.referee.judged_round import REFEREE
from bunnymoose_cv.referee.question import idle_doubts
from bunnymoose_cv.referee.standing_round import standing_facts, standing_verdicts
from bunnymoose_cv.rules.events import Correction, PoseCorrected, PosesJudged
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose_fields import PoseField
from bunnymoose_cv.rules.round import Cause
from bunnymoose_cv.web.live.likely_poses import likeliest_moves, likeliest_poses, read_pose, unclear_of
from bunnymoose_cv.web.live.round_evidence import round_evidence_view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.record.evidence_json import PlayerEvidence
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import FigureMove, Round, RoundFacts
    from bunnymoose_cv.rules.scoring import Score
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.live.likely_poses import LikelyPose
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView


@dataclass(frozen=True, slots=True)
class VerdictView:
    """View of one player in one round.

    Attributes:
        seat: counted from 1 at the image's left.
        asked: whether the shape waits for a person, or has to be looked at again since other cards were told.
        pose: what stands today; None while people are asked, or while it waits for the cards.
        read: what the frames show; None for somebody who was not seen, or where nothing was kept.
        unclear: what of it is too unsure to stand alone.
        idle: those of them that change no move on this table.
        likeliest: what it may be, one answer for each move where the cards are known.
        score: what the pose scores; None while people are asked, or while cards are missing.
        moves: of the player's own figures, once the round is over.
        moved_s: seconds after Bam when it showed that the player moved; None for who held still.
        told: the entry by which people said what nobody saw surely.
        corrections: the entries that put the pose right, the newest last.
        alike: everybody who shows the same, this player too, in seat order.
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
    told: Entry | None
    corrections: tuple[Entry, ...]
    alike: tuple[str, ...]

    @property
    def doubts(self) -> tuple[PoseField, ...]:
        """Uncertain fields of what stands as it was read; none once people have said what it is."""
        told = self.told is not None or bool(self.corrections)
        return () if told or self.read is None else self.unclear


@dataclass(frozen=True, slots=True)
class RoundView:
    """View of one round at and after its Bam.

    Attributes:
        bet: whom the narrator bet on, if on anybody.
        cards: what lies on the piles; fewer while some are not known.
        verdicts: one a seat.
        played: all that followed; None while the round is open.
        seen: what the frames showed; None where nothing was seen or kept.
        corrections: all entries that put something right in this round, the newest last.
        newest: the entry that would be taken back next.
        problem: a sentence where the evidence cannot be read; else empty.
    """

    number: int
    narrator: str
    bet: str | None
    cards: Table
    verdicts: tuple[VerdictView, ...]
    played: Round | None
    seen: RoundEvidenceView | None
    corrections: tuple[Entry, ...]
    newest: Entry
    problem: str

    @property
    def groups(self) -> tuple[tuple[VerdictView, ...], ...]:
        """Look-alikes together, in the order of their first seat; who is asked about stands alone."""
        by_player = {view.player: view for view in self.verdicts}
        return tuple(
            tuple(by_player[each] for each in view.alike) for view in self.verdicts if view.player == view.alike[0]
        )

    @property
    def narrator_moves(self) -> tuple[FigureMove, ...]:
        """Moves of the narrator's figures, by the bet and catching up, once the round is over."""
        moves = () if self.played is None else self.played.moves
        return tuple(move for move in moves if move.figure.player == self.narrator)

    def of_seat(self, seat: int) -> VerdictView | None:
        """The view of a seat; None where nobody sits there."""
        return next((view for view in self.verdicts if view.seat == seat), None)

    @property
    def can_take_back(self) -> bool:
        """Tell if the newest thing that was written down is a correction of this round."""
        return any(entry.number == self.newest.number for entry in self.corrections)


def shown_round(game: Game) -> int | None:
    """The round whose verdicts are the newest: the open one once Bam was said, else the last; None before the first."""
    if game.phase is Phase.FROZEN:
        return game.round_number
    return len(game.rounds) or None


def round_view(state: TableState, number: int) -> RoundView | None:
    """View of the verdicts of a round; None before its Bam and for an unknown round."""
    game = state.game
    if not 1 <= number <= (shown_round(game) or 0):
        return None
    played = game.rounds[number - 1] if number <= len(game.rounds) else None
    facts = standing_facts(game, number)
    scores = {each.player: each.score for each in (played.verdicts if played else standing_verdicts(facts))}
    moves = () if played is None else played.moves
    seen, problem = _read_evidence(state, number)
    entries = standing_entries(state.entries)
    told = dict(_find_told(game, entries, number))
    corrections = tuple(entry for entry in entries if _corrects(entry, number))
    verdicts = tuple(
        _view(state, facts, seat, seen, scores.get(player), moves, told.get(player), corrections)
        for seat, player in enumerate(facts.seats, start=1)
    )
    cards = game.table if played is None else facts.cards
    return RoundView(
        number, facts.narrator, facts.bet, cards, verdicts, played, seen, corrections, entries[-1], problem
    )


def _read_evidence(state: TableState, number: int) -> tuple[RoundEvidenceView | None, str]:
    try:
        return round_evidence_view(state, number), ""
    except EvidenceError as error:
        return None, error.sentence


def _view(  # noqa: PLR0913, PLR0917 - all that is known of a verdict
    state: TableState,
    facts: RoundFacts,
    seat: int,
    seen: RoundEvidenceView | None,
    score: Score | None,
    moves: tuple[FigureMove, ...],
    told: Entry | None,
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
        moves=tuple(_own_moves(moves, player)),
        moved_s=None if seen is None or moved_at is None else moved_at - seen.cue_s,
        told=told,
        corrections=tuple(
            each
            for each in corrections
            if getattr(each.event, "player", None) == player and isinstance(each.event, PoseCorrected)
        ),
        alike=(player,) if asked or pose is None else _alike(state, facts, pose),
    )


def _is_asked(state: TableState, facts: RoundFacts, player: str) -> bool:
    if facts.number > len(state.game.rounds) and player in state.asked:
        return True
    judged = state.judged
    return judged is not None and judged.number == facts.number and player in state.asked_again


def _alike(state: TableState, facts: RoundFacts, pose: Pose) -> tuple[str, ...]:
    """Players who show the same pose and are not asked about."""
    return tuple(each for each in facts.seats if facts.poses.get(each) == pose and not _is_asked(state, facts, each))


def _answers(state: TableState, read: PlayerEvidence | None, cards: Table, rules: Rules) -> tuple[LikelyPose, ...]:
    """Answers to choose from: moves where those are known and asked for, else poses."""
    if read is None:
        return ()
    if cards and not state.asks_everything:
        return likeliest_moves(read, cards, rules)
    return likeliest_poses(read) if unclear_of(read) else ()


def _own_moves(moves: tuple[FigureMove, ...], player: str) -> Iterator[FigureMove]:
    return (move for move in moves if move.figure.player == player and move.cause is not Cause.BET)


def _corrects(entry: Entry, number: int) -> bool:
    event = entry.event
    return isinstance(event, Correction) and event.round_number == number


def _find_told(game: Game, entries: tuple[Entry, ...], number: int) -> Iterator[tuple[str, Entry]]:
    """By player, the entry by which people said what nobody saw surely in a round."""
    circle = game.players
    for player in circle:
        judged = [each for each in entries if isinstance(each.event, PosesJudged) and player in each.event.poses]
        before = sum(player in played.facts.seats for played in game.rounds[: number - 1])
        if before < len(judged) and judged[before].who != REFEREE and _plays_in(game, player, number):
            yield player, judged[before]


def _plays_in(game: Game, player: str, number: int) -> bool:
    return player in (game.rounds[number - 1].facts.seats if number <= len(game.rounds) else game.seats)
