"""Probabilities of the poses that a reading leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Self, TypeAlias

from bunnymoose_cv.rules.pose import Headgear, Pose, Tongue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


BothSides: TypeAlias = tuple[Headgear, Headgear]
"""Headgear of the left and of the right side of one head."""


@dataclass(frozen=True, slots=True)
class PoseProbabilities:
    """Distribution over poses; the tongue is independent of the headgears.

    Attributes:
        headgears: the joint distribution over the headgears of the left and right side; adds up to 1.
        tongue: the distribution over the tongue; adds up to 1.
    """

    headgears: Mapping[tuple[Headgear, Headgear], float]
    tongue: Mapping[Tongue, float]

    @classmethod
    def of_one_side(cls, side: Mapping[Headgear, float], tongue: Mapping[Tongue, float]) -> Self:
        """Return the probabilities of a pose of which one side is judged and the other counts as the same."""
        return cls({(headgear, headgear): probability for headgear, probability in side.items()}, tongue)

    @property
    def alike(self) -> bool:
        """Return whether both sides are always the same."""
        return all(left == right for left, right in self.headgears)

    def of(self, pose: Pose) -> float:
        """Return the probability of one pose; values missing in the distributions have 0."""
        return self.headgears.get((pose.left, pose.right), 0.0) * self.tongue.get(pose.tongue, 0.0)

    def poses(self) -> Iterator[tuple[Pose, float]]:
        """Yield every pose with a probability above 0."""
        for (left, right), tongue in product(self.headgears, self.tongue):
            pose = Pose(left, right, tongue)
            if (probability := self.of(pose)) > 0:
                yield pose, probability
