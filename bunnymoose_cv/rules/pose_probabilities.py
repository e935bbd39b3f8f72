"""Probabilities of poses, as a reading leaves them open."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bunnymoose_cv.rules.pose import Headgear, Tongue


@dataclass(frozen=True, slots=True)
class PoseProbabilities:
    """Distribution over poses: both sides and the tongue are independent, and each adds up to 1.

    With `alike` one side is judged and the other counts as it, so that poses with two headgears have none.
    """

    left: Mapping[Headgear, float]
    right: Mapping[Headgear, float]
    tongue: Mapping[Tongue, float]
    alike: bool = False

    def of(self, pose: Pose) -> float:
        """Probability of one pose; 0 for a value that is not named."""
        tongue = self.tongue.get(pose.tongue, 0.0)
        if self.alike:
            return self.left.get(pose.left, 0.0) * tongue if pose.left == pose.right else 0.0
        return self.left.get(pose.left, 0.0) * self.right.get(pose.right, 0.0) * tongue

    def poses(self) -> Iterator[tuple[Pose, float]]:
        """Every pose with a probability above 0."""
        for left, right, tongue in product(self.left, self.right, self.tongue):
            pose = Pose(left, right, tongue)
            if (probability := self.of(pose)) > 0:
                yield pose, probability
