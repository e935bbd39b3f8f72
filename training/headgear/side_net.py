"""Side network, which classifies a crop of one side of a head, and the views for its training.

The first head of the network reads the flattened maps of the trunk, since the position of a hand matters as much as its
shape. The second locates the joints of the hand by heatmaps. The third pools the maps at these joints, wherever they
are. The network is trained on renders and then fine-tuned on renders, real people and composites.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.side_net import SIZE
from training.content_cache import code_of, keyed
from training.evaluate.side_labels import Held
from training.headgear.composites import augmented, central_crops, hand_in_crop, pasted_over
from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER
from training.headgear.gather import WORK
from training.headgear.targets import LOGITS, loss_of, targets_of
from training.training_loop import Part, Recipe, by_share, seeded, share_of_rate, train, trained_once
from training.trunk import CHANNELS, TrunkNet, as_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.headgear.composites import Compositor
    from training.headgear.examples import Sides, Truth
    from training.headgear.people import PersonSide
    from training.trunk import Batch

    Joints = npt.NDArray[np.floating]
    View = tuple[Image, Sequence[int] | npt.NDArray[np.int8], npt.NDArray[np.bool_], Joints, str]
    """A stored crop, its `Truth.values` and `Truth.between`, its joints, and the person; "" for a render."""

MAP: Final = SIZE // 16
NARROW, JOINTS, FINGERS, DROPPED = 32, 21, 64, 0.3


class SideNet(TrunkNet):
    """Crops of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → logits of shape (n, 7), joints of shape (n, 21, 2).

    Logits: antler, ear, neither; wide, up, straight, top. Joints: soft-argmax of the heatmaps, in the crop's pixels.
    """

    cells: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.narrow = nn.Sequential(nn.Conv2d(CHANNELS, NARROW, 1), nn.ReLU6(), nn.Flatten())
        self.head = nn.Sequential(nn.Dropout(DROPPED), nn.Linear(NARROW * MAP * MAP, LOGITS))
        self.pointer = nn.Conv2d(CHANNELS, JOINTS, 1)
        self.touched = nn.Sequential(nn.Conv2d(CHANNELS, NARROW, 1), nn.ReLU6(), nn.Flatten(2))
        hidden = nn.Dropout(DROPPED), nn.Linear(JOINTS * (NARROW + 2), FINGERS), nn.ReLU6()
        self.fingers = nn.Sequential(*hidden, nn.Dropout(DROPPED), nn.Linear(FINGERS, LOGITS))
        self.register_buffer("cells", _cells(), persistent=False)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and joints."""
        logits, heat = self.outputs(crops)
        return logits, heat.softmax(2) @ self.cells

    def of_maps(self, maps: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits, and a heatmap of logits for each joint, shape (n, 21, cells)."""
        return self.read(self.trunk(maps))

    def upper_maps(self, crops: torch.Tensor) -> torch.Tensor:
        """Return the maps of the whole trunk."""
        maps: torch.Tensor = self.trunk(self.lower(crops))
        return maps

    def read(self, maps: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the same as `of_maps`, for the maps of the whole trunk."""
        heat = self.pointer(maps).flatten(2)
        return self.head(self.narrow(maps)) + self._joint_logits(maps, heat), heat

    def _joint_logits(self, maps: torch.Tensor, heat: torch.Tensor) -> torch.Tensor:
        """Return logits from the features at the joints. The gradient stops at the heatmaps."""
        attention = heat.detach().softmax(2)
        places = (attention @ self.cells - SIZE / 2) / (SIZE / 4)
        features = torch.cat([attention @ self.touched(maps).transpose(1, 2), places], 2)
        return self.fingers(features.flatten(1))

    def parts(self, trunk_rate: float, head_rate: float, decay: float) -> tuple[Part, Part]:
        """Return all trainable parts."""
        heads = self.narrow, self.head, self.pointer, self.touched, self.fingers
        return Part([self.trunk], trunk_rate, decay), Part(heads, head_rate, decay)


def _cells() -> torch.Tensor:
    """Return the centres of the map's cells in the crop's pixels, x first, shape (cells, 2)."""
    middles = (torch.arange(MAP) + 0.5) * (SIZE / MAP) - 0.5
    down, across = torch.meshgrid(middles, middles, indexing="ij")
    return torch.stack([across.flatten(), down.flatten()], 1)


def side_loss(
    outputs: tuple[torch.Tensor, torch.Tensor],
    targets: tuple[torch.Tensor, torch.Tensor],
    joints: npt.NDArray[np.floating],
    pointing: float,
) -> torch.Tensor:
    """Return the loss of logits and joints.

    Args:
        outputs: logits and heatmaps (`SideNet.of_maps`).
        targets: target probabilities and known fields (`targets_of`).
        joints: shape (n, 21, 2), the crop's pixels; NaN if unknown.
        pointing: weight of the joints' loss.
    """
    logits, heat = outputs
    known = torch.from_numpy(np.nan_to_num(joints, nan=-SIZE).astype(np.float32))
    return loss_of(logits, *targets) + pointing * _heatmap_loss(heat, known)


def _heatmap_loss(heat: torch.Tensor, joints: torch.Tensor) -> torch.Tensor:
    """Return the cross entropy of the heatmaps with bilinear weights on the four cells around each joint.

    Joints beyond the centres of the outermost cells are ignored.
    """
    steps = ((joints + 0.5) * (MAP / SIZE) - 0.5).flatten(0, 1)
    known = ((steps >= 0) & (steps < MAP - 1)).all(1)
    corner, log_heat = steps[known].floor(), heat.flatten(0, 1)[known].log_softmax(1)
    share = steps[known] - corner
    loss = log_heat.new_zeros(len(log_heat))
    for across in (0, 1):
        for down in (0, 1):
            cells = (corner[:, 1].long() + down) * MAP + corner[:, 0].long() + across
            shares = (share if across else 1 - share)[:, 0] * (share if down else 1 - share)[:, 1]
            loss = loss - shares * log_heat.gather(1, cells[:, None])[:, 0]
    return loss.sum() / (JOINTS * len(heat))


@torch.no_grad()
def side_logits(net: SideNet, images: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the logits of a network for stored crops, shape (n, 7)."""
    crops = central_crops(images)
    logits = [net(as_inputs(part))[0] for part in np.array_split(crops, max(1, len(crops) // 64))]
    return np.asarray(torch.cat(logits), np.float32)


START_SHARES: Final = (0.26, 0.36, 0.22, 0.08, 0.08)
"""Shares of antlers, ears, other hands, empty sides, and photographs of empty sides in the first training. Other hands
are oversampled nearly twofold. Classes without any example are left out."""

PASTED_START_SHARE: Final = 0.4
"""Share of rendered hands that are pasted over a photograph."""

SEED: Final = 1
BATCH: Final = 48
CYCLES: Final = (2200, 800)
"""Steps of each cosine cycle of the learning rates. The result is the mean of the weights after the cycles, which is
better on held-out people than the weights after any single one."""

TRUNK_RATE, HEAD_RATE, DECAY = 4e-4, 3e-3, 0.02
LATER_RATES, WARM_UP, LAST = 0.5, 200, 0.01
"""Learning rates at the start of a later cycle, as a share of the highest ones; steps of the warm-up in the first
cycle; share of the rates that is left at the end of a cycle."""

POINTING: Final = 0.3
"""Weight of the heatmap loss, relative to the loss of the logits."""

RENDERED, PEOPLE, COMPOSITED = 4500, 5500, 6000
"""Number of fine-tuning views of each source."""

RENDER_SHARES: Final = (0.33, 0.36, 0.20, 0.11)
"""Shares of antlers, ears, other hands and empty sides among rendered views."""

PEOPLE_SHARES: Final = (0.20, 0.45, 0.25, 0.07, 0.03)
"""Shares of headgear, other hands and empty sides among views of people, and of headgear and other hands with likely
labels. A person's weight is the square root of the number of sides."""

PASTED_SHARE: Final = 0.5
"""Share of rendered hands that are pasted over a real head."""

PLAIN: Final = np.zeros(len(COLUMNS), np.bool_)
"""Value of `Truth.between` if no field is between two values."""


class RenderedSides:
    """Stored sides of rendered heads, and of photographed heads without hands.

    Attributes:
        images: shape (n, STORED_SIZE, STORED_SIZE, 3).
        joints: joints of the hand in each, shape (n, 21, 2); NaN if unknown.
        truth: truth of each side.
        has_hand: True if the joints of a hand are known and in the image, shape (n,).
        sorts: rows of antlers, ears, other hands, empty sides, photographs.
    """

    def __init__(self, sides: Sides) -> None:
        self.images, self.joints, self.truth = sides.images(), sides.joints, sides.truth
        self.has_hand = np.array([hand_in_crop(joints) for joints in sides.joints])
        kind = sides.truth.values[:, 0]
        photographed = np.char.startswith(sides.truth.place, "group_")
        neither = (kind == NEITHER) & ~photographed
        masks = kind == ANTLER, kind == EAR, neither & self.has_hand, neither & ~self.has_hand, photographed
        self.sorts = [np.flatnonzero(mask) for mask in masks]


class StartingViews:
    """Views for the start of the side network, augmented differently each time."""

    def __init__(self, sides: Sides) -> None:
        self._sides = RenderedSides(sides)
        shares = np.array(START_SHARES) * [len(rows) > 0 for rows in self._sides.sorts]
        self._shares = shares / shares.sum()

    def batch(self, draw: np.random.Generator) -> tuple[npt.NDArray[np.uint8], Truth, Joints]:
        """Return inputs of the network, with their truth and joints."""
        sides = self._sides
        sorts = draw.choice(len(sides.sorts), BATCH, p=self._shares)
        rows = np.array([draw.choice(sides.sorts[sort]) for sort in sorts])
        shown = [augmented(self._shown(row, draw), sides.joints[row], self._another(draw), draw) for row in rows]
        crops, joints = (np.stack(parts) for parts in zip(*shown, strict=True))
        return crops, sides.truth.take(rows), joints

    def _shown(self, row: int, draw: np.random.Generator) -> Image:
        """Return a stored crop; some hands are pasted over a photograph."""
        sides = self._sides
        if len(sides.sorts[-1]) and sides.has_hand[row] and draw.random() < PASTED_START_SHARE:
            return pasted_over(sides.images[row], sides.joints[row], self._photograph(draw), draw)
        return np.asarray(sides.images[row])

    def _photograph(self, draw: np.random.Generator) -> Image:
        return np.asarray(self._sides.images[draw.choice(self._sides.sorts[-1])])

    def _another(self, draw: np.random.Generator) -> Image:
        """Return any stored crop, with a chance of one half a photograph."""
        if len(self._sides.sorts[-1]) and draw.random() < 0.5:
            return self._photograph(draw)
        return np.asarray(self._sides.images[draw.integers(len(self._sides.images))])


def cached_start(sides: Sides) -> SideNet:
    """Return the network trained on renders, from which fine-tuning starts, from the cache if possible."""
    file = keyed(WORK / "side.pt", sides, SEED, CYCLES, code_of(__file__))
    return trained_once(file, SideNet(), partial(_trained, sides))


def _trained(sides: Sides, checkpoint: Path) -> SideNet:
    draw = seeded(SEED)
    net = SideNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    views = StartingViews(sides)

    def loss(_: int) -> torch.Tensor:
        crops, truth, joints = views.batch(draw)
        return side_loss(net.outputs(as_inputs(crops)), targets_of(truth.values, truth.between), joints, POINTING)

    ends = np.cumsum(CYCLES).tolist()
    parts = net.parts(TRUNK_RATE, HEAD_RATE, DECAY)
    recipe = Recipe("side network", parts, ends[-1], by_share(_share_of_rate), mean_after=ends, clip=5.0)
    return train(net, recipe, loss, draw, checkpoint)


def _share_of_rate(step: int) -> float:
    """Return the share of the highest learning rates: a warm-up, then cosine annealing with restarts."""
    ends = np.cumsum(CYCLES)
    cycle = min(int(np.searchsorted(ends, step, side="right")), len(CYCLES) - 1)
    within, steps = int(step - ends[cycle] + CYCLES[cycle]), CYCLES[cycle]
    return LATER_RATES * share_of_rate(within, steps, 1, LAST) if cycle else share_of_rate(step, steps, WARM_UP, LAST)


class TuningViews:
    """Random views of rendered sides, real people and composites, for fine-tuning."""

    def __init__(self, renders: Sides, people: Sequence[PersonSide], compositor: Compositor, seed: int) -> None:
        self._draw, self._compositor = np.random.default_rng(seed), compositor
        self._renders = RenderedSides(renders)
        sure, likely = ([side for side in people if side.sure is known] for known in (True, False))
        self._empty = _held(sure, Held.EMPTY)
        headgear, likely_headgear = (_held(sides, Held.ANTLER, Held.EAR) for sides in (sure, likely))
        others, likely_others = (_held(sides, Held.OTHER_HAND) for sides in (sure, likely))
        groups = headgear, others, self._empty, likely_headgear, likely_others
        self._groups = [_by_person(group) for group in groups]

    def batches(self, size: int) -> Iterator[Batch]:
        """Yield batches of all views in random order, with `values`, `between`, `joints` and `person` as labels."""
        factories: list[Callable[[], View]] = [self._rendered] * RENDERED
        factories += [self._of_people] * PEOPLE + [self._composited] * COMPOSITED
        order = self._draw.permutation(len(factories))
        for first in range(0, len(factories), size):
            views = [factories[index]() for index in order[first : first + size]]
            shown = [
                augmented(crop, joints.astype(np.float16), self._another(), self._draw)
                for crop, _, _, joints, _ in views
            ]
            crops, joints = (np.stack(parts) for parts in zip(*shown, strict=True))
            _, values, between, _, person = zip(*views, strict=True)
            labels = {"values": np.array(values, np.int8), "between": np.array(between), "person": np.array(person)}
            yield crops, labels | {"joints": joints.astype(np.float32)}

    def _rendered(self) -> View:
        """Return a rendered side; some hands are pasted over a real head."""
        renders, draw = self._renders, self._draw
        row = int(draw.choice(renders.sorts[int(draw.choice(len(RENDER_SHARES), p=RENDER_SHARES))]))
        image, joints, person = renders.images[row], renders.joints[row], ""
        if renders.has_hand[row] and draw.random() < PASTED_SHARE:
            head = self._empty_side()
            image, person = pasted_over(image, joints, head.cut, draw), head.person
        return image, renders.truth.values[row], renders.truth.between[row], joints, person

    def _of_people(self) -> View:
        """Return a side of a real person."""
        people, shares = self._groups[int(self._draw.choice(len(self._groups), p=PEOPLE_SHARES))]
        sides = people[int(self._draw.choice(len(people), p=shares))]
        side = sides[int(self._draw.integers(len(sides)))]
        return side.cut, side.values, side.between, side.joints, side.person

    def _composited(self) -> View:
        """Return a photographed hand at a real head."""
        head = self._empty_side()
        cut, values, joints = self._compositor.over(head.cut)
        return cut, values, PLAIN, joints, head.person

    def _another(self) -> Image:
        """Return any rendered image, for patches and haze."""
        return np.asarray(self._renders.images[self._draw.integers(len(self._renders.images))])

    def _empty_side(self) -> PersonSide:
        return self._empty[int(self._draw.integers(len(self._empty)))]


def _held(sides: Sequence[PersonSide], *contents: Held) -> list[PersonSide]:
    """Return the sides with any of the contents."""
    return [side for side in sides if side.held in contents]


def _by_person(sides: Sequence[PersonSide]) -> tuple[list[list[PersonSide]], npt.NDArray[np.float64]]:
    """Return the sides of each person, and each person's weight, the square root of their number."""
    people: dict[str, list[PersonSide]] = {}
    for side in sides:
        people.setdefault(side.person, []).append(side)
    roots = np.sqrt([len(group) for group in people.values()])
    return [*people.values()], roots / roots.sum()
