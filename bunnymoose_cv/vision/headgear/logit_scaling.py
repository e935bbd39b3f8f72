"""Logit scaling of the headgear networks, and the pairwise prior of both sides.

The logits of each network are scaled and shifted per field, so that their probabilities hold for people whom the
network has not seen (`models/logit_scaling.toml`, written by `training/headgear`). The pairwise prior holds that most
heads show two antlers, two ears or nothing.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.vision.logits import sigmoid
from bunnymoose_cv.vision.settings import HEADGEAR

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


SHIPPED_SCALING: Final = bundled("models/logit_scaling.toml")

Logits: TypeAlias = npt.NDArray[np.float32]
"""Log odds, shape (n, 7): antler, ear, neither (against each other); wide, up, straight, top (each by itself)."""

Probabilities: TypeAlias = npt.NDArray[np.float32]
"""Probabilities of the same columns, 0 to 1; the first three of a row add up to 1."""

KINDS = 3
"""Number of the first columns, which exclude each other."""

_Float = TypeVar("_Float", np.float32, np.float64)


class Seen(Enum):
    """Input that the logits come from.

    A hand at a head, a hand by itself, the crop of a side without a hand, or that of a side whose hand leaves a
    question.
    """

    HAND = "hand"
    LONE_HAND = "lone_hand"
    SIDE = "side"
    SECOND_LOOK = "second_look"


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Factors and offsets of logits, each of shape (7,)."""

    factor: Logits
    offset: Logits

    def scaled(self, logits: Logits) -> Logits:
        """Return the logits scaled and shifted."""
        return np.asarray(self.factor * logits + self.offset, np.float32)


class LogitScaling:
    """Probabilities from the logits of the headgear networks.

    Args:
        scales: one for each input.
        pairs: ratio of the frequency of two kinds on one head to that on two heads, shape (3, 3), symmetric.
        pairs_of_hands: the same ratio if a hand was found on both sides.
    """

    def __init__(self, scales: Mapping[Seen, Scale], pairs: Logits, pairs_of_hands: Logits) -> None:
        self._scales = scales
        self._pairs, self.pairs_of_hands = pairs, pairs_of_hands

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load the scales from a file."""
        stored = tomllib.loads(path.read_text("utf-8"))
        scales = {seen: Scale(*(np.array(stored[seen.value][name], np.float32) for name in _LISTS)) for seen in Seen}
        pairs, of_hands = (np.array(stored[name]["oftener"], np.float32) for name in ("pairs", "pairs_of_hands"))
        return cls(scales, pairs, of_hands)

    def refitted(self, scales: Mapping[Seen, Scale]) -> LogitScaling:
        """Return the same scaling with other scales for some of the inputs."""
        return LogitScaling({**self._scales, **scales}, self._pairs, self.pairs_of_hands)

    def probabilities(self, seen: Seen, logits: Logits) -> Probabilities:
        """Return the probabilities of logits from one input, shape (n, 7)."""
        return probabilities_of(self._scales[seen].scaled(logits))

    def on_one_head(
        self, left: Probabilities, right: Probabilities, *, hands_found: bool
    ) -> tuple[Probabilities, Probabilities]:
        """Apply the pairwise prior to both sides of heads.

        Args:
            left: probabilities of the left sides of n heads, shape (n, 7).
            right: probabilities of their right sides.
            hands_found: whether a hand was found on both sides.
        """
        pairs = self.pairs_of_hands if hands_found else self._pairs
        joint = left[:, :KINDS, None] * right[:, None, :KINDS] * pairs
        joint /= joint.sum((1, 2), keepdims=True)
        return _with_kinds(left, joint.sum(2)), _with_kinds(right, joint.sum(1))


_LEAST: Final = 1e-6
"""Least probability of a second look, so that it rules nothing out."""


def with_second_look(first: Probabilities, second: Probabilities) -> Probabilities:
    """Add the log probabilities of a second look, by `HEADGEAR.second_look_weight`, to those of the first.

    Args:
        first: shape (n, 7).
        second: shape (n, 7).
    """
    weight, seen = HEADGEAR.second_look_weight, second.clip(_LEAST, 1 - _LEAST)
    kinds = first[:, :KINDS] * seen[:, :KINDS] ** weight
    yes, no = first[:, KINDS:] * seen[:, KINDS:] ** weight, (1 - first[:, KINDS:]) * (1 - seen[:, KINDS:]) ** weight
    return np.concatenate([kinds / kinds.sum(1, keepdims=True), yes / (yes + no)], 1)


_LISTS: Final = ("factor", "offset")


@cache
def shipped_scaling() -> LogitScaling:
    """Load the shipped scales, once."""
    return LogitScaling.load(SHIPPED_SCALING)


def _with_kinds(probabilities: Probabilities, kinds: Probabilities) -> Probabilities:
    return np.concatenate([kinds, probabilities[:, KINDS:]], 1)


def probabilities_of(logits: npt.NDArray[_Float]) -> npt.NDArray[_Float]:
    """Return the probabilities of log odds, shape (n, 7); the first three add up to 1."""
    kinds = np.exp(logits[:, :KINDS] - logits[:, :KINDS].max(1, keepdims=True))
    return np.concatenate([kinds / kinds.sum(1, keepdims=True), sigmoid(logits[:, KINDS:])], 1)
