"""Common parts of the nets that read numbers instead of images: standardised numbers, a training batch."""

from __future__ import annotations

import torch
from torch import nn

from training.headgear.targets import loss_of

FARTHEST = 6
"""In deviations from the mean; what lies farther counts as if it lay there."""


class NumbersNet(nn.Module):
    """Numbers → logits: three of the kind, one each of wide, up, straight, top.

    Args:
        mean: of each number, over what is learnt from.
        deviation: likewise.
        layers: what reads them then.
    """

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, mean: torch.Tensor, deviation: torch.Tensor, layers: nn.Sequential) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("deviation", deviation)
        self.layers = layers

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Logits of shape (n, 7)."""
        logits: torch.Tensor = self.layers(((numbers - self.mean) / self.deviation).clamp(-FARTHEST, FARTHEST))
        return logits


def learn(
    net: NumbersNet,
    optimiser: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
) -> None:
    """Learn from one batch.

    Args:
        net: what learns.
        optimiser: of its weights.
        schedule: of the optimiser's rate.
        batch: numbers, what shall be said of them and which of that counts, as `targets_of` tells.
    """
    numbers, wanted, known = batch
    loss = loss_of(net(numbers), wanted, known)
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
    schedule.step()
