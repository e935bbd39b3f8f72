"""Tongue learner: the trunk's later blocks and a small layer on their maps.

The layer learns alone at first, on blocks that rest; then both learn on, the
blocks slowly, and the running average of all weights is the result: so it keeps what ImageNet has taught about
photographs, of which there are few with tongues (models/tongue.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bunnymoose_cv.vision.tongue.mouth_crop import SIZE
from training.checkpoints import save_state
from training.content_cache import keyed
from training.schedules import share_of_rate
from training.source_code import code_of
from training.tongue.backbone import TRUNK
from training.trunk import pretrained_trunk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from training.tongue.backbone import Backbone
    from training.tongue.pool import Pool

CHANNELS, MAP = TRUNK.channels, SIZE // 16
"""Of the last maps."""

HIDDEN = 48
SEEN_LEFT_OUT, HIDDEN_LEFT_OUT = 0.5, 0.3
"""Shares that are left out at random in each step, so that no few of the many things seen decide."""

LAYER_STEPS, LAYER_BATCH, LAYER_RATE, LAYER_DECAY = 1000, 256, 1e-3, 0.1
"""While the layer learns alone."""

STEPS, BATCH = 4000, 64
BLOCKS_RATE, BLOCKS_DECAY, ON_RATE = 2e-4, 0.02, 3e-4
"""While all learn on; the last rate is the layer's."""

WARMING, LAST_SHARE = 100, 0.05
"""Steps in which the rates rise; what is left of them in the last."""

AVERAGING = 0.995
"""Decay of the running average of the weights in a step."""

LABEL_SMOOTHING = 0.05
LEAST_DEVIATION = 1e-2
KEPT_EVERY = 100


@dataclass(frozen=True, slots=True)
class Calibration:
    """From log odds as learned to log odds that hold: scale * number + offset."""

    scale: float
    offset: float


class Learner(nn.Module):
    """Maps of the frozen part, shape (n, channels, side, side), to log odds of a tongue, shape (n, 1)."""

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        features = CHANNELS * MAP * MAP + CHANNELS
        self.blocks = pretrained_trunk(TRUNK)[TRUNK.lower :].to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.layer = nn.Sequential(
            nn.Dropout(SEEN_LEFT_OUT),
            nn.Linear(features, HIDDEN),
            nn.ReLU(),
            nn.Dropout(HIDDEN_LEFT_OUT),
            nn.Linear(HIDDEN, 1),
        )
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("deviation", torch.ones(features))

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        """Log odds."""
        return self.said_of(self.seen(maps))

    def seen(self, maps: torch.Tensor) -> torch.Tensor:
        """The last maps as they are, for it matters where in a mouth something is, and the most of each channel."""
        last = self.blocks(maps)
        return torch.cat([last.flatten(1), last.amax((2, 3))], 1)

    def said_of(self, seen: torch.Tensor) -> torch.Tensor:
        """Log odds by what is seen, brought to mean 0 and deviation 1."""
        said: torch.Tensor = self.layer((seen - self.mean) / self.deviation)
        return said


def learn(pool: Pool, store: Path) -> Learner:
    """Learn from the views of a pool.

    What was learned from the same views by the same code is taken from the store; a training that was broken off goes
    on where it was.
    """
    kept = keyed(store / "learned.pt", pool.name, pool.rows, code_of(__file__))
    if not kept.is_file():
        unfinished = kept.with_suffix(".unfinished.pt")
        save_state(_Learning(pool, unfinished).run().state_dict(), kept)
        unfinished.unlink()
    learner = Learner()
    learner.load_state_dict(torch.load(kept, weights_only=True))
    return learner.eval().requires_grad_(requires_grad=False)


def mean_of(learners: Sequence[Learner]) -> Learner:
    """The mean of the weights of learners that began alike and so stayed near each other."""
    states = [learner.state_dict() for learner in learners]
    mean = Learner()
    mean.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    return mean.eval().requires_grad_(requires_grad=False)


