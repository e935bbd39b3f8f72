"""Start of the side network from gathered renders: `python -m training.headgear.train_sides`.

The side network reads sides of heads on which no hand was detected. It is then fine-tuned on people (`fine_tune.py`).
Also counts the pairwise prior of both sides in `models/logit_scaling.toml`. Everything is seeded, and kept in
`training/work/headgear/` as it goes. One of five persons is left out of training; on them the network is measured.
"""

from __future__ import annotations

import cv2
import numpy as np
import torch

from training.headgear.examples import Hands, Sides
from training.headgear.gather import GROUPS, PACKED_HANDS, packed_sides
from training.headgear.scaling import pairs_of, pairs_of_hands, write_pairs
from training.headgear.side_net import kept_start, side_logits
from training.headgear.targets import report


def all_sides() -> tuple[Sides, Sides]:
    """Return the sides that teach, and those of the persons who are left out of training."""
    sides = packed_sides()
    if GROUPS.exists():
        sides = Sides.join([sides, Sides.load(GROUPS)])
    out = sides.truth.left_out
    return sides.take(np.flatnonzero(~out)), sides.take(np.flatnonzero(out))


def main() -> None:
    """Train, measure on left-out people, write the pairwise priors."""
    torch.set_num_threads(1)  # small networks: more threads only wait for each other
    cv2.setNumThreads(1)
    taught, unseen = all_sides()
    report("sides of rendered heads", side_logits(kept_start(taught), unseen.images()), unseen.truth)
    hands = Hands.load(PACKED_HANDS).truth
    write_pairs(pairs_of(unseen.truth), pairs_of_hands(unseen.truth, hands.place[hands.left_out]))


if __name__ == "__main__":
    main()
