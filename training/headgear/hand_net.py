"""The net for hands by their joints: its shape, the mix of its examples, and its training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.hand_features import FEATURES, features
from training.headgear.examples import Hands
from training.headgear.hand_examples import drawn_evenly, placed, shaken, turned_at_random
from training.headgear.kinematic_hands import kinematic_hands
from training.headgear.numbers_net import NumbersNet, learn
from training.headgear.targets import LOGITS, targets_of

if TYPE_CHECKING:
    import numpy.typing as npt

BATCH = 384
BANK, BANK_STEPS = 40_000, 500
"""Number of shaken examples made at once, and of steps that learn from them: much faster than one batch at a time."""

SHARES = {"heads": 0.5, "placed": 0.25, "real": 0.2, "kinematic": 0.05}
"""Share of each source in the examples."""


class HandNet(NumbersNet):
    """Classifier of hands by their features."""

    def __init__(self, mean: torch.Tensor, deviation: torch.Tensor) -> None:
        first = nn.Linear(FEATURES, 128), nn.ReLU(), nn.Dropout(0.2)
        second = nn.Linear(128, 96), nn.ReLU(), nn.Dropout(0.2)
        super().__init__(mean, deviation, nn.Sequential(*first, *second, nn.Linear(96, LOGITS)))


@dataclass(frozen=True, slots=True, eq=False)
class HandSources:
    """Sources of hands for training.

    Attributes:
        heads: hands at rendered heads.
        real: hands of real people by themselves.
    """

    heads: Hands
    real: Hands

    def bank(self, draw: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Features of BANK random examples, shaken, with what the net shall say of them."""
        count = {name: int(share * BANK) for name, share in SHARES.items()}
        shapes = Hands.join(
            [self.real.take(drawn_evenly(self.real, draw, BANK // 5)), kinematic_hands(BANK // 5, draw)]
        )
        together = Hands.join(
            [
                self.heads.take(drawn_evenly(self.heads, draw, count["heads"])),
                placed(shapes.take(drawn_evenly(shapes, draw, count["placed"])), self.heads, draw),
                turned_at_random(self.real.take(drawn_evenly(self.real, draw, count["real"])), draw),
                turned_at_random(kinematic_hands(count["kinematic"], draw), draw),
            ]
        )
        numbers = torch.from_numpy(features(shaken(together.features, draw)))
        return numbers, *targets_of(together.truth.values, together.truth.between)


def fit_hands(sources: HandSources, seed: int, steps: int) -> HandNet:
    """Train one net."""
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    numbers, wanted, known = sources.bank(draw)
    net = HandNet(numbers.mean(0), numbers.std(0).clamp_min(0.02))
    optimiser = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
    for step in range(steps):
        if step and step % BANK_STEPS == 0:
            numbers, wanted, known = sources.bank(draw)
        rows = torch.from_numpy(draw.integers(len(numbers), size=BATCH))
        learn(net, optimiser, schedule, (numbers[rows], wanted[rows], known[rows]))
    return net.eval()


@torch.no_grad()
def hand_logits(nets: list[HandNet], hands: Hands) -> npt.NDArray[np.float32]:
    """Mean logits of nets for hands, shape (n, 7)."""
    numbers = torch.from_numpy(features(hands.features))
    return torch.stack([net(numbers) for net in nets]).mean(0).numpy()
