"""Training of the hand-shape network, `models/hand_shape.onnx`: `python -m training.hand_shape`.

The training data are photographed hands of `../shared/hands`, and hands of rendered players, half of them pasted over
photographed heads. They contain no hand of `../shared/people`, so all predictions for them are out of fold.
Every other rendered person is left out, too; with them the hand network learns how reliable this network is.

Views are made once, and the maps of the frozen lower blocks are cached. The training is seeded, and its checkpoints are
in `training/work/headgear/`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.hand_shape import SIZE, HandFrame
from training.augmentation import PHOTOGRAPHED
from training.content_cache import code_of, keyed
from training.export import export
from training.gathering import is_left_out
from training.hand_shape.hand_images import SHAPES, group_heads, is_in_shape_training, photographs, rendered
from training.headgear.composites import hand_in_crop, pasted_over
from training.headgear.examples import NEITHER, UNKNOWN, Shape
from training.headgear.gather import WORK, packed_sides
from training.headgear.hand_examples import balanced_weights
from training.manifest import record_models
from training.paths import MODELS
from training.training_loop import Part, Recipe, arrays_of, cosine, seeded, train, trained_once
from training.trunk import CHANNELS, TrunkNet, as_inputs, views_once

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.hand_shape.hand_images import HandImage
    from training.headgear.examples import Sides
    from training.trunk import Batch, MappedViews

NARROW, DROPPED = 48, 0.3


class ShapeNet(TrunkNet):
    """Crops of shape (n, 3, SIZE, SIZE), blue-green-red, 0 to 1 → logits of each `Shape`, wide, straight: (n, 6)."""

    def __init__(self) -> None:
        super().__init__()
        cells = (SIZE // 16) ** 2
        narrow = nn.Conv2d(CHANNELS, NARROW, 1), nn.ReLU6(), nn.Flatten()
        self.head = nn.Sequential(*narrow, nn.Dropout(DROPPED), nn.Linear(NARROW * cells, SHAPES + 2))

    def of_maps(self, maps: torch.Tensor) -> torch.Tensor:
        """Return the logits for maps of the lower blocks."""
        logits: torch.Tensor = self.head(self.trunk(maps))
        return logits


VIEWS: Final = 44_000
PHOTOGRAPHED_SHARE: Final = 0.6
PASTED_SHARE: Final = 0.5
"""Share of rendered hands that are pasted over a photographed head."""

ABSENT: Final = 0.25
"""Share of rendered hands replaced by a crop without a hand, since the detector has false positives."""

UNKNOWN_FIELDS: Final = np.full(2, UNKNOWN, np.int8)

SHARES: Final = {Shape.OPEN: 0.26, Shape.TWO: 0.24, Shape.FOUR: 0.14, Shape.OTHER: 0.36}
WHITE: Final = 255
SIZE_VARIED, TURNED, SHIFTED, JOINTS_VARIED = 0.12, 14.0, 0.05, 0.03
"""Standard deviations of the crop's size (of its logarithm), direction (degrees), place and joints (in extents)."""


