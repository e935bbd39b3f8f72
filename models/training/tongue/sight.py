"""What a trunk that has learnt to see, but nothing of tongues, sees of a mouth. Owns no learning, nothing changes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[1]))  # the trunk is shared by trainings
from trunk import pretrained_trunk

if TYPE_CHECKING:
    import numpy.typing as npt

BLOCKS = 11
"""Of the trunk: deeper ones, and shallower ones beside them, brought nothing that counts."""


class Sight(nn.Module):
    """The trunk's last maps as they are, for it matters where in a mouth something is, and the most of each channel."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = pretrained_trunk(BLOCKS)
        self.eval().requires_grad_(requires_grad=False).to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, mouths: torch.Tensor) -> torch.Tensor:
        """Shape (n, 3, size, size), blue-green-red, 0 to 1, to (n, features)."""
        maps = self.trunk(mouths)
        return torch.cat([maps.flatten(1), maps.amax((2, 3))], 1)


def as_inputs(windows: npt.NDArray[np.uint8]) -> torch.Tensor:
    """Bytes of shape (n, size, size, 3) as the net wants them: (n, 3, size, size), 0 to 1."""
    inputs = torch.from_numpy(np.moveaxis(windows, 3, 1).astype(np.float32) / 255)
    return inputs.contiguous(memory_format=torch.channels_last)
