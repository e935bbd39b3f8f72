"""What makes a tongue of what the trunk sees: one small layer and a number, learned; and the way into an ONNX file.

Owns no pictures' sources and no figures. The trunk itself does not learn: of the handful of photographed tongues it
would learn the persons (models/tongue.md).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.tongue import SIZE

if TYPE_CHECKING:
    from pool import Pool
    from sight import Sight

HIDDEN = 48
SEEN_LEFT_OUT, HIDDEN_LEFT_OUT = 0.5, 0.3
"""Shares that are left out at random in each step, so that no few of the many things seen decide."""

STEPS = 1000
BATCH = 256
HIGHEST_RATE = 1e-3
WEIGHT_DECAY = 0.1
LABEL_SMOOTHING = 0.1
LEAST_DEVIATION = 1e-2


@dataclass(frozen=True, slots=True)
class Calibration:
    """From log odds as learned to log odds that hold: scale * number + offset."""

    scale: float
    offset: float


def learn(pool: Pool, store: Path) -> nn.Sequential:
    """Learn from the views of a pool what makes log odds, shape (n, 1), of what is seen, shape (n, features).

    What was learned from the same views by the same code is taken from the store.
    """
    made_by = Path(__file__).read_bytes() + pool.folds.tobytes()
    kept = store / f"learned_{zlib.crc32(pool.seen.tobytes(), zlib.crc32(made_by)):08x}.pt"
    learner = _new_learner(pool.seen.shape[1])
    if not kept.is_file():
        _teach(learner, pool)
        torch.save(learner.state_dict(), kept)
    learner.load_state_dict(torch.load(kept, weights_only=True))
    return learner.eval().requires_grad_(requires_grad=False)


def _new_learner(features: int) -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Dropout(SEEN_LEFT_OUT),
        nn.Linear(features, HIDDEN),
        nn.ReLU(),
        nn.Dropout(HIDDEN_LEFT_OUT),
        nn.Linear(HIDDEN, 1),
    )


def _teach(learner: nn.Sequential, pool: Pool) -> None:
    """Let it learn from what is seen, brought to mean 0 and deviation 1, and put that into its first layer."""
    seen = torch.from_numpy(pool.seen).float()
    mean, deviation = seen.mean(0), seen.std(0) + LEAST_DEVIATION
    seen = seen.sub_(mean).div_(deviation)
    wanted = torch.from_numpy(np.where(pool.out, 1 - LABEL_SMOOTHING, LABEL_SMOOTHING)).float()
    optimiser = torch.optim.AdamW(learner.parameters(), HIGHEST_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    learner.train()
    for _ in range(STEPS):
        chosen = torch.randint(len(seen), (BATCH,))
        loss = nn.functional.binary_cross_entropy_with_logits(learner(seen[chosen])[:, 0], wanted[chosen])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        schedule.step()
    print(f"learned from {len(seen)} views, loss at last {loss.item():.3f}", flush=True)
    first = learner[1]
    first.weight.data = first.weight.data / deviation
    first.bias.data = first.bias.data - first.weight.data @ mean


class Net(nn.Module):
    """Trunk, what was learned and calibration as one: the mean of what they say of a mouth and of its mirror image."""

    def __init__(self, sight: Sight, learned: nn.Sequential, calibration: Calibration) -> None:
        super().__init__()
        self.sight = sight
        self.learned = learned
        self.calibration = calibration
        self.eval()

    def forward(self, mouths: torch.Tensor) -> torch.Tensor:
        """Probability that the tongue is out, shape (n, 1), of mouths of shape (n, 3, SIZE, SIZE)."""
        return torch.sigmoid(self.number(mouths))

    def number(self, mouths: torch.Tensor) -> torch.Tensor:
        """The same as log odds."""
        straight, mirrored = self.learned(self.sight(torch.cat([mouths, mouths.flip(3)]))).chunk(2)
        number: torch.Tensor = self.calibration.scale * (straight + mirrored) / 2 + self.calibration.offset
        return number


def export(net: Net, file: Path) -> None:
    """Write one ONNX file.

    Its input `mouths` has shape (1, 3, SIZE, SIZE), blue-green-red, 0 to 1; its output `probability_out` (1, 1).
    """
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, SIZE, SIZE),),
        str(file),
        input_names=["mouths"],
        output_names=["probability_out"],
        opset_version=17,
        dynamo=False,
    )
