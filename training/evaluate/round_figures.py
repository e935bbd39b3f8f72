"""Figures of judged rounds, also as JSON: questions and wrong moves at tables dealt from the deck."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.referee.question import judge_move
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.scoring import score
from training.evaluate.json_shape import JsonShape
from training.evaluate.shares import ClusteredShare, ShareShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from training.evaluate.round_benchmark import ClipResult, SeatResult


TABLES: Final = 20
"""Number of dealt tables for each verdict, to count questions and wrong moves."""


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """Figures of verdicts, clustered by person. Counts at tables are over `TABLES` dealt tables for each verdict."""

    pose_right: ClusteredShare | None
    seat_lost: ClusteredShare | None
    asked: ClusteredShare | None
    right_unasked: ClusteredShare | None
    confident_wrong: ClusteredShare | None
    movers_found: ClusteredShare | None
    called_movers: ClusteredShare | None

    @classmethod
    def of(cls, seats: Sequence[SeatResult], threshold: float) -> RoundFigures:
        """Count over all seats.

        Args:
            seats: seats of all clips.
            threshold: probability of a move below which the referee asks.
        """
        rules = rules_for()
        deck, random = rules.cards(load_deck(rules.edition.name)), Random(1)
        tables = [tuple(random.sample(deck, rules.piles)) for _ in range(TABLES)]
        moves = [(seat.person, *_move(seat, cards, rules, threshold)) for seat in seats for cards in tables]
        watched = [(seat.person, seat.moves, seat.found_moving) for seat in seats if seat.found_moving is not None]
        share = ClusteredShare.of_clusters
        return cls(
            pose_right=share((seat.person, seat.read is not None and seat.read.pose == seat.truth) for seat in seats),
            seat_lost=share((seat.person, seat.read is None) for seat in seats),
            asked=share((person, asked) for person, asked, _ in moves),
            right_unasked=share((person, right and not asked) for person, asked, right in moves),
            confident_wrong=share((person, not right and not asked) for person, asked, right in moves),
            movers_found=share((person, found) for person, moves, found in watched if moves),
            called_movers=share((person, found) for person, moves, found in watched if not moves),
        )

    @property
    def rows(self) -> dict[str, ClusteredShare | None]:
        """Return the figures by the names under which they are shown."""
        return {
            "pose right": self.pose_right,
            "seat lost": self.seat_lost,
            "question asked": self.asked,
            "right without a question": self.right_unasked,
            "confident and wrong": self.confident_wrong,
            "mover found": self.movers_found,
            "taken for a mover": self.called_movers,
        }


def _move(seat: SeatResult, cards: Table, rules: Rules, threshold: float) -> tuple[bool, bool]:
    """Return whether the verdict is asked about at a table, and whether its move is right."""
    if seat.read is None:
        return True, False
    right = score(seat.read.pose, cards, rules).moves == score(seat.truth, cards, rules).moves
    return judge_move(seat.read, cards, rules, threshold).asked, right


def seats_of(results: Iterable[ClipResult]) -> tuple[SeatResult, ...]:
    """Return all seats as the referee judged them."""
    return tuple(seat for result in results for seat in result.seats)


def stills_of(results: Iterable[ClipResult]) -> tuple[SeatResult, ...]:
    """Return all seats by the best single frame."""
    return tuple(seat for result in results for seat in result.stills)


def times_s(results: Iterable[ClipResult]) -> tuple[float, float]:
    """Return medians over clips: footage from the cue, and processor time of the judging."""
    results = tuple(results)
    return median(result.footage_s for result in results), median(result.work_s for result in results)


_DIGITS = 3


class SeatShape(JsonShape):
    """One seat; `read` and `probability` are null if the player was not seen."""

    person: int
    twist: str
    truth: str
    read: str | None
    probability: float | None
    unclear: tuple[str, ...]
    moves: bool
    found_moving: bool | None

    @classmethod
    def of(cls, seat: SeatResult) -> Self:
        """Convert the result of a seat."""
        read = seat.read
        return cls(
            person=seat.person,
            twist=seat.twist,
            truth=str(seat.truth),
            read=None if read is None else str(read.pose),
            probability=None if read is None else round(read.probability, 4),
            unclear=() if read is None else tuple(read.unclear),
            moves=seat.moves,
            found_moving=seat.found_moving,
        )


class ClipShape(JsonShape):
    """One clip: its seats as the referee judged them, and by the best single frame."""

    id: str
    from_cue_s: float
    seats: tuple[SeatShape, ...]
    stills: tuple[SeatShape, ...]

    @classmethod
    def of(cls, result: ClipResult) -> Self:
        """Convert the result of a clip."""
        return cls(
            id=result.clip,
            from_cue_s=round(result.footage_s, _DIGITS),
            seats=tuple(map(SeatShape.of, result.seats)),
            stills=tuple(map(SeatShape.of, result.stills)),
        )


class RoundsShape(JsonShape):
    """Figures of all clips, judged as rounds and by the best single frame; a share of nothing is null."""

    rounds: int
    figures: dict[str, dict[str, ShareShape | None]]
    from_cue_s: float
    work_s: float

    @classmethod
    def of(cls, results: Sequence[ClipResult], threshold: float) -> Self:
        """Convert the results of one or more clips, with the probability of a move below which the referee asks."""
        footage_s, work_s = times_s(results)
        seats = {"round": seats_of(results), "best single frame": stills_of(results)}
        return cls(
            rounds=len(results),
            figures={name: _figures(RoundFigures.of(own, threshold)) for name, own in seats.items()},
            from_cue_s=round(footage_s, _DIGITS),
            work_s=round(work_s, _DIGITS),
        )


def _figures(figures: RoundFigures) -> dict[str, ShareShape | None]:
    return {row: None if share is None else ShareShape.of(share) for row, share in figures.rows.items()}
