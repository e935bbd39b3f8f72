"""Presence head of the side network: whether a side of a head shows a hand at all.

The head is a logistic regression on the pooled maps of the fine-tuned trunk, fitted on real people. With renders, more
real empty sides would be taken for hands, and more rendered hands for empty sides. Sides with and without a hand have
equal weight, and a person's weight is the square root of their number of sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.side_net import SIZE
from training.evaluate.side_labels import Held
from training.export import export
from training.headgear.composites import central_crops
from training.trunk import CHANNELS, as_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from training.headgear.people import PersonSide
    from training.headgear.side_net import SideNet

DECAY: Final = 3e-3
"""L2 penalty of the coefficients of the standardised inputs."""

STEPS: Final = 200


class PresenceHead(nn.Module):
    """Pooled maps of shape (n, 2 * CHANNELS) → log odds of a hand, shape (n, 1)."""

    def __init__(self, pooled: torch.Tensor) -> None:
        super().__init__()
        self.middle = nn.Parameter(pooled.mean(0))
        self.spread = nn.Parameter(pooled.std(0) + 1e-3)
        self.linear = nn.Linear(2 * CHANNELS, 1)

    def forward(self, pooled: torch.Tensor) -> torch.Tensor:
        """Return the log odds."""
        odds: torch.Tensor = self.linear((pooled - self.middle) / self.spread)
        return odds


class WholeSideNet(nn.Module):
    """Crops of sides → logits, and log odds of a hand, in the form that the product reads."""

    def __init__(self, net: SideNet, presence: PresenceHead) -> None:
        super().__init__()
        self.net, self.presence = net, presence

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits, shape (n, 7), and the log odds of a hand, shape (n, 1)."""
        maps = self.net.upper_maps(crops)
        return self.net.read(maps)[0], self.presence(pooled(maps))


def pooled(maps: torch.Tensor) -> torch.Tensor:
    """Return the mean and the maximum of each channel of maps, shape (n, 2 * CHANNELS)."""
    return torch.cat([maps.mean((2, 3)), maps.amax((2, 3))], 1)


@torch.no_grad()
def pooled_sides(net: SideNet, sides: Sequence[PersonSide]) -> torch.Tensor:
    """Return the pooled maps of the crops of sides."""
    crops = central_crops(np.stack([side.cut for side in sides]))
    parts = np.array_split(crops, max(1, len(crops) // 64))
    return torch.cat([pooled(net.upper_maps(as_inputs(part))) for part in parts])


def fitted_presence(net: SideNet, sides: Sequence[PersonSide]) -> PresenceHead:
    """Fit the head on sides of people."""
    shown = pooled_sides(net, sides)
    held = torch.tensor([side.held is not Held.EMPTY for side in sides])
    _, which, counts = np.unique([side.person for side in sides], return_inverse=True, return_counts=True)
    weights = torch.from_numpy(counts[which] ** -0.5)
    weights = torch.where(held, weights / weights[held].sum(), weights / weights[~held].sum()) / 2
    head = PresenceHead(shown).double()
    head.middle.requires_grad_(False)
    head.spread.requires_grad_(False)
    optimizer = torch.optim.LBFGS(head.linear.parameters(), max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        odds = head(shown.double())[:, 0]
        entropy = nn.functional.binary_cross_entropy_with_logits(odds, held.double(), reduction="none")
        total: torch.Tensor = (weights * entropy).sum() + DECAY * head.linear.weight.square().sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[arg-type, no-untyped-call]
    return head.float()


def write_side_net(net: SideNet, presence: PresenceHead, path: Path) -> None:
    """Write a side network in the form that the product reads."""
    export(WholeSideNet(net, presence), torch.zeros(2, 3, SIZE, SIZE), path, "cuts", ("answers", "hand"))
