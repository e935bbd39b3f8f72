"""The picture net for sides of heads: its shape, how cuts are varied for it, its training. Owns no data, no figures.

The trunk has learnt to see (`models/training/trunk.py`); a small head reads its maps with their places, for where a
hand stands tells as much as what it shows.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
import torch
from examples import ANTLER, EAR, NEITHER
from gather import STORED_SIZE, STORED_WINDOW
from targets import LOGITS, loss_of, targets_of
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from bunnymoose_cv.vision.side import SIZE, WINDOW

sys.path.append(str(Path(__file__).parents[1]))
from trunk import pretrained_trunk

if TYPE_CHECKING:
    from examples import Sides

CHANNELS = 112
MAP = SIZE // 16
NARROW = 32

FROZEN = 8
"""Parts of the trunk, down to an eighth of the side, that stay as they are: edges and textures are the same everywhere.
They cost the most time, so what they make of varied cuts is kept and used again."""

VARIATIONS = 8
"""How often each cut is varied."""

BATCH = 48
PHOTOGRAPHED = 0.25
"""Share of photographs among the cuts on which nothing stands: there are few, and real rooms are what counts."""

TRUNK_RATE, HEAD_RATE = 4e-4, 3e-3
AVERAGING = 0.99
"""How much of the running average of the weights a step keeps; the average is the result."""

KEPT_EVERY = 50
Cut: TypeAlias = npt.NDArray[np.uint8]
"""A cut of a side, shape (side, side, 3), blue-green-red."""


class SideNet(nn.Module):
    """Cuts of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → logits of shape (n, 7)."""

    def __init__(self) -> None:
        super().__init__()
        trunk = pretrained_trunk()
        self.lower, self.trunk = trunk[:FROZEN], trunk[FROZEN:]
        self.narrow = nn.Sequential(nn.Conv2d(CHANNELS, NARROW, 1), nn.ReLU6(), nn.Flatten())
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(NARROW * MAP * MAP, LOGITS))
        self.lower.requires_grad_(False)

    def forward(self, cuts: torch.Tensor) -> torch.Tensor:
        """Logits: antler, ear, neither; wide, up, straight, top."""
        return self.said_of(self.lower(cuts))

    def said_of(self, maps: torch.Tensor) -> torch.Tensor:
        """The same from the maps that the frozen part makes of cuts."""
        logits: torch.Tensor = self.head(self.narrow(self.trunk(maps)))
        return logits


def as_inputs(cuts: npt.NDArray[np.uint8]) -> torch.Tensor:
    """Bytes of shape (n, SIZE, SIZE, 3) as the net takes them."""
    return (torch.from_numpy(cuts).permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)


def middle_of(pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Stored cuts, shape (n, STORED_SIZE, STORED_SIZE, 3), as the reader would have cut them."""
    return np.stack([_placed(picture, 1.0, 0.0, np.zeros(2)) for picture in pictures])


def _placed(
    picture: npt.NDArray[np.uint8], size: float, turn: float, shift: npt.NDArray[np.float64]
) -> npt.NDArray[np.uint8]:
    """The window of the net in a stored cut, larger by a factor, turned (radians), shifted (eye distances)."""
    scale = size * SIZE / WINDOW * STORED_WINDOW / STORED_SIZE
    axes = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    offset = (SIZE - 1) / 2 - axes @ np.full(2, (STORED_SIZE - 1) / 2) + shift * SIZE / WINDOW
    matrix = np.column_stack([axes, offset])
    return np.asarray(cv2.warpAffine(picture, matrix, (SIZE, SIZE), borderValue=(128, 128, 128)), np.uint8)


def varied(picture: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8], draw: np.random.Generator) -> Cut:
    """A stored cut as another camera, another light, another finder of the face might have given it.

    Args:
        picture: shape (STORED_SIZE, STORED_SIZE, 3).
        other: another one; patches and a haze of it stand for what else may be in a room. Half of them are photographs,
            so that a photograph's looks alone never tell that nothing stands there.
        draw: chance.
    """
    cut = _placed(picture, float(np.exp(draw.normal(0, 0.08))), draw.normal(0, 0.1), draw.normal(0, 0.18, 2))
    if draw.random() < 0.3:
        _patch(cut, other, draw)
    if draw.random() < 0.3:
        cut = cv2.addWeighted(cut, 1 - (share := draw.uniform(0.08, 0.28)), other[:SIZE, :SIZE], share, 0)
    for change, share in ((_coloured, 0.9), (_shrunk, 0.5), (_blurred, 0.3), (_noisy, 0.5), (_compressed, 0.5)):
        if draw.random() < share:
            cut = change(cut, draw)
    return cut


