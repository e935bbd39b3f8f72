"""The image net that finds a face and its axes: its shape, training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bunnymoose_cv.vision.nets.face_pose_net import CELL, CELLS
from training.checkpoints import save_state
from training.faces.face_augmentation import CurriculumStage, show
from training.trunk import LITE0, as_inputs, pretrained_trunk

if TYPE_CHECKING:
    from pathlib import Path

    from training.faces.face_augmentation import FaceBatch
    from training.faces.faces import Faces

CHANNELS = LITE0.channels
OUTPUTS = 9
"""Of each cell: log odds that the eyes' middle lies in it; left and right eye from its middle, in cells; what lies in
the image of the unit vectors forward and up."""

SELDOM = -4.0
"""Log odds of a face in a cell, to begin with."""

FROZEN = LITE0.lower
RATES = (4e-4, 2e-3)
"""Of the trunk and of the head, at their height in the first lesson."""

AVERAGING = 0.995
KEPT_EVERY = 100

TOO_LARGE = 60.0
"""Pixels between the eyes; a face that is too large for its cut is none, as a lens is."""

LESSONS = (
    CurriculumStage(1500, close=0.0, elsewhere=0.0, rates=1.0),
    CurriculumStage(3000, close=0.5, elsewhere=0.3, rates=0.6),
)
"""First to find faces, then to see well where the eyes are and what is none; each begins with what the last taught."""


class FaceNet(nn.Module):
    """Cuts of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → (n, 9, CELLS, CELLS)."""

    def __init__(self) -> None:
        super().__init__()
        trunk = pretrained_trunk()
        self.lower, self.trunk = trunk[:FROZEN], trunk[FROZEN:]
        self.head = nn.Sequential(nn.Conv2d(CHANNELS, 64, 3, padding=1), nn.ReLU6(), nn.Conv2d(64, OUTPUTS, 1))
        self.lower.requires_grad_(False)
        nn.init.constant_(self.head[-1].bias[:1], SELDOM)  # type: ignore[index]

    def forward(self, cuts: torch.Tensor) -> torch.Tensor:
        """Compute the outputs of each cell."""
        with torch.no_grad():
            maps = self.lower(cuts)
        said: torch.Tensor = self.head(self.trunk(maps))
        return said


def loss_of(said: torch.Tensor, shown: FaceBatch) -> torch.Tensor:
    """Loss of the net: position of the eyes' middle, positions of the eyes, axes of the head."""
    eyes = torch.from_numpy(shown.eyes)
    middle = eyes.mean(1)
    columns, rows = ((middle[:, axis] / CELL).floor().long() for axis in (0, 1))
    sizes = (eyes[:, 0] - eyes[:, 1]).norm(dim=1)
    inside = (sizes < TOO_LARGE) & (columns >= 0) & (columns < CELLS) & (rows >= 0) & (rows < CELLS)
    numbers = torch.arange(len(eyes))
    wanted = torch.zeros(len(eyes), CELLS, CELLS)
    grid = (torch.arange(CELLS) + 0.5) * CELL
    across, down = ((grid - middle[:, axis, None]).abs() > 1.5 * CELL for axis in (0, 1))
    counted = (across[:, None] | down[:, :, None]).float()  # the neighbours of the right cell may say what they like
    counted[numbers[inside], rows[inside], columns[inside]] = 1.0
    wanted[numbers[inside], rows[inside], columns[inside]] = 1.0
    presence = nn.functional.binary_cross_entropy_with_logits(said[:, 0], wanted, reduction="none")
    loss = (presence * counted).sum() / len(eyes)
    own = said[numbers[inside], 1:, rows[inside], columns[inside]]
    at = torch.stack([grid[columns[inside]], grid[rows[inside]]], 1)
    distance = sizes[inside, None, None]
    found = own[:, :4].view(-1, 2, 2) * CELL + at[:, None]
    off = nn.functional.smooth_l1_loss((found - eyes[inside]) / distance, torch.zeros_like(found), beta=0.1)
    axes = torch.from_numpy(shown.axes)[inside]
    known = ~axes.isnan()
    stands = nn.functional.smooth_l1_loss(own[:, 4:].view(-1, 2, 2)[known], axes[known], beta=0.1)
    return loss + 4 * off + 2 * stands


def fit_faces(net: FaceNet, faces: Faces, lesson: CurriculumStage, seed: int, file: Path) -> FaceNet:
    """Teach a net one lesson; what the file holds of it already is not taught again.

    Args:
        net: as the lesson before has left it.
        faces: what to learn from.
        lesson: how long and what.
        seed: of everything random.
        file: where the training is kept as it goes.

    Returns:
        The running average of the net's weights.
    """
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    net = net.train().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))  # type: ignore[no-untyped-call]
    rates = [rate * lesson.rates for rate in RATES]
    parts = [{"params": [*net.trunk.parameters()]}, {"params": [*net.head.parameters()]}]
    optimiser = torch.optim.AdamW(parts, rates[0], weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rates, total_steps=lesson.steps, pct_start=0.15)
    holders: dict[str, Any] = {"net": net, "average": average, "optimiser": optimiser, "schedule": schedule}
    done = 0
    if file.exists():
        stored = torch.load(file, weights_only=False)
        for name, holder in holders.items():
            holder.load_state_dict(stored[name])
        done, draw.bit_generator.state = stored["step"], stored["draw"]
    images, losses = faces.images(), []
    photographs = np.flatnonzero(np.char.startswith(faces.person, "group_"))
    for step in range(done + 1, lesson.steps + 1):
        shown = show(faces, images, photographs, lesson, draw)
        loss = loss_of(net(as_inputs(shown.cuts)), shown)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        average.update_parameters(net)
        losses.append(loss.item())
        if step % KEPT_EVERY == 0 or step == lesson.steps:
            states = {name: holder.state_dict() for name, holder in holders.items()}
            save_state({**states, "step": step, "draw": draw.bit_generator.state}, file)
            print(f"face net: step {step} of {lesson.steps}, loss {np.mean(losses):.4f}", flush=True)
            losses.clear()
    return cast("FaceNet", average.module).eval()
