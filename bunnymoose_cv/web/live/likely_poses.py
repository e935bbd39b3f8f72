"""Answers that a tile offers to an unclear reading, most likely first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.referee.question import (
    ReadPose,
    judge_move,
    offered,
    open_poses,
)
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.pose_fields import PoseField
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import pose_probabilities

if TYPE_CHECKING:
    from bunnymoose_cv.record.evidence_json import PlayerEvidence, TongueEvidence
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.scoring import Score


@dataclass(frozen=True, slots=True)
class LikelyPose:
    """An answer with its probability among all that the reading leaves open, 0 to 1.

    Attributes:
        probability: of the pose, or of all poses that make its move where the score is known.
        score: what the pose scores; None where no move is known.
    """

    pose: Pose
    probability: float
    score: Score | None = None


def read_pose(read: PlayerEvidence) -> ReadPose:
    """The likeliest pose of the evidence with its distribution."""
    left, right = (HeadgearProbabilities(**side.probabilities) for side in (read.left, read.right))
    exempt = tuple(map(Exemption, read.exempt))
    probabilities = pose_probabilities(left, right, probability_out(read.tongue), exempt)
    return ReadPose(Pose.parse(read.pose), probabilities, unclear_of(read))


def unclear_of(read: PlayerEvidence) -> tuple[PoseField, ...]:
    """Uncertain fields of the evidence."""
    sides = (("left", read.left), ("right", read.right))
    fields = tuple(PoseField(f"{name}.{field}") for name, side in sides for field in side.unclear)
    return (*fields, *((PoseField.TONGUE,) if read.tongue.unclear else ()))


def likeliest_poses(read: PlayerEvidence) -> tuple[LikelyPose, ...]:
    """Likeliest poses that agree with all sure fields.

    Args:
        read: of one player; what is sure stays as it is.
    """
    known = read_pose(read)
    chances = {pose: known.probabilities.of(pose) for pose in open_poses(known)}
    total = sum(chances.values())
    likeliest = sorted(chances, key=chances.__getitem__, reverse=True)
    return offered([LikelyPose(pose, chances[pose] / total) for pose in likeliest])


def likeliest_moves(read: PlayerEvidence, cards: Table, rules: Rules) -> tuple[LikelyPose, ...]:
    """One answer for each move that the reading leaves open, likeliest move first."""
    move = judge_move(read_pose(read), cards, rules, threshold=1.0)
    return tuple(LikelyPose(each.pose, each.probability, each.score) for each in move.answers)


def probability_out(tongue: TongueEvidence) -> float:
    """Probability of a tongue that is out, 0 to 1."""
    return tongue.confidence if tongue.out else 1 - tongue.confidence
