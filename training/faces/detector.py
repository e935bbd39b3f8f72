"""Training of the face detector, `models/face_detector.onnx`: `python -m training.faces.detector`.

The network is fully convolutional and anchor-free, like YuNet (Wu, Peng, Yu 2023): depthwise convolutions down to
stride 32, a small feature pyramid (Lin et al. 2017), and a head on each of three levels. It is distilled: YuNet, the
teacher, scores the cells of each crop. Boxes and points come from the labels (`labelled_faces.py`). The training is
seeded, and its checkpoints are in `training/work/faces`.
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
from training.faces.detector_augmentation import CROP, CropSampler
from training.faces.labelled_faces import FOLDER, YUNET, Teacher, training_pictures
from training.paths import MODELS
from training.training_loop import Part, Recipe, arrays_of, cosine, seeded, train, trained_once
from training.trunk import as_inputs

if TYPE_CHECKING:
    from pathlib import Path

BATCH: Final = 16
RATE, DECAY, WARM_UP = 2e-3, 0.01, 300

STAGE_STEPS: Final = (5000, 12000, 15000)
"""Steps of each stage. The first soon gives a usable network, which the others continue to train."""

NORM_BATCHES: Final = 60
"""Number of batches from which the batch-norm statistics of the averaged weights are computed."""

CHANNELS: Final = 64
"""Channels of the feature pyramid."""

INITIAL_LOGIT: Final = -4.0
"""Initial logit of a face in a cell, since most cells have none."""

BOX_SCORE: Final = 0.2
"""Minimum target score of a cell whose box and points are trained."""

BOX_WEIGHT: Final = 0.5
"""Weight of the loss of boxes and points. With 3 it was five times the loss of the scores, which learnt slowly."""


def conv_norm_relu(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    """Return a padded convolution, batch normalisation and a ReLU."""
    layer = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
    return [layer, nn.BatchNorm2d(outputs), nn.ReLU()]


def separable(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    """Return a depthwise separable convolution."""
    return nn.Sequential(*conv_norm_relu(inputs, inputs, kernel, stride, inputs), *conv_norm_relu(inputs, outputs, 1))


class Residual(nn.Module):
    """Separable convolution with a skip connection."""

    def __init__(self, channels: int, kernel: int) -> None:
        super().__init__()
        self.layers = separable(channels, channels, kernel)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return maps of the same shape."""
        outputs: torch.Tensor = inputs + self.layers(inputs)
        return outputs


def stage(inputs: int, outputs: int, kernel: int, residuals: int) -> nn.Sequential:
    """Return a stage of the backbone, which halves the resolution."""
    return nn.Sequential(separable(inputs, outputs, kernel, 2), *(Residual(outputs, kernel) for _ in range(residuals)))


