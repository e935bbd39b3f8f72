"""The net for close looks at hands: what it learns from, its shape, its training. Owns no figures.

It reads what MediaPipe's hand net makes of the hands of stored cuts, where the side net points: rendered hands, seen by
a net that knows real ones. The looks at all cuts take ten minutes; they are kept in the work folder.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import cv2
import numpy as np
import torch
from examples import save
from numbers_net import NumbersNet, learn
from rich.progress import track
from side_net import joints_of
from targets import LOGITS, targets_of
from torch import nn

from bunnymoose_cv.vision.headgear.hand_refiner import (
    NUMBERS,
    HandFrame,
    HandRefiner,
    RefinedHands,
    in_square,
    numbers_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt
    from examples import Sides, Truth
    from side_net import SideNet

    from bunnymoose_cv.capture.frame import Picture

WIDE, NARROW = 128, 64

BATCH_OF_A_KIND = 64
STEPS = 3000
RATE = 2e-3

BESIDE, OTHER_SIZE, ASKEW = 0.04, 0.1, 0.15
"""How far off the squares around the hands lie that it learns from: their middles in sides of them, the logarithms of
their sides, their turns in radians. The side net has learnt from the same hands, so it points at them better than it
will at others."""

HAZE = 0.5
"""Share of those hands whose picture is smoothed or full of noise."""


class CloseNet(NumbersNet):
    """Reads close looks."""

    def __init__(self, mean: torch.Tensor, deviation: torch.Tensor) -> None:
        hidden = nn.Dropout(0.2), nn.Linear(NUMBERS, WIDE), nn.ReLU(), nn.Dropout(0.4), nn.Linear(WIDE, NARROW)
        super().__init__(mean, deviation, nn.Sequential(*hidden, nn.ReLU(), nn.Linear(NARROW, LOGITS)))


def looked_at(side_net: SideNet, sides: Sides, file: Path, draw: np.random.Generator | None = None) -> RefinedHands:
    """Close looks at the hands of stored cuts; what the file holds of them already is not looked at again.

    Args:
        side_net: points at them.
        sides: n of them.
        file: where the looks are kept.
        draw: chance, where they shall be taken from beside and through haze, as strangers' hands are seen.
    """
    if file.exists():
        stored = np.load(file, allow_pickle=False)
        return RefinedHands(*(stored[field.name] for field in fields(RefinedHands)))
    eye, frames = HandRefiner(), [HandFrame.around(joints) for joints in in_square(joints_of(side_net, sides))]
    looks = []
    for picture, frame in zip(track(sides.pictures(), description="Close looks"), frames, strict=True):
        shown, around = (picture, frame) if draw is None else (_hazy(picture, draw), _off(frame, draw))
        looks.append(eye.look(shown, around))
    together = RefinedHands.join(looks)
    save(file, {field.name: getattr(together, field.name) for field in fields(RefinedHands)})
    return together


def _off(frame: HandFrame, draw: np.random.Generator) -> HandFrame:
    x, y = np.asarray(frame.middle) + BESIDE * frame.side * draw.normal(size=2)
    side = frame.side * float(np.exp(OTHER_SIZE * draw.normal()))
    return HandFrame((float(x), float(y)), side, frame.turn + ASKEW * draw.normal())


def _hazy(picture: Picture, draw: np.random.Generator) -> Picture:
    """A cut as it is, or smoothed, or full of noise."""
    if draw.random() >= HAZE:
        return picture
    if draw.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), draw.uniform(0.5, 1.5)), np.uint8)
    noise = draw.normal(0, draw.uniform(2, 12), picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def fit_close(looks: RefinedHands, truth: Truth, seed: int) -> CloseNet:
    """Train the net from looks and what they show, antlers, ears and neither equally often."""
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    numbers = torch.from_numpy(numbers_of(looks))
    wanted, known = targets_of(truth.values, truth.between)
    net = CloseNet(numbers.mean(0), numbers.std(0).clamp_min(1e-3))
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=STEPS)
    pools = [np.flatnonzero(truth.values[:, 0] == kind) for kind in range(3)]
    for _ in range(STEPS):
        rows = torch.from_numpy(np.concatenate([draw.choice(pool, BATCH_OF_A_KIND) for pool in pools]))
        learn(net, optimiser, schedule, (numbers[rows], wanted[rows], known[rows]))
    return net.eval()


@torch.no_grad()
def close_logits(net: CloseNet, looks: RefinedHands) -> npt.NDArray[np.float32]:
    """What a net says of looks, shape (n, 7)."""
    logits: npt.NDArray[np.float32] = net(torch.from_numpy(numbers_of(looks))).numpy()
    return logits
