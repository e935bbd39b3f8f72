"""Training of the face network, `models/face.onnx`, on packed faces: `python -m training.faces.train`.

The network locates the eyes of a face and the axes of the head. One of five persons is held out, on whom the printed
figures are measured. The training is seeded, and its checkpoints are in `training/work/`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.nets.face_nets import CELL, CELLS, SIZE, face_in
from training.content_cache import code_of, keyed
from training.export import export
from training.faces.face_augmentation import CurriculumStage, show
from training.faces.faces import WORK, gathered_faces
from training.manifest import record_models
from training.paths import MODELS
from training.training_loop import Part, Recipe, arrays_of, one_cycle, seeded, train, trained_once
from training.trunk import CHANNELS, TrunkNet, as_inputs

if TYPE_CHECKING:
    from pathlib import Path

    from training.faces.faces import Faces

OUTPUTS: Final = 9
"""Outputs of each cell: logit that it contains the middle of the eyes; left and right eye relative to the centre of the
cell, in cells; projections of the head's unit vectors forward and up."""

INITIAL_LOGIT: Final = -4.0
"""Initial logit of a face in a cell, since most cells have none."""

TRUNK_RATE, HEAD_RATE, DECAY, RISE = 4e-4, 2e-3, 0.02, 0.15
"""Highest learning rates of the first stage, weight decay, and the share of a stage in which the rates rise."""

TOO_LARGE: Final = 60.0
"""Eye distance in pixels from which a face is too large for its crop and is not a positive example."""

STAGES: Final = (
    CurriculumStage(1500, close=0.0, elsewhere=0.0, rates=1.0),
    CurriculumStage(3000, close=0.5, elsewhere=0.3, rates=0.6),
)
"""Stages of the curriculum: finding faces, then locating the eyes precisely and rejecting other things."""

MEASURED: Final = {
    "anywhere": CurriculumStage(0, close=0.0, elsewhere=0.0, rates=0.0),
    "closely": CurriculumStage(0, close=1.0, elsewhere=0.0, rates=0.0),
    "elsewhere": CurriculumStage(0, close=0.0, elsewhere=1.0, rates=0.0),
}
"""Crops of held-out persons on which the network is measured."""

ROUNDS: Final = 12
FAR: Final = 0.35
"""Error of the eyes, in eye distances, above which a face counts as misplaced."""


class FaceNet(TrunkNet):
    """Crops of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → (n, 9, CELLS, CELLS)."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Sequential(nn.Conv2d(CHANNELS, 64, 3, padding=1), nn.ReLU6(), nn.Conv2d(64, OUTPUTS, 1))
        nn.init.constant_(self.head[-1].bias[:1], INITIAL_LOGIT)  # type: ignore[index]

    def of_maps(self, maps: torch.Tensor) -> torch.Tensor:
        """Return the outputs of each cell."""
        return self.head(self.trunk(maps))


def loss_of(outputs: torch.Tensor, eyes: torch.Tensor, axes: torch.Tensor) -> torch.Tensor:
    """Return the loss of the position of the eyes' middle, the positions of the eyes, and the axes of the head."""
    middle = eyes.mean(1)
    columns, rows = ((middle[:, axis] / CELL).floor().long() for axis in (0, 1))
    sizes = (eyes[:, 0] - eyes[:, 1]).norm(dim=1)
    inside = (sizes < TOO_LARGE) & (columns >= 0) & (columns < CELLS) & (rows >= 0) & (rows < CELLS)
    numbers = torch.arange(len(eyes))
    targets = torch.zeros(len(eyes), CELLS, CELLS)
    grid = (torch.arange(CELLS) + 0.5) * CELL
    across, down = ((grid - middle[:, axis, None]).abs() > 1.5 * CELL for axis in (0, 1))
    counted = (across[:, None] | down[:, :, None]).float()  # the neighbours of the right cell are not counted
    counted[numbers[inside], rows[inside], columns[inside]] = 1.0
    targets[numbers[inside], rows[inside], columns[inside]] = 1.0
    presence = nn.functional.binary_cross_entropy_with_logits(outputs[:, 0], targets, reduction="none")
    loss = (presence * counted).sum() / len(eyes)
    predicted = outputs[numbers[inside], 1:, rows[inside], columns[inside]]
    centres = torch.stack([grid[columns[inside]], grid[rows[inside]]], 1)
    found = predicted[:, :4].view(-1, 2, 2) * CELL + centres[:, None]
    eye_loss = nn.functional.smooth_l1_loss(
        (found - eyes[inside]) / sizes[inside, None, None], torch.zeros_like(found), beta=0.1
    )
    axes = axes[inside]
    known = ~axes.isnan()
    axis_loss = nn.functional.smooth_l1_loss(predicted[:, 4:].view(-1, 2, 2)[known], axes[known], beta=0.1)
    return loss + 4 * eye_loss + 2 * axis_loss


