"""Start of the side network from gathered renders: `python -m training.headgear.train_sides`.

The side network reads sides of heads on which no hand was detected. It is then fine-tuned on people (`fine_tune.py`).
Also counts the pairwise prior of both sides in `models/logit_scaling.toml`. Everything is seeded; what is trained is
kept in `training/work/headgear/` as it goes, so the work can be interrupted (`--again` starts over). One of five
persons is left out of training; on them the network is measured.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import cv2
import numpy as np
import torch

from training.checkpoints import save_state
from training.content_cache import keyed
from training.headgear import scaling, side_net
from training.headgear.examples import Hands, Sides
from training.headgear.gather import GROUPS, PACKED_HANDS, WORK, packed_sides
from training.headgear.side_net import BUSHES, LESSONS, SIDE_START, SideNet, fit_sides, side_logits
from training.headgear.train_hands import report
from training.source_code import code_of

if TYPE_CHECKING:
    from collections.abc import Sequence

SIDE_SEED = 1

torch.set_num_threads(1)  # small networks: more threads only wait for each other
cv2.setNumThreads(1)


def all_sides() -> tuple[Sides, Sides]:
    """The sides that teach, and those of the people who teach no net."""
    sides = packed_sides()
    if GROUPS.exists():
        sides = Sides.join([sides, Sides.load(GROUPS)])
    out = sides.truth.left_out
    return sides.take(np.flatnonzero(~out)), sides.take(np.flatnonzero(out))


def taught_side_net(sides: Sides, options: argparse.Namespace) -> SideNet:
    """The side network as it starts, before it is fine-tuned on people."""
    file = keyed(WORK / "side.pt", sides, BUSHES, SIDE_SEED, options.lessons, code_of(side_net.__file__))
    if options.again:
        file.unlink(missing_ok=True)
    return fit_sides(sides, BUSHES, SIDE_SEED, options.lessons, file)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure on left-out people, keep what fine-tuning starts from."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=int, nargs="+", default=LESSONS, help="steps of each lesson")
    parser.add_argument("--again", action="store_true", help="train also what is kept")
    options = parser.parse_args(arguments)
    WORK.mkdir(parents=True, exist_ok=True)
    taught, unseen = all_sides()
    side_start = taught_side_net(taught, options)
    report("sides of rendered heads", side_logits(side_start, unseen.images()), unseen.truth)
    hands = Hands.load(PACKED_HANDS).truth
    found = hands.place[hands.left_out]
    scaling.write_pairs(scaling.pairs_of(unseen.truth), scaling.pairs_of_hands(unseen.truth, found))
    save_state(side_start.state_dict(), SIDE_START)


if __name__ == "__main__":
    main()
