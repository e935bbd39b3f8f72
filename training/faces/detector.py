"""Face detector from labelled pictures → `models/face_detector.onnx`: `python -m training.faces.detector`.

Everything is seeded, and kept in `training/work/faces` as it goes. The teacher (YuNet) scores the cells in labelled
faces; its boxes and points were taken once, at the size that suits it best (`labelled_faces.py`).
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Final

import cv2
import torch
from torch.optim.swa_utils import update_bn

from training.content_cache import code_of, keyed
from training.faces.detector_augmentation import CROP, Shower
from training.faces.detector_net import DetectorNet, loss_of
from training.faces.labelled_faces import FOLDER, taught_pictures
from training.faces.teacher import YUNET, Teacher
from training.paths import MODELS
from training.training_loop import Part, Recipe, arrays_of, cosine, seeded, train, trained_once
from training.trunk import as_inputs

if TYPE_CHECKING:
    from pathlib import Path

BATCH: Final = 16
RATE, DECAY, WARM_UP = 2e-3, 0.01, 300

LESSONS: Final = (5000, 12000)
"""Steps of each lesson: the first gives a network soon, the second goes on from it and makes it good."""

NORMALISED: Final = 60
"""Batches that renew the statistics of the normalisation for the averaged weights."""


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
    """Train, write what is shipped."""
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