class ShapeViews:
    """Augmented views of photographed and rendered hands."""

    def __init__(
        self,
        photographed: Sequence[HandImage],
        renders: Sequence[HandImage],
        heads: Sequence[Image],
        empty: Sequence[Image],
    ) -> None:
        self._draw = np.random.default_rng(1)
        self._sources = [(hands, _weights(hands)) for hands in (photographed, renders)]
        self._heads, self._empty = heads, empty

    def batches(self, size: int) -> Iterator[Batch]:
        """Yield all views, batch by batch, with their shape and fields."""
        for first in range(0, VIEWS, size):
            hands = [self._drawn() for _ in range(first, min(first + size, VIEWS))]
            crops = np.stack([self._varied(hand) for hand in hands])
            yield (
                crops,
                {
                    "shape": np.stack([hand.shape for hand in hands]),
                    "fields": np.stack([hand.fields for hand in hands]),
                },
            )

    def _drawn(self) -> HandImage:
        """Draw a hand; half of the rendered ones are pasted over a photographed head."""
        draw, is_render = self._draw, self._draw.random() >= PHOTOGRAPHED_SHARE
        hands, weights = self._sources[int(is_render)]
        hand = hands[int(draw.choice(len(hands), p=weights))]
        if is_render and draw.random() < ABSENT:
            empty = (self._head if draw.random() < 0.5 else self._empty_side)()
            return replace(
                hand, image=empty, shape=np.eye(SHAPES, dtype=np.float32)[Shape.OTHER], fields=UNKNOWN_FIELDS
            )
        if is_render and draw.random() < PASTED_SHARE:
            return replace(hand, image=pasted_over(hand.image, hand.joints, self._head(), draw))
        return hand

    def _varied(self, hand: HandImage) -> Image:
        """Return the augmented crop of a hand: another camera, other light, and errors of the hand detector."""
        draw, exact = self._draw, HandFrame.around(hand.joints.astype(np.float32))
        noise = draw.normal(0, JOINTS_VARIED * exact.extent, hand.joints.shape)
        frame = HandFrame.around((hand.joints + noise).astype(np.float32))
        x, y = np.asarray(frame.centre) + draw.normal(0, SHIFTED * frame.extent, 2)
        frame = HandFrame(
            (float(x), float(y)),
            frame.extent * float(np.exp(draw.normal(0, SIZE_VARIED))),
            frame.lean_degrees + draw.normal(0, TURNED),
        )
        mirrored = bool(draw.random() < 0.5)
        crop, inside = (frame.cut(image, mirrored=mirrored) for image in (hand.image, np.full_like(hand.image, WHITE)))
        crop = np.where(inside == WHITE, crop, self._head()[:SIZE, :SIZE])  # photographs are cropped tightly
        if draw.random() < 0.3:
            self._haze(crop)
        return PHOTOGRAPHED(crop, draw)

    def _haze(self, crop: Image) -> None:
        """Blend a strip or a faint image of a head into a crop."""
        draw, other = self._draw, self._head()[:SIZE, :SIZE]
        if draw.random() < 0.5:
            width = round(SIZE * draw.uniform(0.05, 0.25))
            crop[:, -width:] = other[:, -width:]
        else:
            share = draw.uniform(0.08, 0.28)
            crop[:] = cv2.addWeighted(crop, 1 - share, other, share, 0)

    def _empty_side(self) -> Image:
        return self._empty[int(self._draw.integers(len(self._empty)))]

    def _head(self) -> Image:
        return self._heads[int(self._draw.integers(len(self._heads)))]


def _weights(hands: Sequence[HandImage]) -> npt.NDArray[np.float64]:
    """Weight each shape by its share, with nearly equal weights of persons and of fields within it."""
    shapes = np.array([int(hand.shape.argmax()) for hand in hands])
    names = np.array([f"{hand.person} {hand.fields}" for hand in hands])
    looks = np.array([str(hand.fields) for hand in hands])
    weights = np.zeros(len(hands))
    for shape, share in SHARES.items():
        rows = np.flatnonzero(shapes == shape)
        if len(rows):
            balanced = balanced_weights(names[rows]) * balanced_weights(looks[rows], 0.7)
            weights[rows] = share * balanced / balanced.sum()
    return weights / weights.sum()


SEED, EPOCHS, BATCH = 1, 4, 64
TRUNK_RATE, HEAD_RATE, DECAY, WARM_UP, LAST = 6e-4, 2e-3, 0.03, 200, 0.01
SMOOTHED, FIELD_WEIGHT = 0.04, 0.5


