"""Logit scaling of the headgear networks, the limits of a hand's place, and the pairwise prior of both sides.

The logits of each network are scaled and shifted per field, so that their probabilities are calibrated for people whom
the network has not seen (`models/logit_scaling.toml`, written by `training/headgear`). The pairwise prior reflects that
most heads show two antlers, two ears or nothing.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.vision.logits import sigmoid
from bunnymoose_cv.vision.settings import HEADGEAR, MEASURES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


SHIPPED_SCALING: Final = bundled("models/logit_scaling.toml")

Logits: TypeAlias = npt.NDArray[np.float32]
"""Log odds, shape (n, 7): antler, ear and neither, which exclude each other, then wide, up, straight and top."""

Probabilities: TypeAlias = npt.NDArray[np.float32]
"""Probabilities of the same columns, 0 to 1. The first three of a row add up to 1."""

KINDS = 3
"""Number of leading columns, which exclude each other."""

_Float = TypeVar("_Float", np.float32, np.float64)


class Seen(Enum):
    """Input of a network: a hand at a head with or without its pixels, a lone hand, or the crop of a side.

    The crop is the first look at a side without a hand, and the second look at one with an unsure hand.
    """

    HAND = "hand"
    JOINTS = "joints"
    LONE_HAND = "lone_hand"
    SIDE = "side"
    SECOND_LOOK = "second_look"


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Factors and offsets of logits, each of shape (7,)."""

    factor: Logits
    offset: Logits


@dataclass(frozen=True, slots=True, eq=False)
class LogitScaling:
    """Probabilities from the logits of the headgear networks.

    Attributes:
        pairs: frequency of two kinds on one head relative to that on two heads, shape (3, 3), symmetric.
        pairs_of_hands: the same ratio for heads with a hand found on both sides.
    """

    scales: Mapping[Seen, Scale]
    pairs: Logits
    pairs_of_hands: Logits

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load the scales from a file."""
        stored = tomllib.loads(path.read_text("utf-8"))
        scales = {
            seen: Scale(*(np.array(stored[seen.value][name], np.float32) for name in ("factor", "offset")))
            for seen in Seen
        }
        return cls(scales, *(np.array(stored[name]["oftener"], np.float32) for name in ("pairs", "pairs_of_hands")))

    def probabilities(self, seen: Seen, logits: Logits) -> Probabilities:
        """Return the probabilities of logits from one input, shape (n, 7)."""
        scale = self.scales[seen]
        return probabilities_of(np.asarray(scale.factor * logits + scale.offset, np.float32))

    def on_one_head(
        self, left: Probabilities, right: Probabilities, *, hands_found: bool
    ) -> tuple[Probabilities, Probabilities]:
        """Apply the pairwise prior to the left and the right sides of n heads, each of shape (n, 7)."""
        pairs = self.pairs_of_hands if hands_found else self.pairs
        joint = left[:, :KINDS, None] * right[:, None, :KINDS] * pairs
        joint /= joint.sum((1, 2), keepdims=True)
        return _with_kinds(left, joint.sum(2)), _with_kinds(right, joint.sum(1))


_LEAST: Final = 1e-6
"""Lowest probability of a second look, so that it cannot rule anything out."""


def with_second_look(first: Probabilities, second: Probabilities) -> Probabilities:
    """Add the log probabilities of a second look, weighted by `HEADGEAR.second_look_weights`, to those of the first."""
    (of_kinds, of_fields), seen = HEADGEAR.second_look_weights, second.clip(_LEAST, 1 - _LEAST)
    kinds = first[:, :KINDS] * seen[:, :KINDS] ** of_kinds
    yes = first[:, KINDS:] * seen[:, KINDS:] ** of_fields
    no = (1 - first[:, KINDS:]) * (1 - seen[:, KINDS:]) ** of_fields
    return np.concatenate([kinds / kinds.sum(1, keepdims=True), yes / (yes + no)], 1)


_SURELY_OUT: Final = 1.25
"""Distance of the thumb's tip from the little finger's root, palms, from which it is surely not laid onto the palm."""


def with_gap(hand: Probabilities, gap: float, thumb: float) -> Probabilities:
    """Lower the odds of headgear of a hand that is measured too far from the head to count, shape (1, 7).

    MediaPipe often lays a thumb that touches a temple onto the palm. The hand then seems farther away than it is, so an
    antler is given more room, and least if its thumb is surely out. An ear needs no thumb.

    Args:
        gap: distance from the hand to the outline of the head, eye distances.
        thumb: distance of the thumb's tip from the little finger's root, palms.
    """
    shown, usual, hidden = HEADGEAR.widest_gap
    antler = np.interp(thumb, (*MEASURES.words["thumb"], _SURELY_OUT), (hidden, usual, shown))
    odds = np.exp(-HEADGEAR.fall * np.maximum(0.0, [gap - antler, gap - usual, 0.0])).astype(np.float32)
    return _with_odds(hand, odds)


_ODDS_BEHIND: Final = 0.1
"""Factor on the odds of an antler whose thumb points away from the head: a hand with the shape of one stays in
doubt."""


def with_thumb(hand: Probabilities, behind: float) -> Probabilities:
    """Lower the odds of an antler whose thumb points away from the head, shape (1, 7).

    Args:
        hand: probabilities of one hand.
        behind: distance of the thumb's tip from the head less that of the nearest fingertip, eye distances.
    """
    odds = np.interp(behind, MEASURES.words["thumb_behind"], (1.0, _ODDS_BEHIND))
    return _with_odds(hand, np.array([odds, 1.0, 1.0], np.float32))


def with_headgear_odds(hands: Probabilities, factor: float) -> Probabilities:
    """Return probabilities of n hands, shape (n, 7), with the odds of headgear against neither times a factor."""
    return _with_odds(hands, np.array([factor, factor, 1.0], np.float32))


@cache
def shipped_scaling() -> LogitScaling:
    """Load the shipped scales, once."""
    return LogitScaling.load(SHIPPED_SCALING)


def _with_odds(probabilities: Probabilities, factors: npt.NDArray[np.float32]) -> Probabilities:
    """Return probabilities with the odds of each kind times a factor, shape (3,)."""
    kinds = probabilities[:, :KINDS] * factors
    return _with_kinds(probabilities, kinds / kinds.sum(1, keepdims=True))


def _with_kinds(probabilities: Probabilities, kinds: Probabilities) -> Probabilities:
    return np.concatenate([kinds, probabilities[:, KINDS:]], 1)


def probabilities_of(logits: npt.NDArray[_Float]) -> npt.NDArray[_Float]:
    """Return the probabilities of log odds, shape (n, 7). The first three add up to 1."""
    kinds = np.exp(logits[:, :KINDS] - logits[:, :KINDS].max(1, keepdims=True))
    return np.concatenate([kinds / kinds.sum(1, keepdims=True), sigmoid(logits[:, KINDS:])], 1)
