"""Hand network: the shape of a hand from its joints, and what the hand is at its place at a head.

The shape part learns from photographed hands and rendered players and never sees a person of `../shared/people`. The
place part reads the shape's logits and the place of the hand, and learns the kind from real people; renders teach it
what people there do not show (antlers that point down, the place of ears), but never which place counts.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.hand_features import FEATURES, SHAPE_FEATURES, features
from bunnymoose_cv.vision.headgear.logit_scaling import KINDS
from training.export import export
from training.headgear.examples import KIND_OF_SHAPE, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bunnymoose_cv.vision.headgear.logit_scaling import Logits
    from training.headgear.examples import Hands

MEMBERS: Final = 4
FARTHEST: Final = 4.0
"""Bound of an input, in deviations from its mean."""

SHAPES: Final = len(Shape)


class Perceptrons(nn.Module):
    """Ensemble of multilayer perceptrons on standardised numbers; their logits are averaged.

    Args:
        widths: sizes of the layers, from the input to the output.
        classes: number of the first outputs, which exclude each other; each other output is a yes or no.
    """

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, widths: Sequence[int], classes: int) -> None:
        super().__init__()
        self.classes = classes
        self.register_buffer("mean", torch.zeros(widths[0]))
        self.register_buffer("deviation", torch.ones(widths[0]))
        self.members = nn.ModuleList(_perceptron(widths) for _ in range(MEMBERS))

    def standardise_by(self, numbers: torch.Tensor) -> None:
        """Take mean and deviation of examples."""
        self.mean.copy_(numbers.mean(0))
        self.deviation.copy_(numbers.std(0) + 0.02)

    def standardised(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the inputs of the members."""
        return ((numbers - self.mean) / self.deviation).clamp(-FARTHEST, FARTHEST)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the mean of the members' logits."""
        known = self.standardised(numbers)
        return torch.stack([member(known) for member in self.members]).mean(0)


def _perceptron(widths: Sequence[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [nn.Linear(inputs, outputs), nn.ReLU(), nn.Dropout(0.2)]
    return nn.Sequential(*layers[:-2])


class HandNet(nn.Module):
    """Features of shape (n, FEATURES) → logits at a head and of hands by themselves, each of shape (n, 7).

    The columns are antler, ear, neither (log probabilities); wide, up, straight, top (logits). The place of an ear
    means nothing for a hand by itself.
    """

    kinds_of_shapes: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.shape = Perceptrons((SHAPE_FEATURES, 96, 64, SHAPES + 2), SHAPES)
        self.place = Perceptrons((SHAPES + 2 + FEATURES - SHAPE_FEATURES, 64, KINDS + 2), KINDS)
        self.register_buffer("kinds_of_shapes", torch.eye(KINDS)[list(KIND_OF_SHAPE.values())], persistent=False)

    def place_inputs(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the inputs of the place part: logits of the shape, those of the kinds of shape centred; the place."""
        shape = self.shape(numbers[:, :SHAPE_FEATURES])
        kinds = shape[:, :SHAPES]
        centred = kinds - kinds.mean(1, keepdim=True)
        return torch.cat([centred, shape[:, SHAPES:], numbers[:, SHAPE_FEATURES:]], 1)

    def forward(self, numbers: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return both kinds of logits."""
        inputs = self.place_inputs(numbers)
        place = self.place(inputs)
        wide, straight = inputs[:, SHAPES : SHAPES + 1], inputs[:, SHAPES + 1 : SHAPES + 2]
        fields = torch.cat([wide, place[:, KINDS : KINDS + 1], straight, place[:, KINDS + 1 :]], 1)
        alone = torch.log(torch.softmax(inputs[:, :SHAPES], 1) @ self.kinds_of_shapes)
        return torch.cat([torch.log_softmax(place[:, :KINDS], 1), fields], 1), torch.cat([alone, fields], 1)


@torch.no_grad()
def logits_of(net: HandNet, hands: Hands) -> tuple[Logits, Logits]:
    """Return the logits of hands at heads and by themselves, each of shape (n, 7)."""
    at_head, alone = net(torch.from_numpy(features(hands.features)))
    return np.asarray(at_head, np.float32), np.asarray(alone, np.float32)


def write_hand_net(net: HandNet, path: Path) -> None:
    """Write a hand network in the form that the product reads."""
    export(net, torch.zeros(2, FEATURES), path, "features", ("at_head", "alone"), halved=False)
