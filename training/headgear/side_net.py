"""The image nets for sides of heads: their shape and their training.

The trunk has learnt to see (`training/trunk.py`); a small head reads its maps with their places, for where a
hand stands tells as much as what it shows. A second one points at the hand's joints, and a third reads what the maps
show there, finger by finger, wherever the hand stands.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

from bunnymoose_cv.vision.headgear.side_net import SIZE
from training.checkpoints import save_state
from training.headgear.examples import ANTLER, EAR, NEITHER
from training.headgear.gather import WORK
from training.headgear.side_augmentation import middle_of, varied
from training.headgear.targets import LOGITS, loss_of, targets_of
from training.headgear.transplant import hand_in_cut, laid_over
from training.schedules import share_of_rate
from training.trunk import LITE0, as_inputs, pretrained_trunk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from training.headgear.examples import Sides, Truth

CHANNELS = LITE0.channels
MAP = SIZE // 16
NARROW = 32
JOINTS = 21
FINGERS = 64

FROZEN = LITE0.lower
"""Parts of the trunk, down to an eighth of the side, that stay as they are: edges are the same everywhere."""

BATCH = 48
TRANSPLANTED = 0.4
"""Share of the cuts with a hand, whatever it makes, whose hand is laid over a photograph."""

LESSONS = (2200, 800)
"""Steps of each lesson; in each the rates fall from their height to nearly nothing. The mean of the weights after each
lesson is the result: on people left out it is better than the weights after any."""

TRUNK_RATE, HEAD_RATE = 4e-4, 3e-3
LATER_RATES = 0.5
"""Initial rates of the later lessons, as a share of the first."""

WARMING = 200
"""Steps in which the rates of the first lesson rise."""

LAST = 0.01
"""Share of the rates that is left at the end of a lesson."""

POINTING = 0.3
"""Weight of the joints' loss beside the classification's."""

KEPT_EVERY = 50

SIDE_START = WORK / "side_start.pt"
"""Weights of the network that learnt from renders, from which fine-tuning on people starts."""


class SideNet(nn.Module):
    """Cuts of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → logits of shape (n, 7), joints of shape (n, 21, 2)."""

    cells: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        trunk = pretrained_trunk()
        self.lower, self.trunk = trunk[:FROZEN], trunk[FROZEN:]
        self.narrow = nn.Sequential(nn.Conv2d(CHANNELS, NARROW, 1), nn.ReLU6(), nn.Flatten())
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(NARROW * MAP * MAP, LOGITS))
        self.pointer = nn.Conv2d(CHANNELS, JOINTS, 1)
        self.touched = nn.Sequential(nn.Conv2d(CHANNELS, NARROW, 1), nn.ReLU6(), nn.Flatten(2))
        felt = nn.Dropout(0.3), nn.Linear(JOINTS * (NARROW + 2), FINGERS), nn.ReLU6()
        self.fingers = nn.Sequential(*felt, nn.Dropout(0.3), nn.Linear(FINGERS, LOGITS))
        self.register_buffer("cells", _cells(), persistent=False)
        self.lower.requires_grad_(False)

    def forward(self, cuts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits: antler, ear, neither; wide, up, straight, top. Joints: where each is likeliest, the cut's pixels."""
        logits, heat = self.both(cuts)
        return logits, heat.softmax(2) @ self.cells

    def both(self, cuts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits, and those of each cell to hold each joint, shape (n, 21, cells)."""
        with torch.no_grad():
            lower = self.lower(cuts)
        return self.of_maps(lower)

    def of_maps(self, lower: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The same as `both`, from the maps of the frozen blocks."""
        maps = self.trunk(lower)
        heat = self.pointer(maps).flatten(2)
        return self.head(self.narrow(maps)) + self._by_fingers(maps, heat), heat

    def _by_fingers(self, maps: torch.Tensor, heat: torch.Tensor) -> torch.Tensor:
        """Logits from what lies where the joints do; whoever reads there does not teach where to point."""
        shares = heat.detach().softmax(2)
        places = (shares @ self.cells - SIZE / 2) / (SIZE / 4)
        felt = torch.cat([shares @ self.touched(maps).transpose(1, 2), places], 2)
        logits: torch.Tensor = self.fingers(felt.flatten(1))
        return logits


def _cells() -> torch.Tensor:
    """The middles of the map's cells in the cut's pixels, shape (cells, 2), across first."""
    middles = (torch.arange(MAP) + 0.5) * (SIZE / MAP) - 0.5
    down, across = torch.meshgrid(middles, middles, indexing="ij")
    return torch.stack([across.flatten(), down.flatten()], 1)


@dataclass(frozen=True, slots=True)
class Mix:
    """Shares of the cuts that are of each sort; what there is none of is left out.

    Attributes:
        antler: antlers.
        ear: ears.
        hand: hands that make nothing: what ears are taken for.
        nothing: cuts without a hand.
        photograph: photographs on which nothing stands: there are few, and real rooms are what counts.
    """

    antler: float
    ear: float
    hand: float
    nothing: float
    photograph: float


BUSHES = Mix(antler=0.26, ear=0.36, hand=0.22, nothing=0.08, photograph=0.08)
"""Hands that make nothing nearly twice as often as they would come by themselves."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Training pool: stored cuts with their truth, varied anew whenever they are shown.

    Attributes:
        images: shape (n, STORED_SIZE, STORED_SIZE, 3).
        joints: of the hand in each, shape (n, 21, 2); NaN where nobody knows.
        truth: of the n.
        sorts: which rows are of each sort that a `Mix` names, in its order.
        shares: how often each sort is shown; together 1, and 0 where there is none of it.
    """

    images: npt.NDArray[np.uint8]
    joints: npt.NDArray[np.float16]
    truth: Truth
    sorts: Sequence[npt.NDArray[np.intp]]
    shares: npt.NDArray[np.float64]

    @classmethod
    def of(cls, sides: Sides, mix: Mix) -> Pool:
        """All cuts of some sides."""
        kind = sides.truth.values[:, 0]
        photographed = np.char.startswith(sides.truth.place, "group_")
        neither = (kind == NEITHER) & ~photographed
        held = np.array([hand_in_cut(joints) for joints in sides.joints])
        each = kind == ANTLER, kind == EAR, neither & held, neither & ~held, photographed
        sorts = [np.flatnonzero(rows) for rows in each]
        shares = np.array(astuple(mix)) * [len(rows) > 0 for rows in sorts]
        return cls(sides.images(), sides.joints, sides.truth, sorts, shares / shares.sum())

    def batch(self, draw: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Varied cuts, what the net shall say of them, and their joints."""
        rows = np.array([draw.choice(self.sorts[sort]) for sort in draw.choice(len(self.sorts), BATCH, p=self.shares)])
        shown = [varied(self._shown(row, draw), self.joints[row], self._another(draw), draw) for row in rows]
        cuts, joints = (np.stack(parts) for parts in zip(*shown, strict=True))
        wanted = targets_of(self.truth.values[rows], self.truth.between[rows])
        return as_inputs(cuts), *wanted, torch.from_numpy(joints.astype(np.float32))

    def _shown(self, row: int, draw: np.random.Generator) -> npt.NDArray[np.uint8]:
        """An image; of some only the hand, over a photograph."""
        if len(self._photographs) and hand_in_cut(self.joints[row]) and draw.random() < TRANSPLANTED:
            return laid_over(self.images[row], self.joints[row], self._photograph(draw), draw)
        return np.asarray(self.images[row], np.uint8)

    @property
    def _photographs(self) -> npt.NDArray[np.intp]:
        return self.sorts[-1]

    def _photograph(self, draw: np.random.Generator) -> npt.NDArray[np.uint8]:
        return np.asarray(self.images[draw.choice(self._photographs)], np.uint8)

    def _another(self, draw: np.random.Generator) -> npt.NDArray[np.uint8]:
        """Any image; half of them photographs."""
        if len(self._photographs) and draw.random() < 0.5:
            return self._photograph(draw)
        return np.asarray(self.images[draw.integers(len(self.images))], np.uint8)


def pointing_loss(heat: torch.Tensor, joints: torch.Tensor) -> torch.Tensor:
    """Loss of a net's cells against the joints: cross entropy with the four cells around each.

    Args:
        heat: logits of the cells, shape (n, 21, cells).
        joints: shape (n, 21, 2), the cut's pixels; what is not known or lies beyond the cells' middles is left aside.
    """
    steps = ((joints + 0.5) * (MAP / SIZE) - 0.5).flatten(0, 1)
    known = ((steps >= 0) & (steps < MAP - 1)).all(1)
    corner, said = steps[known].floor(), heat.flatten(0, 1)[known].log_softmax(1)
    share = steps[known] - corner
    loss = said.new_zeros(len(said))
    for across in (0, 1):
        for down in (0, 1):
            cells = (corner[:, 1].long() + down) * MAP + corner[:, 0].long() + across
            shares = (share if across else 1 - share)[:, 0] * (share if down else 1 - share)[:, 1]
            loss = loss - shares * said.gather(1, cells[:, None])[:, 0]
    return loss.sum() / (JOINTS * len(heat))


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
        heads = (self.net.narrow, self.net.head, self.net.pointer, self.net.touched, self.net.fingers)
        head = [parameter for part in heads for parameter in part.parameters()]
        parts = [{"params": trunk, "height": TRUNK_RATE}, {"params": head, "height": HEAD_RATE}]
        self.optimiser = torch.optim.AdamW(parts, weight_decay=0.02)

    @property
    def ended(self) -> bool:
        """True once every lesson is over."""
        return bool(self.step >= self.ends[-1])

    def learn(self, pool: Pool) -> float:
        """One batch; its loss."""
        for part in self.optimiser.param_groups:
            part["lr"] = part["height"] * self._share_of_height()
        cuts, wanted, known, joints = pool.batch(self.draw)
        logits, heat = self.net.both(cuts)
        loss = loss_of(logits, wanted, known) + POINTING * pointing_loss(heat, joints)
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
        step, steps = int(self.step - begin), int(self.ends[lesson] - begin)
        return (
            LATER_RATES * share_of_rate(step, steps, 1, LAST) if lesson else share_of_rate(step, steps, WARMING, LAST)
        )

    def keep(self, file: Path) -> None:
        """Write everything, all or nothing."""
        states = {name: getattr(self, name).state_dict() for name in _STATES}
        random = {"draw": self.draw.bit_generator.state, "torch": torch.get_rng_state()}
        save_state({**states, "step": self.step, **random}, file)

    def go_on(self, file: Path) -> None:
        """Take up what was written."""
        stored = torch.load(file, weights_only=False)
        for name in _STATES:
            getattr(self, name).load_state_dict(stored[name])
        self.step, self.draw.bit_generator.state = stored["step"], stored["draw"]
        torch.set_rng_state(stored["torch"])


_STATES = ("net", "mean", "optimiser")


def fit_sides(sides: Sides, mix: Mix, seed: int, lessons: Sequence[int], file: Path) -> SideNet:
    """Train one net; what the file holds of it already is not trained again.

    Args:
        sides: what to learn from.
        mix: how often each sort of them is shown.
        seed: of everything random.
        lessons: how many batches in each.
        file: where the training is kept as it goes.
    """
    learning = Learning(seed, lessons)
    if file.exists():
        learning.go_on(file)
    pool, losses = Pool.of(sides, mix), []
    while not learning.ended:
        losses.append(learning.learn(pool))
        if learning.step % KEPT_EVERY == 0 or learning.ended:
            learning.keep(file)
            print(f"side net: step {learning.step} of {learning.ends[-1]}, loss {np.mean(losses):.4f}", flush=True)
            losses.clear()
    return cast("SideNet", learning.mean.module).eval()


@torch.no_grad()
def side_logits(net: SideNet, images: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Logits of a net for stored cuts, shape (n, 7)."""
    cuts = middle_of(images)
    logits = [net(as_inputs(part))[0] for part in np.array_split(cuts, max(1, len(cuts) // 64))]
    return np.asarray(torch.cat(logits), np.float32)
