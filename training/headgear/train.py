"""Stored hands and sides → `models/headgear.onnx`, the start of `models/side.onnx`, parts of `models/fusion.toml`.

The side network is then fine-tuned on people (`fine_tune.py`), and the fusion fitted on them (`people_fusion.py`).

It also lists whom of the real hands no net has learnt from (`models/left_out/hands.toml`), for `bunnymoose evaluate`.

Run from a checkout: `python -m training.headgear.train`. Everything is seeded; what is trained is kept in
`training/work/headgear/` as it goes, so the work can be interrupted (`--again` begins anew). One of five people
teaches no net: on them the nets are measured. What it prints goes into their cards
(`models/*.md`). The hands of real people come from ../shared/landmarks, which must lie beside the checkout.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import cv2
import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.fusion import KINDS
from bunnymoose_cv.vision.headgear.hand_features import FEATURES
from training.checkpoints import save_state
from training.content_cache import keyed
from training.export import export
from training.headgear import fusion_weights, hand_net, side_net
from training.headgear.examples import ANTLER, EAR, NEITHER, Hands, Sides, Truth
from training.headgear.gather import GROUPS, PACKED_HANDS, WORK, packed_sides
from training.headgear.hand_examples import real_hands
from training.headgear.hand_net import HandNet, HandSources, fit_hands, hand_logits
from training.headgear.kinematic_hands import kinematic_hands
from training.headgear.side_net import BUSHES, LESSONS, SIDE_START, SideNet, fit_sides, side_logits
from training.manifest import record_models
from training.paths import MODELS, SHARED
from training.source_code import code_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.headgear.fusion import Logits

MEMBERS = 3
SIDE_SEED = 1
HAND_STEPS = 2000
FIELDS = ("wide", "up", "straight", "top")

torch.set_num_threads(1)  # small nets: more threads only wait for each other
cv2.setNumThreads(1)


class Mean(nn.Module):
    """Several nets as one: the mean of their logits."""

    def __init__(self, members: Sequence[nn.Module]) -> None:
        super().__init__()
        self.members = nn.ModuleList(members)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Logits of shape (n, 7)."""
        return torch.stack([member(numbers) for member in self.members]).mean(0)


def report(name: str, answers: Logits, truth: Truth) -> None:
    """Print how often each field is right; shapes in between are left aside."""
    rows = np.flatnonzero(~truth.between.any(1))
    answers, values = answers[rows], truth.values[rows]
    kind = answers[:, :KINDS].argmax(1)
    print(f"{name}: kind {np.mean(kind == values[:, 0]):.4f} of {len(values)}", end="")
    for value, word in ((ANTLER, "antler"), (EAR, "ear"), (NEITHER, "neither")):
        own = values[:, 0] == value
        if own.any():
            print(f"; {word} {np.mean(kind[own] == value):.4f} of {own.sum()}", end="")
    for column, word in enumerate(FIELDS):
        own = values[:, 1 + column] >= 0
        if own.any():
            right = (answers[own, KINDS + column] > 0) == (values[own, 1 + column] > 0)
            print(f"; {word} {right.mean():.4f} of {own.sum()}", end="")
    print(flush=True)


def taught_hands(options: argparse.Namespace) -> tuple[list[HandNet], HandSources]:
    """The hand nets with the people whom they have not seen."""
    heads, real = Hands.load(PACKED_HANDS), real_hands()
    list_people(real.truth)
    taught, unseen = (
        HandSources(*(hands.take(np.flatnonzero(hands.truth.left_out == out)) for hands in (heads, real)))
        for out in (False, True)
    )
    nets = [_kept_hand_net(taught, seed, options) for seed in range(MEMBERS)]
    made = kinematic_hands(4000, np.random.default_rng(1))
    report("hands made of joints", hand_logits(nets, made), made.truth)
    return nets, unseen


def _kept_hand_net(sources: HandSources, seed: int, options: argparse.Namespace) -> HandNet:
    file = keyed(WORK / f"hand{seed}.pt", sources, options.hand_steps, code_of(hand_net.__file__))
    if options.again or not file.exists():
        save_state(fit_hands(sources, seed, options.hand_steps).state_dict(), file)
    net = HandNet(torch.zeros(FEATURES), torch.ones(FEATURES))
    net.load_state_dict(torch.load(file))
    return net.eval()


def list_people(real: Truth) -> None:
    """Write whom of ../shared/landmarks the hand nets learn from and whom not, for `bunnymoose evaluate`."""
    lines = [
        "# Whom headgear.onnx has not seen of each source of ../shared/landmarks that it learnt from; of others it has",
        "# seen nobody. Written by training/headgear/train.py.",
    ]
    people = {tuple(name.split(":", 1)): out for name, out in zip(real.person, real.left_out, strict=True)}
    for source in sorted({source for source, _ in people}):
        names = sorted(who for (own, who), left_out in people.items() if own == source and left_out)
        lines += ["", f"[{source}]", "unseen = [", *(f'    "{who}",' for who in names), "]"]
    (MODELS / "left_out/hands.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


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
    """Train, measure on left-out people, write what is shipped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hand-steps", type=int, default=HAND_STEPS)
    parser.add_argument("--lessons", type=int, nargs="+", default=LESSONS, help="steps of each lesson of the side net")
    parser.add_argument("--again", action="store_true", help="train also what is kept")
    options = parser.parse_args(arguments)
    if not SHARED.is_dir():
        parser.exit(2, f"The shared data must lie beside the checkout, at {SHARED}.\n")
    WORK.mkdir(parents=True, exist_ok=True)
    hand_nets, hands = taught_hands(options)
    taught, unseen = all_sides()
    side_start = taught_side_net(taught, options)
    alone = hand_logits(hand_nets, hands.real)
    report("hands at rendered heads", hand_logits(hand_nets, hands.heads), hands.heads.truth)
    report("hands of real people by themselves", alone, hands.real.truth)
    report("sides of rendered heads", side_logits(side_start, unseen.images()), unseen.truth)
    of_hands = fusion_weights.pairs_of_hands(unseen.truth, hands.heads.truth.place)
    fusion_weights.write_hand_and_pairs(
        fusion_weights.fitted_hand(alone, hands.real.truth), fusion_weights.pairs_of(unseen.truth), of_hands
    )
    export(Mean(hand_nets), torch.zeros(2, FEATURES), MODELS / "headgear.onnx", "features")
    record_models()
    save_state(side_start.state_dict(), SIDE_START)


if __name__ == "__main__":
    main()
