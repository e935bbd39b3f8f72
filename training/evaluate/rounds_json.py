"""Lines of an evaluation of rounds: one JSON object a clip, and a last one with the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bunnymoose_cv.core.json_shape import JsonShape
from training.evaluate.round_figures import RoundFigures, seats_of, stills_of, times_s
from training.evaluate.share_json import ShareShape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from training.evaluate.round_benchmark import ClipResult, SeatResult

_DIGITS = 3


class SeatShape(JsonShape):
    """One seat; `read` and `probability` are null where the player was not seen."""

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
        """From the result of a seat."""
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
        """From the result of a clip."""
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
        """From the results of one or more clips, and the probability of a move below which a person is asked."""
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