class _Learning:
    """A learner with all that its training needs to go on where it was broken off."""

    def __init__(self, pool: Pool, unfinished: Path) -> None:
        self._pool, self._unfinished = pool, unfinished
        self._draw = np.random.default_rng(0)
        self._learner = Learner()
        self._wanted = torch.from_numpy(np.where(pool.out, 1 - LABEL_SMOOTHING, LABEL_SMOOTHING)).float()[:, None]
        parts = [
            {"params": self._learner.blocks.parameters(), "lr": BLOCKS_RATE, "weight_decay": BLOCKS_DECAY},
            {"params": self._learner.layer.parameters(), "lr": ON_RATE, "weight_decay": LAYER_DECAY},
        ]
        self._optimiser = torch.optim.AdamW(parts)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimiser, lambda step: share_of_rate(step, STEPS, WARMING, LAST_SHARE)
        )
        # The first step's weights are copied into it, so the layer that has learned alone too.
        self._average = AveragedModel(self._learner, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))  # type: ignore[no-untyped-call]
        self._step = 0

    def run(self) -> Learner:
        """Learn to the end."""
        if self._unfinished.is_file():
            self._go_on()
        else:
            self._teach_layer()
        self._learner.train()
        while self._step < STEPS:
            rows = self._draw.choice(self._pool.rows, BATCH)
            loss = self._loss(self._learner(self._pool.maps_of(rows)), rows)
            self._optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimiser.step()
            self._schedule.step()
            self._average.update_parameters(self._learner)
            self._step += 1
            if self._step % KEPT_EVERY == 0:
                self._keep()
                print(f"step {self._step} of {STEPS}, loss {loss.item():.3f}", flush=True)
        return cast("Learner", self._average.module)

    def _teach_layer(self) -> None:
        """Let the layer learn alone from what the pretrained blocks see."""
        rows, learner = self._pool.rows, self._learner
        with torch.no_grad():
            parts = np.array_split(rows, len(rows) // LAYER_BATCH + 1)
            seen = torch.cat([learner.seen(self._pool.maps_of(part)).half() for part in parts])
        learner.mean.copy_(seen.float().mean(0))
        learner.deviation.copy_(seen.float().std(0) + LEAST_DEVIATION)
        optimiser = torch.optim.AdamW(learner.layer.parameters(), LAYER_RATE, weight_decay=LAYER_DECAY)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, LAYER_STEPS)
        learner.train()
        for _ in range(LAYER_STEPS):
            chosen = self._draw.integers(len(rows), size=LAYER_BATCH)
            loss = self._loss(learner.said_of(seen[torch.from_numpy(chosen)].float()), rows[chosen])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
        print(f"the layer has learned from {len(rows)} views, loss {loss.item():.3f}", flush=True)

    def _loss(self, said: torch.Tensor, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> torch.Tensor:
        return nn.functional.binary_cross_entropy_with_logits(said, self._wanted[torch.from_numpy(rows)])

    def _keep(self) -> None:
        state = {
            "step": self._step,
            "draw": self._draw.bit_generator.state,
            "chance": torch.get_rng_state(),
            **{name: part.state_dict() for name, part in self._parts().items()},
        }
        save_state(state, self._unfinished)

    def _go_on(self) -> None:
        state = torch.load(self._unfinished, weights_only=False)
        self._step = state["step"]
        self._draw.bit_generator.state = state["draw"]
        torch.set_rng_state(state["chance"])
        for name, part in self._parts().items():
            part.load_state_dict(state[name])

    def _parts(self) -> dict[str, nn.Module | torch.optim.Optimizer | torch.optim.lr_scheduler.LambdaLR]:
        return {
            "learner": self._learner,
            "average": self._average,
            "optimiser": self._optimiser,
            "schedule": self._schedule,
        }


class Net(nn.Module):
    """Ensemble of backbone, learner and calibration in one network."""

    def __init__(self, backbone: Backbone, learned: Learner, calibration: Calibration) -> None:
        super().__init__()
        self.backbone = backbone
        self.learned = learned
        self.calibration = calibration
        self.eval()

    def forward(self, mouths: torch.Tensor) -> torch.Tensor:
        """Probability that the tongue is out, shape (n, 1), of mouths of shape (n, 3, SIZE, SIZE)."""
        return torch.sigmoid(self.number(mouths))

    def number(self, mouths: torch.Tensor) -> torch.Tensor:
        """The same as log odds."""
        number: torch.Tensor = self.calibration.scale * self.learned(self.backbone(mouths)) + self.calibration.offset
        return number