class DetectorNet(nn.Module):
    """Images of shape (n, 3, height, width), blue-green-red, 0 to 1, sides divisible by 32 → (n, OUTPUTS, cells)."""

    def __init__(self) -> None:
        super().__init__()
        stem = nn.Sequential(*conv_norm_relu(3, 16, 3, 2), stage(16, 32, 3, 2), stage(32, 64, 5, 2))
        self.stages = nn.ModuleList([stem, stage(64, 96, 5, 2), stage(96, 96, 5, 2)])
        self.laterals = nn.ModuleList(nn.Conv2d(channels, CHANNELS, 1) for channels in (64, 96, 96))
        self.heads = nn.ModuleList(
            nn.Sequential(separable(CHANNELS, CHANNELS), nn.Conv2d(CHANNELS, OUTPUTS, 1)) for _ in self.laterals
        )
        for head in self.heads:
            nn.init.constant_(head[-1].bias[:1], INITIAL_LOGIT)  # type: ignore[index]

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the outputs of all cells, the finest level first."""
        levels = []
        for backbone_stage in self.stages:
            images = backbone_stage(images)
            levels.append(images)
        outputs: list[torch.Tensor] = []
        coarser: torch.Tensor | None = None
        for lateral, head, level in reversed([*zip(self.laterals, self.heads, levels, strict=True)]):
            features = lateral(level)
            if coarser is not None:
                features = features + nn.functional.interpolate(coarser, scale_factor=2.0)
            outputs.insert(0, head(features).flatten(2))
            coarser = features
        return torch.cat(outputs, 2)


def loss_of(
    outputs: torch.Tensor, size: tuple[int, int], scores: torch.Tensor, weights: torch.Tensor, faces: torch.Tensor
) -> torch.Tensor:
    """Return the loss of scores (quality focal loss of exponent 1, Li et al. 2020), boxes and points.

    Args:
        outputs: outputs of the network, shape (n, OUTPUTS, cells).
        size: height and width of the images.
        scores: target scores, shape (n, cells), 0 to 1.
        weights: weights of the scores in the loss, shape (n, cells).
        faces: box (left, top, width, height) and five points of the face of each cell, shape (n, cells, 14), pixels;
            NaN in a cell without a face, and if they are unknown.
    """
    presence = nn.functional.binary_cross_entropy_with_logits(outputs[:, 0], scores, reduction="none")
    focal = (scores - outputs[:, 0].sigmoid()).abs()
    total = scores.sum().clamp(min=1.0)
    loss = (presence * focal * weights).sum() / total
    has_box = (scores > BOX_SCORE) & (weights > 0) & ~faces[..., 0].isnan()
    share = scores[has_box][:, None] / scores[has_box].sum().clamp(min=1.0)
    predicted, targets = outputs.transpose(1, 2)[has_box][:, 1:], faces[has_box]
    cells = torch.from_numpy(cells_of(*size)).expand(len(outputs), -1, -1)[has_box]
    sides = targets[:, 2:4]
    unit = sides.prod(1, keepdim=True).sqrt()
    centres = cells[:, :2] + predicted[:, :2] * cells[:, 2:]
    points = cells[:, None, :2] + predicted[:, 4:].view(-1, 5, 2) * cells[:, None, 2:]
    errors = torch.cat(
        [
            (centres - targets[:, :2] - sides / 2) / unit,
            predicted[:, 2:4] - (sides / cells[:, 2:]).log(),
            0.5 * ((points - targets[:, 4:].view(-1, 5, 2)) / unit[:, None]).flatten(1),
        ],
        1,
    )
    known = ~errors.isnan()
    box_loss = nn.functional.smooth_l1_loss(errors[known], torch.zeros_like(errors[known]), beta=0.05, reduction="none")
    return loss + BOX_WEIGHT * (box_loss * share.expand_as(errors)[known]).sum()


def fit_detector(net: DetectorNet, sampler: CropSampler, steps: int, seed: int, checkpoint: Path) -> DetectorNet:
    """Train a network for one stage, from the weights of the stage before."""
    draw = seeded(seed)
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def loss(_: int) -> torch.Tensor:
        images, *truth = sampler.batch(BATCH, draw)
        return loss_of(net(as_inputs(images)), (CROP, CROP), *map(torch.from_numpy, truth))

    schedule = cosine(steps, WARM_UP, last=0.01)
    recipe = Recipe("face detector", [Part([net], RATE, DECAY)], steps, schedule, ema=0.998, clip=5.0)
    fitted = train(net, recipe, loss, draw, checkpoint)
    update_bn((as_inputs(sampler.batch(BATCH, draw)[0]) for _ in range(NORM_BATCHES)), fitted)
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
    parser.add_argument("--lessons", type=int, default=len(STAGE_STEPS), help="number of training stages to run")
    stages = STAGE_STEPS[: parser.parse_args().lessons]
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(0)
    net, sampler = DetectorNet(), CropSampler(training_pictures(), Teacher())
    for number, steps in enumerate(stages):
        made_of = arrays_of(net), YUNET, steps, BATCH, RATE, DECAY, code_of(__file__)
        file = keyed(FOLDER / f"detector{number}.pt", *made_of)
        net = trained_once(file, net, partial(fit_detector, net, sampler, steps, number))
        write(net, FOLDER / f"face_detector_{number}.onnx")
    write(net, MODELS / "face_detector.onnx")


if __name__ == "__main__":
    main()
