"""Network of the face detector: its shape, the loss of its answers, and its cells.

It is fully convolutional and anchor-free, in the manner of YuNet (Wu, Peng, Yu 2023): depthwise convolutions down to a
thirty-second of the input's side, a small feature pyramid (Lin et al. 2017), and a head on each of three levels.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import nn

from bunnymoose_cv.vision.faces.face_detector import OUTPUTS, cells_of

CHANNELS: Final = 64
"""Channels of the feature pyramid."""

SELDOM: Final = -4.0
"""Initial log odds of a face in a cell."""

LEARNT: Final = 0.2
"""Least score of a cell that learns a box."""


def convolved(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    """Return a convolution that only divides the size by its stride, its normalisation and a ReLU."""
    around = kernel // 2
    layer = nn.Conv2d(inputs, outputs, kernel, stride, around, groups=groups, bias=False)
    return [layer, nn.BatchNorm2d(outputs), nn.ReLU()]


def separable(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    """Return a depthwise and a pointwise convolution."""
    return nn.Sequential(*convolved(inputs, inputs, kernel, stride, inputs), *convolved(inputs, outputs, 1))


class Residual(nn.Module):
    """Separable convolution that is added to its input."""

    def __init__(self, channels: int, kernel: int) -> None:
        super().__init__()
        self.layers = separable(channels, channels, kernel)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return maps of the same shape."""
        added: torch.Tensor = inputs + self.layers(inputs)
        return added


def stage(inputs: int, outputs: int, kernel: int, residuals: int) -> nn.Sequential:
    """Return convolutions that halve the size."""
    return nn.Sequential(separable(inputs, outputs, kernel, 2), *(Residual(outputs, kernel) for _ in range(residuals)))


class DetectorNet(nn.Module):
    """Images of shape (n, 3, height, width), blue-green-red, 0 to 1, sides divisible by 32 → (n, OUTPUTS, cells)."""

    def __init__(self) -> None:
        super().__init__()
        stem = nn.Sequential(*convolved(3, 16, 3, 2), stage(16, 32, 3, 2), stage(32, 64, 5, 2))
        self.stages = nn.ModuleList([stem, stage(64, 96, 5, 2), stage(96, 96, 5, 2)])
        self.laterals = nn.ModuleList(nn.Conv2d(channels, CHANNELS, 1) for channels in (64, 96, 96))
        self.heads = nn.ModuleList(
            nn.Sequential(separable(CHANNELS, CHANNELS), nn.Conv2d(CHANNELS, OUTPUTS, 1)) for _ in self.laterals
        )
        for head in self.heads:
            nn.init.constant_(head[-1].bias[:1], SELDOM)  # type: ignore[index]

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the outputs of all cells, the finest level first."""
        maps = []
        for each in self.stages:
            images = each(images)
            maps.append(images)
        answers: list[torch.Tensor] = []
        below: torch.Tensor | None = None
        for lateral, head, level in reversed([*zip(self.laterals, self.heads, maps, strict=True)]):
            own = lateral(level)
            below = own if below is None else own + nn.functional.interpolate(below, scale_factor=2.0)
            answers.insert(0, head(below).flatten(2))
        return torch.cat(answers, 2)


def loss_of(
    said: torch.Tensor, size: tuple[int, int], scores: torch.Tensor, weights: torch.Tensor, faces: torch.Tensor
) -> torch.Tensor:
    """Return the loss of scores (quality focal loss, Li et al. 2020), boxes and points.

    Args:
        said: outputs, shape (n, OUTPUTS, cells).
        size: height and width of the images.
        scores: wanted scores, shape (n, cells), 0 to 1.
        weights: weights of the cells' scores, shape (n, cells).
        faces: box (left, top, width, height) and five points of the face of each cell, shape (n, cells, 14), pixels;
            NaN if there is none or if they are unknown.
    """
    presence = nn.functional.binary_cross_entropy_with_logits(said[:, 0], scores, reduction="none")
    focal = (scores - said[:, 0].sigmoid()).square()
    total = scores.sum().clamp(min=1.0)
    loss = (presence * focal * weights).sum() / total
    learnt = (scores > LEARNT) & (weights > 0) & ~faces[..., 0].isnan()
    share = scores[learnt][:, None] / scores[learnt].sum().clamp(min=1.0)
    own, wanted = said.transpose(1, 2)[learnt][:, 1:], faces[learnt]
    at = torch.from_numpy(cells_of(*size)).expand(len(said), -1, -1)[learnt]
    sides = wanted[:, 2:4]
    unit = sides.prod(1, keepdim=True).sqrt()
    centres = at[:, :2] + own[:, :2] * at[:, 2:]
    points = at[:, None, :2] + own[:, 4:].view(-1, 5, 2) * at[:, None, 2:]
    off = torch.cat(
        [
            (centres - wanted[:, :2] - sides / 2) / unit,
            own[:, 2:4] - (sides / at[:, 2:]).log(),
            0.5 * ((points - wanted[:, 4:].view(-1, 5, 2)) / unit[:, None]).flatten(1),
        ],
        1,
    )
    known = ~off.isnan()
    beside = nn.functional.smooth_l1_loss(off[known], torch.zeros_like(off[known]), beta=0.05, reduction="none")
    return loss + 3 * (beside * share.expand_as(off)[known]).sum()
