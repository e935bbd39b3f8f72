"""Face detector from labelled pictures → `models/face_detector.onnx`: `python -m training.faces.detector`.

The network is fully convolutional and anchor-free, in the manner of YuNet (Wu, Peng, Yu 2023): depthwise convolutions
down to a thirty-second of the input's side, a small feature pyramid (Lin et al. 2017), and a head on each of three
levels. The teacher (YuNet itself) scores the cells in labelled faces. Its boxes and points were taken once, at the size
that suits it best (`labelled_faces.py`). Everything is seeded, with checkpoints in `training/work/faces`.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Final

import cv2
import torch
from torch import nn
from torch.optim.swa_utils import update_bn

from bunnymoose_cv.vision.nets.face_nets import OUTPUTS, cells_of
from training.content_cache import code_of, keyed
from training.faces.detector_augmentation import CROP, Shower
from training.faces.labelled_faces import FOLDER, YUNET, Teacher, taught_pictures
from training.paths import MODELS
from training.training_loop import Part, Recipe, arrays_of, cosine, seeded, train, trained_once
from training.trunk import as_inputs

if TYPE_CHECKING:
    from pathlib import Path

BATCH: Final = 16
RATE, DECAY, WARM_UP = 2e-3, 0.01, 300

LESSONS: Final = (5000, 12000)
"""Steps of each lesson. The first soon gives a usable network, which the second continues to train."""

NORMALISED: Final = 60
"""Batches for new statistics of the normalisation with the averaged weights."""

CHANNELS: Final = 64
"""Channels of the feature pyramid."""

SELDOM: Final = -4.0
"""Initial log odds of a face in a cell."""

LEARNT: Final = 0.2
"""Minimum score of a cell that learns a box."""

PLACES: Final = 0.5
"""Weight of boxes and points. With 3 they had five times the loss of the scores, which learnt slowly."""


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
    """Return the loss of scores (quality focal loss of exponent 1, Li et al. 2020), boxes and points.

    Args:
        said: outputs, shape (n, OUTPUTS, cells).
        size: height and width of the images.
        scores: target scores, shape (n, cells), 0 to 1.
        weights: weights of the cells' scores, shape (n, cells).
        faces: box (left, top, width, height) and five points of the face of each cell, shape (n, cells, 14), pixels;
            NaN without a face, or if they are unknown.
    """
    presence = nn.functional.binary_cross_entropy_with_logits(said[:, 0], scores, reduction="none")
    focal = (scores - said[:, 0].sigmoid()).abs()
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
    return loss + PLACES * (beside * share.expand_as(off)[known]).sum()


def fit_detector(net: DetectorNet, shower: Shower, steps: int, seed: int, checkpoint: Path) -> DetectorNet:
    """Train a network in one lesson, on top of the lessons before."""
    draw = seeded(seed)
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def loss(_: int) -> torch.Tensor:
        images, *truth = shower.batch(BATCH, draw)
        return loss_of(net(as_inputs(images)), (CROP, CROP), *map(torch.from_numpy, truth))

    schedule = cosine(steps, WARM_UP, last=0.01)
    recipe = Recipe("face detector", [Part([net], RATE, DECAY)], steps, schedule, ema=0.998, clip=5.0)
    fitted = train(net, recipe, loss, draw, checkpoint)
    update_bn((as_inputs(shower.batch(BATCH, draw)[0]) for _ in range(NORMALISED)), fitted)
    return fitted


def write(net: DetectorNet, path: Path) -> None:
    """Write the network as ONNX, for any number of images of any size."""
    torch.onnx.export(
        net.eval(),
        (torch.zeros(1, 3, 64, 96),),
        str(path),
        input_names=["images"],
        output_names=["answers"],
        dynamic_axes={"images": {0: "n", 2: "height", 3: "width"}, "answers": {0: "n", 2: "cells"}},
        opset_version=17,
        dynamo=False,
    )
    print("wrote", path.name, path.stat().st_size // 1024, "KB")


def main() -> None:
    """Train the network and write the shipped model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=int, default=len(LESSONS), help="stop after so many lessons")
    lessons = LESSONS[: parser.parse_args().lessons]
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    net, shower = DetectorNet(), Shower(taught_pictures(), Teacher())
    for number, steps in enumerate(lessons):
        made_of = arrays_of(net), YUNET, steps, BATCH, RATE, DECAY, code_of(__file__)
        file = keyed(FOLDER / f"detector{number}.pt", *made_of)
        net = trained_once(file, net, partial(fit_detector, net, shower, steps, number))
        write(net, FOLDER / f"face_detector_{number}.onnx")
    write(net, MODELS / "face_detector.onnx")


if __name__ == "__main__":
    main()
