"""Results of seats, made by hand."""

from __future__ import annotations

from bunnymoose_cv.referee.question import ReadPose
from bunnymoose_cv.rules.pose import Pose, Tongue, parse_headgear
from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
from training.evaluate.round_benchmark import SeatResult

WU = parse_headgear("WU")
MOOSE, BUSH = Pose(WU, WU), Pose(None, None)
SURE = ReadPose(MOOSE, PoseProbabilities({(WU, WU): 1.0}, {Tongue.IN: 1.0}), ())


def seat(read: ReadPose | None, truth: Pose = MOOSE, *, moves: bool = False, found: bool | None = False) -> SeatResult:
    return SeatResult(1, "steady", truth, read, moves, found)
