"""The picture net for sides of heads: its shape, how cuts are varied for it, its training. Owns no data, no figures.

The trunk has learnt to see (`models/training/trunk.py`); a small head reads its maps with their places, for where a
hand stands tells as much as what it shows.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

import cv2
import numpy as np
import numpy.typing as npt
import torch
from examples import ANTLER, EAR, NEITHER
from gather import STORED_SIZE, STORED_WINDOW
from targets import LOGITS, loss_of, targets_of
from torch import nn
from torch.optim.swa_utils import AveragedModel
from transplant import hand_in_cut, laid_over

from bunnymoose_cv.vision.side import SIZE, WINDOW

sys.path.append(str(Path(__file__).parents[1]))
from faults import photographed
from trunk import pretrained_trunk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from examples import Sides, Truth

CHANNELS = 112
MAP = SIZE // 16
NARROW = 32

FROZEN = 8
"""Parts of the trunk, down to an eighth of the side, that stay as they are: edges are the same everywhere."""

BATCH = 48
PHOTOGRAPHED = 0.2
"""Share of photographs among the cuts on which nothing stands: there are few, and real rooms are what counts."""

TRANSPLANTED = 0.4
"""Share of the cuts with a hand, whatever it makes, whose hand is laid over a photograph."""

LESSONS = (2200, 800)
"""Steps of each lesson; in each the rates fall from their height to nearly nothing. The mean of the weights after each
lesson is the result: on people left out it is better than the weights after any."""

TRUNK_RATE, HEAD_RATE = 4e-4, 3e-3
LATER_RATES = 0.5
"""How high the rates of the later lessons begin, as a share of the first."""

WARMING = 200
"""Steps in which the rates of the first lesson rise."""

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
        with torch.no_grad():
            maps = self.lower(cuts)
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
        share = draw.uniform(0.08, 0.28)
        cut = np.asarray(cv2.addWeighted(cut, 1 - share, other[:SIZE, :SIZE], share, 0), np.uint8)
    return photographed(cut, draw)


def _patch(cut: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8], draw: np.random.Generator) -> None:
    """Something else in a strip at the outer edge, as a neighbour is, or over a small square."""
    if draw.random() < 0.5:
        width = round(SIZE * draw.uniform(0.05, 0.21))
        cut[:, -width:] = other[:SIZE, -width:]
        return
    side = round(SIZE * draw.uniform(0.07, 0.23))
    (x, y), (u, v) = draw.integers(0, SIZE - side, (2, 2))
    cut[y : y + side, x : x + side] = other[v : v + side, u : u + side]


@dataclass(frozen=True, slots=True)
class Pool:
    """What to learn from: stored cuts with their truth, varied anew whenever they are shown.

    Attributes:
        pictures: shape (n, STORED_SIZE, STORED_SIZE, 3).
        joints: of the hand in each, shape (n, 21, 2); NaN where nobody knows.
        truth: of the n.
        photographed: whether each is a photograph, of the n.
    """

    pictures: npt.NDArray[np.uint8]
    joints: npt.NDArray[np.float16]
    truth: Truth
    photographed: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, sides: Sides) -> Pool:
        """All cuts of some sides."""
        return cls(sides.pictures(), sides.joints, sides.truth, np.char.startswith(sides.truth.place, "group_"))

    def batch(self, draw: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Varied cuts, antlers, ears and neither equally often, with what the net shall say of them."""
        rows = self._evenly(draw)
        cuts = np.stack([varied(self._shown(row, draw), self._another(draw), draw) for row in rows])
        return as_inputs(cuts), *targets_of(self.truth.values[rows], self.truth.between[rows])

    def _shown(self, row: int, draw: np.random.Generator) -> npt.NDArray[np.uint8]:
        """A picture; of some only the hand, over a photograph."""
        if self.photographed.any() and hand_in_cut(self.joints[row]) and draw.random() < TRANSPLANTED:
            return laid_over(self.pictures[row], self.joints[row], self._photograph(draw), draw)
        return np.asarray(self.pictures[row], np.uint8)

    def _photograph(self, draw: np.random.Generator) -> npt.NDArray[np.uint8]:
        return np.asarray(self.pictures[draw.choice(np.flatnonzero(self.photographed))], np.uint8)

    def _evenly(self, draw: np.random.Generator) -> npt.NDArray[np.intp]:
        kinds = draw.integers(3, size=BATCH)
        photographed = (kinds == NEITHER) & self.photographed.any() & (draw.random(BATCH) < PHOTOGRAPHED)
        rows = np.zeros(BATCH, np.intp)
        for kind, of_photograph in ((ANTLER, False), (EAR, False), (NEITHER, False), (NEITHER, True)):
            places = (kinds == kind) & (photographed == of_photograph)
            pool = np.flatnonzero((self.truth.values[:, 0] == kind) & (self.photographed == of_photograph))
            rows[places] = draw.choice(pool, places.sum()) if places.any() else 0
        return rows

    def _another(self, draw: np.random.Generator) -> npt.NDArray[np.uint8]:
        """Any picture; half of them photographs."""
        if self.photographed.any() and draw.random() < 0.5:
            return self._photograph(draw)
        return np.asarray(self.pictures[draw.integers(len(self.pictures))], np.uint8)


