"""What the nets that read numbers instead of pictures have in common: each number is standardised. Owns no layers."""

from __future__ import annotations

import torch
from torch import nn

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
