"""Side network from gathered renders, people and composites: `python -m training.headgear.train_sides`.

The side network reads sides of heads on which no hand was detected. It starts from renders, and photographs of heads
without hands. One of five persons is left out, on whom the start is measured and the pairwise prior of both sides is
counted (`models/logit_scaling.toml`).

Then it is fine-tuned on real people, composites and renders. Views are made once, and the maps of the frozen lower
blocks for them are kept, so that every fold learns from the same ones. The shipped weights are interpolated between the
start and the fine-tuned ones (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022): people gain nearly all,
renders lose little. A network is also trained without each fold of persons. The answers about the people left out fit
the scale of the side network. Everything is seeded, with checkpoints in `training/work/headgear/`.
"""

from __future__ import annotations

from copy import deepcopy
from functools import cached_property
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import torch

from bunnymoose_cv.vision.headgear.logit_scaling import Seen
from training.content_cache import code_of, keyed
from training.evaluate.people import read_people
from training.headgear.composites import Compositor, cached_hands
from training.headgear.examples import Hands, Truth
from training.headgear.gather import GROUPS, PACKED_HANDS, WORK, packed_sides
from training.headgear.people import TABLE, cached_people, truth_of
from training.headgear.presence import fitted_presence, write_side_net
from training.headgear.scaling import fitted, pairs_of, pairs_of_hands, write_pairs, write_scales
from training.headgear.side_net import (
    COMPOSITED,
    PEOPLE,
    RENDERED,
    SideNet,
    TuningViews,
    cached_start,
    side_logits,
    side_loss,
)
from training.headgear.splits import by_person
from training.headgear.targets import LOGITS, report, targets_of
from training.manifest import record_models
from training.paths import MODELS
from training.training_loop import Recipe, arrays_of, cosine, interpolated, seeded, train, trained_once
from training.trunk import MappedViews, views_once

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    import numpy.typing as npt

    from bunnymoose_cv.vision.headgear.logit_scaling import Logits, Scale
    from training.headgear.splits import Split

EPOCHS, BATCH, WARM_UP, LAST = 4, 64, 60, 0.01
TRUNK_RATE, HEAD_RATE, DECAY, AVERAGING = 2.5e-4, 1.2e-3, 0.03, 0.99
POINTING: Final = 0.2
"""Weight of the heatmap loss, relative to the loss of the logits."""

INTERPOLATED: Final = 0.5
"""Share of the fine-tuned weights in the shipped ones. With 0.75 or 1 fewer hands are asked about, but real ears of a
held-out source are missed (docs/experiments/001-side-network-on-people.md)."""

RENDERS_WEIGHT: Final = 0.5
"""Total weight of the renders in the fit of the scale; all people together have 1."""


