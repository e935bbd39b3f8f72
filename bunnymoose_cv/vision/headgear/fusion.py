"""Logit fusion of the headgear networks, and the pairwise prior of both sides.

Weights per field were fitted on real people left out, with renders as a guard (`models/fusion.toml`, written by
`training/headgear/people_fusion.py`).
The pairwise prior holds that most heads show two antlers, two ears or nothing.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.vision.logits import sigmoid

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


SHIPPED_FUSION: Final = bundled("models/fusion.toml")

Logits: TypeAlias = npt.NDArray[np.float32]
"""Log odds, shape (n, 7): antler, ear, neither (against each other); wide, up, straight, top (each by itself)."""

Probabilities: TypeAlias = npt.NDArray[np.float32]
"""Probabilities of the same columns, 0 to 1; the first three of a row add up to 1."""

KINDS = 3
"""Number of the first columns, which exclude each other."""

_Float = TypeVar("_Float", np.float32, np.float64)


class Seen(Enum):
    """Networks with an input."""

    HAND = "hand"
    SIDE = "side"
    HAND_AND_SIDE = "hand_and_side"


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Weights of the networks' logits and an offset, each of shape (7,)."""

    hand: Logits
    side: Logits
    offset: Logits

    def joined(self, hand: Logits | float, side: Logits | float) -> Logits:
        """Log odds of all together; 0 stands for a network without an input."""
        return np.asarray(self.hand * hand + self.side * side + self.offset, np.float32)


class LogitFusion:
    """Weighted sum of the networks' logits, by the networks with an input.

    Args:
        weights: for what was seen.
        pairs: lift of two kinds on one head: how much oftener than on two heads, shape (3, 3), symmetric.
        pairs_of_hands: the same where a hand was found on both sides.
    """

    def __init__(self, weights: Mapping[Seen, Weights], pairs: Logits, pairs_of_hands: Logits) -> None:
        self._weights = weights
        self._pairs, self.pairs_of_hands = pairs, pairs_of_hands

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load the weights from a file."""
        stored = tomllib.loads(path.read_text("utf-8"))
        names = [each.name for each in fields(Weights)]
        weights = {seen: Weights(*(np.array(stored[seen.value][name], np.float32) for name in names)) for seen in Seen}
        pairs, of_hands = (np.array(stored[name]["oftener"], np.float32) for name in ("pairs", "pairs_of_hands"))
        return cls(weights, pairs, of_hands)

    def refitted(self, weights: Mapping[Seen, Weights]) -> LogitFusion:
        """The same fusion with other weights for some of what may be seen."""
        return LogitFusion({**self._weights, **weights}, self._pairs, self.pairs_of_hands)

    def of_hand(self, hand: Logits) -> Probabilities:
        """Probabilities of hands by themselves, shape (n, 7)."""
        return probabilities_of(self._weights[Seen.HAND].joined(hand, 0.0))

    def of_side(self, side: Logits) -> Probabilities:
        """Probabilities of sides on which no hand was found, shape (n, 7)."""
        return probabilities_of(self._weights[Seen.SIDE].joined(0.0, side))

    def of_hand_and_side(self, hand: Logits, side: Logits) -> Probabilities:
        """Probabilities of sides with their hands, shape (n, 7)."""
        return probabilities_of(self._weights[Seen.HAND_AND_SIDE].joined(hand, side))

    def on_one_head(
        self, left: Probabilities, right: Probabilities, *, hands_found: bool
    ) -> tuple[Probabilities, Probabilities]:
        """Apply the pairwise prior of both sides of a head.

        Args:
            left: probabilities of the left sides of n heads, shape (n, 7).
            right: of their right sides.
            hands_found: whether a hand was found on both.

        Returns:
            Both with that.
        """
        pairs = self.pairs_of_hands if hands_found else self._pairs
        joint = left[:, :KINDS, None] * right[:, None, :KINDS] * pairs
        joint /= joint.sum((1, 2), keepdims=True)
        return _with_kinds(left, joint.sum(2)), _with_kinds(right, joint.sum(1))


@cache
def shipped_fusion() -> LogitFusion:
    """Load the shipped weights, once."""
    return LogitFusion.load(SHIPPED_FUSION)


def _with_kinds(probabilities: Probabilities, kinds: Probabilities) -> Probabilities:
    return np.concatenate([kinds, probabilities[:, KINDS:]], 1)


def probabilities_of(answers: npt.NDArray[_Float]) -> npt.NDArray[_Float]:
    """Probabilities of log odds, shape (n, 7); the first three add up to 1."""
    kinds = np.exp(answers[:, :KINDS] - answers[:, :KINDS].max(1, keepdims=True))
    return np.concatenate([kinds / kinds.sum(1, keepdims=True), sigmoid(answers[:, KINDS:])], 1)