class Learning:
    """A net with all that its training needs to go on where it was broken off."""

    def __init__(self, seed: int, lessons: Sequence[int]) -> None:
        torch.manual_seed(seed)
        self.draw = np.random.default_rng(seed)
        self.ends = np.cumsum(lessons)
        self.step = 0
        self.net: SideNet = SideNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.mean = AveragedModel(self.net)
        trunk = [*self.net.trunk.parameters()]
        head = [*self.net.narrow.parameters(), *self.net.head.parameters()]
        parts = [{"params": trunk, "height": TRUNK_RATE}, {"params": head, "height": HEAD_RATE}]
        self.optimiser = torch.optim.AdamW(parts, weight_decay=0.02)

    @property
    def ended(self) -> bool:
        """Whether every lesson is over."""
        return bool(self.step >= self.ends[-1])

    def learn(self, pool: Pool) -> float:
        """One batch; its loss."""
        for part in self.optimiser.param_groups:
            part["lr"] = part["height"] * self._share_of_height()
        cuts, wanted, known = pool.batch(self.draw)
        loss = loss_of(self.net(cuts), wanted, known)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.step += 1
        if self.step in self.ends:
            self.mean.update_parameters(self.net)
        return float(loss.item())

    def _share_of_height(self) -> float:
        """The rates of this step: up at first, then down to the end of each lesson along half a cosine."""
        lesson = int(np.searchsorted(self.ends, self.step, side="right"))
        begin = self.ends[lesson - 1] if lesson else 0
        done = (self.step - begin) / (self.ends[lesson] - begin)
        height = LATER_RATES if lesson else min(1.0, (self.step + 1) / WARMING)
        return float(height * (0.01 + 0.99 * (1 + np.cos(np.pi * done)) / 2))

    def keep(self, file: Path) -> None:
        """Write everything, all or nothing."""
        states = {name: getattr(self, name).state_dict() for name in _STATES}
        random = {"draw": self.draw.bit_generator.state, "torch": torch.get_rng_state()}
        part = file.with_suffix(".part")
        torch.save({**states, "step": self.step, **random}, part)
        part.replace(file)

    def go_on(self, file: Path) -> None:
        """Take up what was written."""
        stored = torch.load(file, weights_only=False)
        for name in _STATES:
            getattr(self, name).load_state_dict(stored[name])
        self.step, self.draw.bit_generator.state = stored["step"], stored["draw"]
        torch.set_rng_state(stored["torch"])


_STATES = ("net", "mean", "optimiser")


def fit_sides(sides: Sides, seed: int, lessons: Sequence[int], file: Path) -> SideNet:
    """Train one net; what the file holds of it already is not trained again.

    Args:
        sides: what to learn from.
        seed: of everything random.
        lessons: how many batches in each.
        file: where the training is kept as it goes.
    """
    learning = Learning(seed, lessons)
    if file.exists():
        learning.go_on(file)
    pool, losses = Pool.of(sides), []
    while not learning.ended:
        losses.append(learning.learn(pool))
        if learning.step % KEPT_EVERY == 0 or learning.ended:
            learning.keep(file)
            print(f"side net: step {learning.step} of {learning.ends[-1]}, loss {np.mean(losses):.4f}", flush=True)
            losses.clear()
    return cast("SideNet", learning.mean.module).eval()


@torch.no_grad()
def side_logits(net: SideNet, sides: Sides) -> npt.NDArray[np.float32]:
    """What a net says of stored cuts, shape (n, 7)."""
    cuts = middle_of(sides.pictures())
    return torch.cat([net(as_inputs(part)) for part in np.array_split(cuts, max(1, len(cuts) // 64))]).numpy()
