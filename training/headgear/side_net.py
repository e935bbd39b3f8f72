"""Side network: what a side of a head holds, from a crop of it.

One head reads the maps of the trunk with their places, for where a hand is counts as much as what it shows. A second
one points at the hand's joints, and a third reads what the maps show there, finger by finger, wherever the hand is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.side_net import SIZE
from training.export import export
from training.headgear.side_augmentation import middle_of
from training.headgear.targets import LOGITS, loss_of
from training.training_loop import Part
from training.trunk import CHANNELS, TrunkNet, as_inputs

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

MAP: Final = SIZE // 16
NARROW, JOINTS, FINGERS, DROPPED = 32, 21, 64, 0.3


class SideNet(TrunkNet):
    """Crops of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → logits of shape (n, 7), joints of shape (n, 21, 2).

    Logits: antler, ear, neither; wide, up, straight, top. Joints: expected place of each, in the crop's pixels.
    """

    cells: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Sequential(nn.Conv2d(CHANNELS, NARROW, 1), nn.ReLU6(), nn.Flatten())
        self.head = nn.Sequential(nn.Dropout(DROPPED), nn.Linear(NARROW * MAP * MAP, LOGITS))
        self.pointer = nn.Conv2d(CHANNELS, JOINTS, 1)
        self.touched = nn.Sequential(nn.Conv2d(CHANNELS, NARROW, 1), nn.ReLU6(), nn.Flatten(2))
        felt = nn.Dropout(DROPPED), nn.Linear(JOINTS * (NARROW + 2), FINGERS), nn.ReLU6()
        self.fingers = nn.Sequential(*felt, nn.Dropout(DROPPED), nn.Linear(FINGERS, LOGITS))
        self.register_buffer("cells", _cells(), persistent=False)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and joints."""
        logits, heat = self.outputs(crops)
        return logits, heat.softmax(2) @ self.cells

    def of_maps(self, maps: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits, and those of each cell to hold each joint, shape (n, 21, cells)."""
        maps = self.trunk(maps)
        heat = self.pointer(maps).flatten(2)
        return self.head(self.narrow(maps)) + self._by_fingers(maps, heat), heat

    def _by_fingers(self, maps: torch.Tensor, heat: torch.Tensor) -> torch.Tensor:
        """Return logits from what the maps show at the joints; their gradient does not reach the pointer."""
        shares = heat.detach().softmax(2)
        places = (shares @ self.cells - SIZE / 2) / (SIZE / 4)
        felt = torch.cat([shares @ self.touched(maps).transpose(1, 2), places], 2)
        return self.fingers(felt.flatten(1))

    def parts(self, trunk_rate: float, head_rate: float, decay: float) -> tuple[Part, Part]:
        """Return all that learns."""
        heads = self.narrow, self.head, self.pointer, self.touched, self.fingers
        return Part([self.trunk], trunk_rate, decay), Part(heads, head_rate, decay)


def _cells() -> torch.Tensor:
    """Return the centres of the map's cells in the crop's pixels, shape (cells, 2), across first."""
    middles = (torch.arange(MAP) + 0.5) * (SIZE / MAP) - 0.5
    down, across = torch.meshgrid(middles, middles, indexing="ij")
    return torch.stack([across.flatten(), down.flatten()], 1)


def side_loss(
    outputs: tuple[torch.Tensor, torch.Tensor],
    targets: tuple[torch.Tensor, torch.Tensor],
    joints: npt.NDArray[np.floating],
    pointing: float,
) -> torch.Tensor:
    """Return the loss of logits and joints.

    Args:
        outputs: logits and cells (`SideNet.of_maps`).
        targets: wanted probabilities and known fields (`targets_of`).
        joints: shape (n, 21, 2), the crop's pixels; NaN if unknown.
        pointing: weight of the joints' loss.
    """
    logits, heat = outputs
    known = torch.from_numpy(np.nan_to_num(joints, nan=-SIZE).astype(np.float32))
    return loss_of(logits, *targets) + pointing * _pointing_loss(heat, known)


def _pointing_loss(heat: torch.Tensor, joints: torch.Tensor) -> torch.Tensor:
    """Return the cross entropy of the cells with the four cells around each joint.

    Joints outside the centres of the outermost cells are left aside.
    """
    steps = ((joints + 0.5) * (MAP / SIZE) - 0.5).flatten(0, 1)
    known = ((steps >= 0) & (steps < MAP - 1)).all(1)
    corner, said = steps[known].floor(), heat.flatten(0, 1)[known].log_softmax(1)
    share = steps[known] - corner
    loss = said.new_zeros(len(said))
    for across in (0, 1):
        for down in (0, 1):
            cells = (corner[:, 1].long() + down) * MAP + corner[:, 0].long() + across
            shares = (share if across else 1 - share)[:, 0] * (share if down else 1 - share)[:, 1]
            loss = loss - shares * said.gather(1, cells[:, None])[:, 0]
    return loss.sum() / (JOINTS * len(heat))


@torch.no_grad()
def side_logits(net: SideNet, images: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the logits of a network for stored cuts, shape (n, 7)."""
    crops = middle_of(images)
    logits = [net(as_inputs(part))[0] for part in np.array_split(crops, max(1, len(crops) // 64))]
    return np.asarray(torch.cat(logits), np.float32)


def write_side_net(net: SideNet, path: Path) -> None:
    """Write a side network in the form that the product reads."""
    export(net, torch.zeros(2, 3, SIZE, SIZE), path, "cuts", ("answers", "joints"))
