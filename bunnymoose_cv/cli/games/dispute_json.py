"""JSON of a disputed verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import PlainSerializer

from bunnymoose_cv.core.json_shape import AnyText, JsonShape
from bunnymoose_cv.record.evidence_json import PlayerEvidence  # noqa: TC001 - pydantic reads the fields at run time
from bunnymoose_cv.referee.json_output import ScoreShape

if TYPE_CHECKING:
    from bunnymoose_cv.cli.games.dispute import Dispute, PoseCorrection


def _dump_reading(reading: PlayerEvidence) -> dict[str, Any]:
    """A reading with its reasons in English, as `judge --json` tells them; without its hundreds of landmarks."""
    dumped = reading.model_dump(mode="json", exclude={"face": True, "left": {"hand"}, "right": {"hand"}})
    for side, headgear in (("left", reading.left), ("right", reading.right)):
        dumped[side]["reasons"] = [str(reason) for reason in headgear.reasons]
    return dumped


class PoseCorrectionShape(JsonShape):
    """A correction of the pose, with its author and reason."""

    time: str
    who: str
    why: str
    pose: str

    @classmethod
    def of(cls, correction: PoseCorrection) -> Self:
        """From a correction."""
        return cls(time=correction.time.isoformat(), who=correction.who, why=correction.why, pose=str(correction.pose))


class DisputeShape(JsonShape):
    """A verdict and all that is known about it; what there is not is null."""

    round: int
    seat: int
    player: str
    pose: str | None
    read: Annotated[PlayerEvidence, PlainSerializer(_dump_reading)] | None
    score: ScoreShape | None
    moved_s: float | None
    corrections: tuple[PoseCorrectionShape, ...]
    files: dict[str, AnyText]

    @classmethod
    def of(cls, dispute: Dispute) -> Self:
        """From a dispute."""
        return cls(
            round=dispute.round_number,
            seat=dispute.seat,
            player=dispute.player,
            pose=None if dispute.pose is None else str(dispute.pose),
            read=dispute.reading,
            score=None if dispute.verdict is None else ScoreShape.of(dispute.verdict.score),
            moved_s=dispute.moved_s,
            corrections=tuple(map(PoseCorrectionShape.of, dispute.corrections)),
            files={name: str(path) for name, path in dispute.files.items()},
        )