def _patch(cut: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8], draw: np.random.Generator) -> None:
    """Something else in a strip at the outer edge, as a neighbour is, or over a small square."""
    if draw.random() < 0.5:
        width = int(draw.integers(6, 24))
        cut[:, -width:] = other[:SIZE, -width:]
        return
    side = int(draw.integers(8, 26))
    (x, y), (u, v) = draw.integers(0, SIZE - side, (2, 2))
    cut[y : y + side, x : x + side] = other[v : v + side, u : u + side]


def _coloured(cut: Cut, draw: np.random.Generator) -> Cut:
    """Another light: white balance, brightness, contrast, gamma, less or more colour."""
    picture = cut.astype(np.float32) / 255
    picture *= np.exp(draw.normal(0, 0.12, 3)).astype(np.float32)
    grey = picture.mean(2, keepdims=True)
    picture = grey + (picture - grey) * np.float32(draw.uniform(0.3, 1.4))
    picture = np.clip(picture, 0, 1) ** np.float32(np.exp(draw.normal(0, 0.25)))
    picture = (picture - 0.5) * np.float32(np.exp(draw.normal(0, 0.2))) + 0.5 + np.float32(draw.normal(0, 0.06))
    if draw.random() < 0.3:  # light from one side
        slope = np.linspace(-1, 1, SIZE, dtype=np.float32) * np.float32(draw.normal(0, 0.25))
        picture *= 1 + (slope[:, None, None] if draw.random() < 0.5 else slope[None, :, None])
    return np.asarray(np.clip(picture, 0, 1) * 255, np.uint8)


def _shrunk(cut: Cut, draw: np.random.Generator) -> Cut:
    """A smaller face, down to 7 pixels between the eyes."""
    size = int(SIZE * draw.uniform(0.4, 0.95))
    small = cv2.resize(cut, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR), np.uint8)


