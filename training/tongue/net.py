"""Tongue network: the blocks of a pretrained trunk, a small layer on their maps, and its calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import torch
from torch import nn

from bunnymoose_cv.vision.tongue.mouth_crop import SIZE
from training.trunk import CHANNELS, LITE1, TrunkNet

if TYPE_CHECKING:
    from collections.abc import Sequence

HIDDEN: Final = 48
INPUTS_DROPPED, HIDDEN_DROPPED = 0.5, 0.3
"""Dropout rates."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Map of learnt log odds to calibrated ones: scale * log odds + offset."""

    scale: float
    offset: float


UNCALIBRATED: Final = Calibration(1.0, 0.0)


class MouthNet(TrunkNet):
    """Mouths of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → probability that the tongue is out, shape (n, 1)."""

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, calibration: Calibration = UNCALIBRATED) -> None:
        super().__init__(LITE1)  # a mouth is so small an image that there is time for the deeper trunk
        features = CHANNELS * ((SIZE // 16) ** 2 + 1)
        self.layer = nn.Sequential(
            nn.Dropout(INPUTS_DROPPED),
            nn.Linear(features, HIDDEN),
            nn.ReLU(),
            nn.Dropout(HIDDEN_DROPPED),
            nn.Linear(HIDDEN, 1),
        )
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("deviation", torch.ones(features))
        self.calibration = calibration
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def forward(self, mouths: torch.Tensor) -> torch.Tensor:
        """Return calibrated probabilities."""
        return torch.sigmoid(self.calibration.scale * self.outputs(mouths) + self.calibration.offset)

    def of_maps(self, maps: torch.Tensor) -> torch.Tensor:
        """Return the log odds as learnt, shape (n, 1)."""
        return self.by_layer(self.seen(maps))

    def seen(self, maps: torch.Tensor) -> torch.Tensor:
        """Return the last maps with their places, which matter in a mouth, and the maximum of each channel."""
        last = self.trunk(maps)
        return torch.cat([last.flatten(1), last.amax((2, 3))], 1)

    def by_layer(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the log odds by what is seen, standardised."""
        return self.layer((seen - self.mean) / self.deviation)

    def calibrated(self, calibration: Calibration) -> MouthNet:
        """Return the network with a calibration."""
        net = MouthNet(calibration)
        net.load_state_dict(self.state_dict())
        return net.eval()


def mean_of(nets: Sequence[MouthNet]) -> MouthNet:
    """Return the mean of the weights of networks that began alike and so stayed near each other."""
    states = [net.state_dict() for net in nets]
    mean = MouthNet()
    mean.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    return mean.eval()
