"""JSON of a disputed verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.referee.json_output import score_json

if TYPE_CHECKING:
    from bunnymoose_cv.cli.games.dispute import Dispute
    from bunnymoose_cv.core.json_line import JsonObject
    from bunnymoose_cv.record.evidence_json import PlayerEvidence


def dispute_json(dispute: Dispute) -> JsonObject:
    """Describe a verdict and all that is known about it; what there is not is null."""
    return {
        "round": dispute.round_number,
        "seat": dispute.seat,
        "player": dispute.player,
        "pose": None if dispute.pose is None else str(dispute.pose),
        "read": None if dispute.reading is None else _reading(dispute.reading),
        "score": None if dispute.verdict is None else score_json(dispute.verdict.score),
        "moved_s": dispute.moved_s,
        "corrections": [
            {"time": each.time.isoformat(), "who": each.who, "why": each.why, "pose": str(each.pose)}
            for each in dispute.corrections
        ],
        "files": {name: str(path) for name, path in dispute.files.items()},
    }


def _reading(reading: PlayerEvidence) -> JsonObject:
    """Describe a reading with its reasons in English, as `judge --json` does, without its hundreds of landmarks."""
    dumped = reading.model_dump(mode="json", exclude={"face": True, "left": {"hand"}, "right": {"hand"}})
    for side, headgear in (("left", reading.left), ("right", reading.right)):
        dumped[side]["reasons"] = headgear.reasons
    return dumped