def _blurred(cut: Cut, draw: np.random.Generator) -> Cut:
    """Out of focus, or moving."""
    if draw.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(cut, (0, 0), draw.uniform(0.4, 1.6)), np.uint8)
    length = int(draw.integers(2, 6))
    angle = draw.uniform(0, np.pi)
    kernel = np.zeros((7, 7), np.float32)
    reach = length / 2 * np.array([np.cos(angle), np.sin(angle)])
    ends = [tuple(int(value) for value in np.round(3 + sign * reach)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(cut, -1, kernel / kernel.sum()), np.uint8)


def _noisy(cut: Cut, draw: np.random.Generator) -> Cut:
    """A webcam's noise."""
    noise = draw.normal(0, draw.uniform(1, 12), cut.shape)
    return np.asarray(np.clip(cut + noise, 0, 255), np.uint8)


def _compressed(cut: Cut, draw: np.random.Generator) -> Cut:
    """A camera's or a film's compression."""
    jpeg = cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, int(draw.integers(25, 90))])[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


@dataclass(frozen=True, slots=True)
class Pool:
    """What to learn from: for each varied cut the maps of the frozen part of the net, with its truth.

    Attributes:
        maps: shape (n, channels, side / 8, side / 8), half precision.
        values: see `Truth.values`, of the n.
        between: see `Truth.between`, of the n.
        photographed: whether each is a photograph, of the n.
    """

    maps: npt.NDArray[np.float16]
    values: npt.NDArray[np.int8]
    between: npt.NDArray[np.bool_]
    photographed: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, sides: Sides, seed: int, file: Path) -> Pool:
        """All cuts, each varied a few times; the maps are kept in a file."""
        if not file.exists():
            part = file.with_suffix(".part.npy")
            np.save(part, _maps_of(sides, np.random.default_rng(seed)))
            part.replace(file)
        truth = sides.truth
        values, between = (np.tile(column, (VARIATIONS, 1)) for column in (truth.values, truth.between))
        return cls(np.load(file, mmap_mode="r"), values, between, np.tile(_photographed(sides), VARIATIONS))

    def batch(self, draw: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Maps, antlers, ears and neither equally often, with what the net shall say of them."""
        kinds = draw.integers(3, size=BATCH)
        photographed = (kinds == NEITHER) & self.photographed.any() & (draw.random(BATCH) < PHOTOGRAPHED)
        rows = np.zeros(BATCH, np.intp)
        for kind, of_photograph in ((ANTLER, False), (EAR, False), (NEITHER, False), (NEITHER, True)):
            places = (kinds == kind) & (photographed == of_photograph)
            pool = np.flatnonzero((self.values[:, 0] == kind) & (self.photographed == of_photograph))
            rows[places] = draw.choice(pool, places.sum()) if places.any() else 0
        maps = torch.from_numpy(self.maps[rows].astype(np.float32)).contiguous(memory_format=torch.channels_last)
        return maps, *targets_of(self.values[rows], self.between[rows])


def _photographed(sides: Sides) -> npt.NDArray[np.bool_]:
    """Which are the sides of photographed heads."""
    return np.char.startswith(sides.truth.place, "group_")


@torch.no_grad()
def _maps_of(sides: Sides, draw: np.random.Generator) -> npt.NDArray[np.float16]:
    """What the frozen part makes of every cut, varied VARIATIONS times, one round of all after the other."""
    lower = SideNet().lower.to(memory_format=torch.channels_last)
    pictures = sides.pictures()
    photographs = np.flatnonzero(_photographed(sides))
    maps = []
    for _ in range(VARIATIONS):
        others = draw.permutation(len(pictures))
        if len(photographs):
            photographed = draw.random(len(pictures)) < 0.5
            others[photographed] = draw.choice(photographs, int(photographed.sum()))
        for rows in np.array_split(np.arange(len(pictures)), max(1, len(pictures) // BATCH)):
            cuts = np.stack([varied(pictures[row], pictures[others[row]], draw) for row in rows])
            maps.append(lower(as_inputs(cuts)).numpy().astype(np.float16))
    return np.concatenate(maps)


class Learning:
    """A net with all that its training needs to go on where it was broken off."""

    def __init__(self, seed: int, steps: int) -> None:
        torch.manual_seed(seed)
        self.draw = np.random.default_rng(seed)
        self.step = 0
        self.net = SideNet().to(memory_format=torch.channels_last)
        self.average = AveragedModel(self.net, multi_avg_fn=get_ema_multi_avg_fn(AVERAGING))
        trunk = [*self.net.trunk.parameters()]
        head = [*self.net.narrow.parameters(), *self.net.head.parameters()]
        parts = [{"params": trunk}, {"params": head}]
        self.optimiser = torch.optim.AdamW(parts, TRUNK_RATE, weight_decay=0.02)
        rates = [TRUNK_RATE, HEAD_RATE]
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(self.optimiser, rates, total_steps=steps, pct_start=0.15)

    def learn(self, pool: Pool) -> float:
        """One batch; its loss."""
        maps, wanted, known = pool.batch(self.draw)
        loss = loss_of(self.net.said_of(maps), wanted, known)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.schedule.step()
        self.average.update_parameters(self.net)
        self.step += 1
        return float(loss.item())

    def keep(self, file: Path) -> None:
        """Write everything, all or nothing."""
        states = {name: getattr(self, name).state_dict() for name in _STATES}
        part = file.with_suffix(".part")
        torch.save({**states, "step": self.step, "draw": self.draw.bit_generator.state}, part)
        part.replace(file)

    def go_on(self, file: Path) -> None:
        """Take up what was written."""
        stored = torch.load(file, weights_only=False)
        for name in _STATES:
            getattr(self, name).load_state_dict(stored[name])
        self.step, self.draw.bit_generator.state = stored["step"], stored["draw"]


_STATES = ("net", "average", "optimiser", "schedule")


def fit_sides(sides: Sides, seed: int, steps: int, file: Path) -> SideNet:
    """Train one net; what the file holds of it already is not trained again.

    Args:
        sides: what to learn from.
        seed: of everything random.
        steps: how many batches.
        file: where the training is kept as it goes.
    """
    learning = Learning(seed, steps)
    if file.exists():
        learning.go_on(file)
    pool, losses = Pool.of(sides, seed, file.with_name(f"{file.stem}_{len(sides)}.npy")), []
    while learning.step < steps:
        losses.append(learning.learn(pool))
        if learning.step % KEPT_EVERY == 0 or learning.step == steps:
            learning.keep(file)
            print(f"side net: step {learning.step} of {steps}, loss {np.mean(losses):.4f}", flush=True)
            losses.clear()
    net: SideNet = learning.average.module
    return net.eval()


@torch.no_grad()
def side_logits(net: SideNet, sides: Sides) -> npt.NDArray[np.float32]:
    """What a net says of stored cuts, shape (n, 7)."""
    cuts = middle_of(sides.pictures())
    return torch.cat([net(as_inputs(part)) for part in np.array_split(cuts, max(1, len(cuts) // 64))]).numpy()