class FineTuning:
    """Fine-tuned side networks: one on all people, and those without each group of a split.

    Attributes:
        people: all sides of people.
    """

    def __init__(self, start: SideNet) -> None:
        """Load the views, which are made first if they are not cached."""
        self._start = start
        self.people, self._crops = cached_people(), read_people(TABLE).rows
        hands, sides, shown = cached_hands(), packed_sides(), self.people + cached_people(sure=False)
        training, self._unseen = sides.parted(sides.truth.left_out)
        file = keyed(WORK / "views.npz", arrays_of(self._start), shown, hands, training, code_of(__file__))

        def views() -> TuningViews:
            return TuningViews(training, shown, Compositor(hands, training, np.random.default_rng(2)), seed=1)

        count = RENDERED + PEOPLE + COMPOSITED
        self._views = views_once(file, self._start.lower, count, lambda: views().batches(BATCH))
        self._folds = by_person(self._crops)

    @classmethod
    def from_cached_start(cls) -> FineTuning:
        """Return the fine-tuning of the cached start, which is trained first if it is missing."""
        sides = packed_sides(GROUPS)
        return cls(cached_start(sides.parted(sides.truth.left_out)[0]))

    def net(self) -> SideNet:
        """Return the network trained on all people, from the cache if possible."""
        return self._cached(keyed(WORK / "side_tuned.pt", self._views.name), lambda: np.arange(len(self._views)))

    def without(self, split: Split, group: int) -> SideNet:
        """Return the network trained without a group of people, from the cache if possible."""
        unseen = sorted(split.persons_in(group, self._crops))
        file = keyed(WORK / f"side_{split.name}{group}.pt", self._views.name, unseen)
        return self._cached(file, lambda: split.rows_without(group, self._crops, self._views.truth["person"]))

    def scales(self, unseen: Collection[str] = ()) -> dict[Seen, Scale]:
        """Fit the scales of the first and the second look on out-of-fold logits of people, regularised by renders.

        A side without a detected hand is mostly empty, so the first scale is fitted with the kinds as often as they
        occur. For the second look the kinds have equal weight.

        Args:
            unseen: persons on whom nothing is fitted.
        """
        known = np.array([side.person not in unseen for side in self.people], float)
        _, which, counts = np.unique([side.held.value for side in self.people], return_inverse=True, return_counts=True)
        weights = {
            Seen.SIDE: known * [side.hand is None for side in self.people],
            Seen.SECOND_LOOK: known / counts[which],
        }
        return {seen: self._fitted(side_weights) for seen, side_weights in weights.items()}

    def _fitted(self, weights: npt.NDArray[np.float64]) -> Scale:
        """Fit a scale on the logits of all people, weighted, and on held-out renders."""
        count = len(self._unseen)
        render_weights = np.full(count, RENDERS_WEIGHT / max(count, 1))
        truth = Truth.join([truth_of(self.people), self._unseen.truth])
        return fitted(self._logits, truth, np.concatenate([weights / weights.sum(), render_weights]))

    @cached_property
    def _logits(self) -> Logits:
        """Logits of all people out of fold, then those of held-out renders, shape (n, 7)."""
        split = self._folds
        folds = np.array([split.group_of(side.person, side.source) for side in self.people])
        logits = np.zeros((len(self.people), LOGITS), np.float32)
        for fold in range(split.groups):
            rows = np.flatnonzero(folds == fold)
            logits[rows] = side_logits(self.without(split, fold), np.stack([self.people[row].cut for row in rows]))
        return np.concatenate([logits, side_logits(self.without(split, 0), self._unseen.images())])

    def _cached(self, file: Path, rows: Callable[[], npt.NDArray[np.intp]]) -> SideNet:
        net = trained_once(file, deepcopy(self._start), lambda _: _trained(self._start, self._views, rows()))
        net.load_state_dict(interpolated(self._start.state_dict(), net.state_dict(), INTERPOLATED))
        return net


def _trained(start: SideNet, views: MappedViews, rows: npt.NDArray[np.intp]) -> SideNet:
    draw, net, order = seeded(0), deepcopy(start), rows

    def loss(step: int) -> torch.Tensor:
        nonlocal order
        if step * BATCH % len(rows) < BATCH:
            order = draw.permutation(rows)
        batch = np.sort(np.take(order, range(step * BATCH, (step + 1) * BATCH), mode="wrap"))
        truth = views.truth
        targets = targets_of(truth["values"][batch], truth["between"][batch])
        return side_loss(net.of_maps(views.inputs(batch)), targets, truth["joints"][batch], POINTING)

    steps = EPOCHS * len(rows) // BATCH
    parts, schedule = net.parts(TRUNK_RATE, HEAD_RATE, DECAY), cosine(steps, WARM_UP, LAST)
    return train(net, Recipe("fine-tuning", parts, steps, schedule, ema=AVERAGING, clip=5.0), loss, draw)


def _measured_start() -> SideNet:
    """Return the start, after measuring it on held-out people and writing their pairwise priors."""
    sides = packed_sides(GROUPS)
    training, unseen = sides.parted(sides.truth.left_out)
    start, hands = cached_start(training), Hands.load(PACKED_HANDS).truth
    report("sides of rendered heads", side_logits(start, unseen.images()), unseen.truth)
    write_pairs(pairs_of(unseen.truth), pairs_of_hands(unseen.truth, hands.place[hands.left_out]))
    return start


def main() -> None:
    """Train the start, fine-tune it, write `models/side.onnx`, its scale and the pairwise priors."""
    torch.set_num_threads(1)  # these networks are too small for more threads
    cv2.setNumThreads(1)
    tuning = FineTuning(_measured_start())
    write_scales(tuning.scales())
    net = tuning.net()
    write_side_net(net, fitted_presence(net, tuning.people), MODELS / "side.onnx")
    record_models()


if __name__ == "__main__":
    main()
