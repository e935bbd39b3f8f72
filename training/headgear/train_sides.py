"""Start of the side network from gathered renders: `python -m training.headgear.train_sides`.

The side network reads sides of heads on which no hand was detected. It is then fine-tuned on people (`fine_tune.py`).
Also counts the pairwise prior of both sides in `models/logit_scaling.toml`. Everything is seeded, and kept in
`training/work/headgear/` as it goes. One of five persons is left out of training; on them the network is measured.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
import torch

from training.content_cache import code_of, keyed
from training.headgear.examples import Hands, Sides
from training.headgear.gather import GROUPS, PACKED_HANDS, WORK, packed_sides
from training.headgear.scaling import pairs_of, pairs_of_hands, write_pairs
from training.headgear.side_net import SideNet, side_logits, side_loss
from training.headgear.side_views import StartingViews
from training.headgear.targets import report, targets_of
from training.training_loop import Recipe, by_share, seeded, share_of_rate, train, trained_once
from training.trunk import as_inputs

if TYPE_CHECKING:
    from pathlib import Path

SEED: Final = 1
BATCH: Final = 48
LESSONS: Final = (2200, 800)
"""Steps of each lesson; in each the rates fall to nearly nothing. The mean of the weights after each lesson is the
result: on people left out it is better than the weights after any."""

TRUNK_RATE, HEAD_RATE, DECAY = 4e-4, 3e-3, 0.02
LATER_RATES, WARM_UP, LAST = 0.5, 200, 0.01
"""Share of the rates with which the later lessons begin, steps in which those of the first rise, share that is left at
the end of a lesson."""

POINTING: Final = 0.3
"""Weight of the joints' loss beside that of the logits."""


def kept_start() -> SideNet:
    """Return the network that learnt from renders, from which fine-tuning starts; trained once."""
    return _kept(all_sides()[0])


def all_sides() -> tuple[Sides, Sides]:
    """Return the sides that teach, and those of the persons who are left out of training."""
    sides = packed_sides()
    if GROUPS.exists():
        sides = Sides.join([sides, Sides.load(GROUPS)])
    out = sides.truth.left_out
    return sides.take(np.flatnonzero(~out)), sides.take(np.flatnonzero(out))


def _kept(sides: Sides) -> SideNet:
    file = keyed(WORK / "side.pt", sides, SEED, LESSONS, code_of(__file__))
    return trained_once(file, SideNet(), partial(_trained, sides))


def _trained(sides: Sides, checkpoint: Path) -> SideNet:
    draw = seeded(SEED)
    net = SideNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    views = StartingViews(sides, BATCH)

    def loss(_: int) -> torch.Tensor:
        crops, truth, joints = views.batch(draw)
        return side_loss(net.outputs(as_inputs(crops)), targets_of(truth.values, truth.between), joints, POINTING)

    ends = np.cumsum(LESSONS).tolist()
    parts = net.parts(TRUNK_RATE, HEAD_RATE, DECAY)
    recipe = Recipe("side network", parts, ends[-1], by_share(_share_of_rate), mean_after=ends, clip=5.0)
    return train(net, recipe, loss, draw, checkpoint)


def _share_of_rate(step: int) -> float:
    """Return the share of the highest rates: up at first, then down to the end of each lesson along half a cosine."""
    ends = np.cumsum(LESSONS)
    lesson = min(int(np.searchsorted(ends, step, side="right")), len(LESSONS) - 1)
    within, steps = int(step - ends[lesson] + LESSONS[lesson]), LESSONS[lesson]
    return LATER_RATES * share_of_rate(within, steps, 1, LAST) if lesson else share_of_rate(step, steps, WARM_UP, LAST)


def main() -> None:
    """Train, measure on left-out people, write the pairwise priors."""
    torch.set_num_threads(1)  # small networks: more threads only wait for each other
    cv2.setNumThreads(1)
    taught, unseen = all_sides()
    report("sides of rendered heads", side_logits(_kept(taught), unseen.images()), unseen.truth)
    hands = Hands.load(PACKED_HANDS).truth
    write_pairs(pairs_of(unseen.truth), pairs_of_hands(unseen.truth, hands.place[hands.left_out]))


if __name__ == "__main__":
    main()
