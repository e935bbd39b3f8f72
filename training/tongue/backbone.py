"""Features of a mouth by the first blocks of a pretrained trunk.

They see edges and textures, which are the same everywhere, and cost the most time: so what they make of a view is made
once and kept, whatever is learned from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.tongue.mouth_crop import SIZE
from training.trunk import LITE1, pretrained_trunk

if TYPE_CHECKING:
    import numpy.typing as npt

TRUNK = LITE1
"""Backbone; a mouth is so small an image that there is time for the deeper one."""

CHANNELS, MAP = TRUNK.lower_channels, SIZE // 8
"""Shape of what its lower blocks make, which stay as they are: channels and side."""


class Backbone(nn.Module):
    """Shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1, to (n, CHANNELS, MAP, MAP)."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = pretrained_trunk(TRUNK)[: TRUNK.lower]
        self.eval().requires_grad_(requires_grad=False).to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, mouths: torch.Tensor) -> torch.Tensor:
        """Maps of mouths."""
        maps: torch.Tensor = self.trunk(mouths)
        return maps


def as_maps(kept: npt.NDArray[np.float16]) -> torch.Tensor:
    """Maps as they are kept, in half precision, as what learns wants them."""
    return torch.from_numpy(kept.astype(np.float32)).contiguous(memory_format=torch.channels_last)
