"""Readings of a round as they are stored in its evidence, with the same questions as those in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.referee.question import ReadPose
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.pose_fields import PoseField
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import pose_probabilities

if TYPE_CHECKING:
    from bunnymoose_cv.record.evidence_json import PlayerEvidence, RoundShape, TongueEvidence


def read_poses(shape: RoundShape) -> dict[str, ReadPose]:
    """Return the aggregated readings of a round by player, without the players who were not seen."""
    readings = ((player, shape.reading_of(seat)) for seat, player in enumerate(shape.players, start=1))
    return {player: read_pose(reading) for player, reading in readings if reading is not None}


def read_pose(read: PlayerEvidence) -> ReadPose:
    """Return the likeliest pose of the evidence with the distribution of poses."""
    left, right = (HeadgearProbabilities(**side.probabilities) for side in (read.left, read.right))
    exempt = tuple(map(Exemption, read.exempt))
    probabilities = pose_probabilities(left, right, probability_out(read.tongue), exempt)
    return ReadPose(Pose.parse(read.pose), probabilities, unclear_of(read))


def unclear_of(read: PlayerEvidence) -> tuple[PoseField, ...]:
    """Return the uncertain fields of the evidence."""
    sides = (("left", read.left), ("right", read.right))
    fields = tuple(PoseField(f"{name}.{field}") for name, side in sides for field in side.unclear)
    return (*fields, *((PoseField.TONGUE,) if read.tongue.unclear else ()))


def probability_out(tongue: TongueEvidence) -> float:
    """Return the probability that the tongue is out, 0 to 1."""
    return tongue.confidence if tongue.out else 1 - tongue.confidence