def fit_faces(net: FaceNet, faces: Faces, stage: CurriculumStage, seed: int, checkpoint: Path) -> FaceNet:
    """Train a network for one stage, from the weights of the stage before."""
    draw = seeded(seed)
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    images = faces.images()
    photographs = np.flatnonzero(np.char.startswith(faces.person, "group_"))

    def loss(_: int) -> torch.Tensor:
        cuts, *shown = show(faces, images, photographs, stage, draw)
        return loss_of(net(as_inputs(cuts)), *map(torch.from_numpy, shown))

    parts = Part([net.trunk], TRUNK_RATE * stage.rates, DECAY), Part([net.head], HEAD_RATE * stage.rates, DECAY)
    schedule = one_cycle(stage.steps, RISE)
    return train(net, Recipe("face network", parts, stage.steps, schedule, ema=0.995, clip=5.0), loss, draw, checkpoint)


@torch.no_grad()
def report(name: str, net: FaceNet, faces: Faces, stage: CurriculumStage) -> None:
    """Print the errors of the eyes of held-out persons, in crops of a stage."""
    draw, images = np.random.default_rng(0), faces.images()
    rows = []
    for _ in range(ROUNDS):
        cuts, *shown = show(faces, images, np.zeros(0, np.intp), stage, draw)
        for outputs, eyes, axes in zip(net(as_inputs(cuts)).numpy(), *shown, strict=True):
            found, middle = face_in(outputs), eyes.mean(0)
            off = np.linalg.norm(found.eyes - eyes, axis=1).mean() / np.linalg.norm(eyes[0] - eyes[1])
            inside = np.all((middle >= 0) & (middle < SIZE))
            rows.append((off, np.abs(found.axes - axes).mean(), found.confidence > 0.5, inside))
    offs, turned, sure, shows = map(np.array, zip(*rows, strict=True))
    print(f"{name}: {shows.sum()} faces: {np.mean(sure[shows]):.3f} seen; of the seen, eyes off (eye distances)")
    if (shows & sure).any():
        print(np.percentile(offs[shows & sure], [50, 80, 90, 95, 98]).round(3), "axes off", np.nanmean(turned).round(3))
        print(f"{np.mean(offs[shows & sure] > FAR):.3f} of them off by more than {FAR}")
    if not shows.all():
        print(f"a face seen in {np.mean(sure[~shows]):.3f} of {(~shows).sum()} crops without")


def main() -> None:
    """Train, measure on held-out persons, and write the shipped model."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    training_faces, held_out = gathered_faces()
    torch.manual_seed(0)
    net = FaceNet()
    for number, stage in enumerate(STAGES):
        file = keyed(WORK.parent / f"face{number}.pt", arrays_of(net), training_faces, stage, code_of(__file__))
        net = trained_once(file, net, partial(fit_faces, net, training_faces, stage, number))
    for name, shown in MEASURED.items():
        report(name, net, held_out, shown)
    # Full precision is needed, since each look at a face starts from the result of the last one.
    export(net, torch.zeros(2, 3, SIZE, SIZE), MODELS / "face.onnx", "cuts", halved=False)
    record_models()


if __name__ == "__main__":
    main()