def trained(views: MappedViews, checkpoint: Path) -> ShapeNet:
    """Train the network on views."""
    draw, net, order = seeded(SEED), ShapeNet(), np.arange(len(views))
    targets = torch.from_numpy(views.truth["shape"] * (1 - SMOOTHED) + SMOOTHED / SHAPES)
    fields = torch.from_numpy(views.truth["fields"].astype(np.float32))

    def loss(step: int) -> torch.Tensor:
        nonlocal order
        if step * BATCH % len(views) < BATCH:
            order = draw.permutation(len(views))
        rows = np.sort(np.take(order, range(step * BATCH, (step + 1) * BATCH), mode="wrap"))
        logits = net.of_maps(views.inputs(rows))
        shape = nn.functional.cross_entropy(logits[:, :SHAPES], targets[rows])
        known, smooth = (fields[rows] >= 0).float(), fields[rows].clamp(SMOOTHED / 2, 1 - SMOOTHED / 2)
        field_loss = nn.functional.binary_cross_entropy_with_logits(logits[:, SHAPES:], smooth, reduction="none")
        return shape + FIELD_WEIGHT * (known * field_loss).sum() / len(rows)

    steps = EPOCHS * len(views) // BATCH
    parts = [Part([net.trunk], TRUNK_RATE, DECAY), Part([net.head], HEAD_RATE, DECAY)]
    return train(
        net,
        Recipe("hand shape", parts, steps, cosine(steps, WARM_UP, LAST), ema=0.998, clip=5.0),
        loss,
        draw,
        checkpoint,
    )


@torch.no_grad()
def shape_logits(net: ShapeNet, hands: Sequence[HandImage]) -> npt.NDArray[np.float32]:
    """Return the logits of hands, cropped as in the product, shape (n, 6)."""
    crops = [HandFrame.around(hand.joints.astype(np.float32)).cut(hand.image, mirrored=False) for hand in hands]
    parts = np.array_split(np.stack(crops), max(1, len(crops) // 64))
    return np.asarray(torch.cat([net(as_inputs(part)) for part in parts]), np.float32)


def report(name: str, net: ShapeNet, hands: Sequence[HandImage]) -> None:
    """Print the accuracy of each shape and field, without shapes between two."""
    sure = [hand for hand in hands if hand.shape.max() == 1]
    logits = shape_logits(net, sure)
    predicted, truth = logits[:, :SHAPES].argmax(1), np.array([hand.shape.argmax() for hand in sure])
    hits = {shape: predicted[truth == shape] == shape for shape in Shape}
    parts = [f"{shape.name.lower()} {right.mean():.3f} of {len(right)}" for shape, right in hits.items() if len(right)]
    fields = np.stack([hand.fields for hand in sure])
    for column, word in enumerate(("wide", "straight")):
        known = fields[:, column] >= 0
        right = (logits[known, SHAPES + column] > 0) == (fields[known, column] > 0)
        parts.append(f"{word} {right.mean():.3f} of {known.sum()}")
    print(f"{name}:", "; ".join(parts), flush=True)


def cached_shape_net() -> tuple[ShapeNet, list[HandImage], list[HandImage]]:
    """Return the network, from the cache if possible, and the photographed and rendered hands of held-out people."""
    sides = packed_sides()
    photographed, renders, heads = photographs(), rendered(sides), group_heads()
    empty = list(sides.take(np.flatnonzero(_is_empty(sides))).images())
    training = [hand for hand in photographed if not is_left_out(hand.person)]
    shown = [hand for hand in renders if not is_left_out(hand.person) and is_in_shape_training(hand.person)]
    torch.manual_seed(SEED)
    start = ShapeNet()
    file = keyed(
        WORK / "shape_views.npz", arrays_of(start.lower), code_of(__file__), [hand.person for hand in training], sides
    )
    views = views_once(file, start.lower, VIEWS, lambda: ShapeViews(training, shown, heads, empty).batches(BATCH))
    net = trained_once(keyed(WORK / "hand_shape.pt", views.name), start, lambda part: trained(views, part))
    left_out = [[hand for hand in hands if is_left_out(hand.person)] for hands in (photographed, renders)]
    return net, left_out[0], left_out[1]


def _is_empty(sides: Sides) -> npt.NDArray[np.bool_]:
    """Return a mask of the sides of rendered heads in training that show no hand."""
    holding = np.array([hand_in_crop(joint) for joint in sides.joints])
    return np.asarray(~holding & (sides.truth.values[:, 0] == NEITHER) & ~sides.truth.left_out)


def main() -> None:
    """Train, measure on held-out people, and write the shipped model."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net, photographed, renders = cached_shape_net()
    report("photographed hands of people left out", net, photographed)
    report("hands of rendered people left out", net, renders)
    export(net, torch.zeros(2, 3, SIZE, SIZE), MODELS / "hand_shape.onnx", "crops", ("shapes",))
    record_models()
