"""Readings of one frame: each player with headgear and tongue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.exemptions import ONE_SIDED, Exemption
from bunnymoose_cv.rules.pose import Pose, Side, Tongue
from bunnymoose_cv.rules.pose_fields import PoseField
from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
from bunnymoose_cv.vision.headgear.headgear_reading import both_sides
from bunnymoose_cv.vision.headgear.logit_scaling import shipped_scaling

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, HeadgearReading
    from bunnymoose_cv.vision.tongue import TongueReading


@dataclass(frozen=True, slots=True, eq=False)
class PlayerReading:
    """Reading of one player.

    Attributes:
        player: the seat, head and hands, for drawing and measuring.
        headgear: the reading of each side of the player's own head.
        has_moved: True if the player has moved since hands and mouth were read (only set by `Reader.read_quick`).
        exempt: the parts of the pose that are not judged.
        is_reused: True if the reading is from another frame, because the player was not read in this one.
    """

    player: Player
    headgear: Mapping[Side, HeadgearReading]
    tongue: TongueReading
    has_moved: bool = False
    exempt: frozenset[Exemption] = frozenset()
    is_reused: bool = False

    @property
    def seat(self) -> int:
        """Number of the seat; 1 is the leftmost in the image."""
        return self.player.seat

    @property
    def face(self) -> Box:
        """Box of the face, pixels."""
        return self.player.head.box

    @property
    def pose(self) -> Pose:
        """Likeliest pose."""
        return Pose(self.headgear[Side.LEFT].headgear, self.headgear[Side.RIGHT].headgear, self.tongue.tongue)

    @property
    def probabilities(self) -> PoseProbabilities:
        """Distribution over all poses."""
        left, right = (self.headgear[side].probabilities for side in (Side.LEFT, Side.RIGHT))
        return pose_probabilities(left, right, self.tongue.probability_out, self.exempt)

    @property
    def unclear(self) -> tuple[PoseField, ...]:
        """Uncertain fields."""
        sides = (PoseField.of(side, field) for side in Side for field in self.headgear[side].unclear)
        return (*sides, *((PoseField.TONGUE,) if self.tongue.unclear else ()))


def pose_probabilities(
    left: HeadgearProbabilities, right: HeadgearProbabilities, out: float, exempt: Collection[Exemption]
) -> PoseProbabilities:
    """Return the joint distribution over all poses.

    Args:
        out: probability that the tongue is out.
        exempt: the parts that are not judged. If the player has one hand, its side counts for both.
    """
    tongue = {Tongue.OUT: out, Tongue.IN: 1 - out}
    if ONE_SIDED.isdisjoint(exempt):
        return PoseProbabilities(both_sides(left, right, shipped_scaling().pairs_of_hands), tongue)
    return PoseProbabilities.of_one_side(left.distribution, tongue)


@dataclass(frozen=True, slots=True, eq=False)
class FrameReading:
    """Reading of one image.

    Attributes:
        image: the unmirrored image.
        time_s: time at which it was taken, seconds.
        players: the players, from left to right; empty if no face was found.
        bystanders: number of other people in the image; 0 until the players of the row are known.
    """

    image: Image
    time_s: float
    players: tuple[PlayerReading, ...]
    bystanders: int = 0

    @property
    def heads(self) -> tuple[Head, ...]:
        """Heads of the players."""
        return tuple(player.player.head for player in self.players)


@dataclass(frozen=True, slots=True)
class FaceReading:
    """Reading of one face without the hands: its box in pixels, and its tongue."""

    box: Box
    tongue: TongueReading
