"""How much each net counts: fitted on people whom no net has seen, written to `models/joining.toml`. Owns no net.

The weights make the probabilities of left-out people most likely (cross entropy, in-between shapes left aside), held
to a first guess: that is calibration and joining in one. Those people are rendered. Where the joints' net speaks of the
kind beside others, the guess and the hold on it favour it, which has learnt from real hands too, as they have not.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import torch
from examples import NEITHER
from targets import LOGITS, loss_of, targets_of

from bunnymoose_cv.vision.answers import KINDS, Seen, Weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from examples import Truth

    from bunnymoose_cv.vision.answers import Answers

HELD = 0.02
"""How much a weight's square distance from its first guess costs; all nets that speak count alike in it."""

KIND = {Seen.HAND_AND_SIDE: (0.9, 0.6), Seen.SIDE_AND_CLOSE: (0.8, 0.6), Seen.ALL: (0.7, 0.5, 0.4)}
KIND_HELD = 0.2
"""The same for the kind, where several nets speak."""

OFFSET_HELD = 0.02
"""How much an offset's square costs."""

ROUNDS = 400

COLUMNS_OF = [0, 0, 0, 1, 2, 3, 4]
"""Which field each of the seven numbers belongs to: the kind's three share their weights."""


NETS_OF = {
    Seen.HAND: ("hand",),
    Seen.SIDE: ("side",),
    Seen.HAND_AND_SIDE: ("hand", "side"),
    Seen.SIDE_AND_CLOSE: ("side", "close"),
    Seen.ALL: ("hand", "side", "close"),
}
"""Whose answers are joined where so much was seen."""


def fitted(seen: Seen, answers: Sequence[Answers], truth: Truth) -> Weights:
    """The weights of the nets that had something to read; another counts nothing.

    Args:
        seen: which nets had.
        answers: what each of them says, in the order of `NETS_OF`, shape (n, 7) each.
        truth: n of it.
    """
    rows = np.flatnonzero(~truth.between.any(1))
    inputs = torch.from_numpy(np.stack([said[rows] for said in answers]))
    wanted, known = targets_of(truth.values[rows], truth.between[rows], smoothed=0.0)
    first, hold = torch.full((len(answers), 5), 1 / len(answers)), torch.full((5,), HELD)
    if seen in KIND:
        first[:, 0], hold[0] = torch.tensor(KIND[seen]), KIND_HELD
    scales = first.clone().requires_grad_()
    kinds = torch.zeros(3, requires_grad=True)
    optimiser = torch.optim.Adam([scales, kinds], 0.02)
    for _ in range(ROUNDS):
        offset = torch.cat([kinds - kinds.mean(), torch.zeros(LOGITS - 3)])
        logits = (inputs * scales.clamp_min(0)[:, None, COLUMNS_OF]).sum(0) + offset
        held = (hold * (scales - first).square()).sum() + OFFSET_HELD * kinds.square().sum()
        loss = loss_of(logits, wanted, known) + held
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return _weights(seen, scales.detach().clamp_min(0)[:, COLUMNS_OF].numpy(), kinds.detach())


def _weights(seen: Seen, scales: Answers, kinds: torch.Tensor) -> Weights:
    offset = np.zeros(LOGITS, np.float32)
    offset[:3] = (kinds - kinds.mean()).numpy()
    by_net = dict(zip(NETS_OF[seen], scales, strict=True))
    nothing = np.zeros(LOGITS, np.float32)
    hand, side, close = (np.asarray(by_net.get(net, nothing), np.float32) for net in NETS_OF[Seen.ALL])
    return Weights(hand, side, close, offset)


def pairs_of(truth: Truth) -> Answers:
    """How much oftener two kinds stand on one head than two heads would have them, shape (3, 3), symmetric.

    A side on which nothing stands tells nothing about the other: one arm may be tired.
    """
    kinds = {str(place): int(values[0]) for place, values in zip(truth.place, truth.values, strict=True)}
    together = np.zeros((NEITHER, NEITHER))
    for place, kind in kinds.items():
        other = kinds.get(place.replace("/left", "/right"), NEITHER)
        if place.endswith("/left") and NEITHER not in {kind, other}:
            together[kind, other] += 1
    together += together.T
    together /= together.sum()
    shares = together.sum(0)
    oftener = np.ones((KINDS, KINDS), np.float32)
    oftener[:NEITHER, :NEITHER] = together / np.outer(shares, shares)
    return oftener


def write(path: Path, weights: Mapping[Seen, Weights], pairs: Answers) -> None:
    """Write the weights as the reader loads them."""
    lines = [
        "# How what the nets say adds up (bunnymoose_cv/vision/answers.py): log odds times weights, plus an offset.",
        "# In each list: antler, ear, neither; wide, up, straight, top. Written by models/training/headgear/train.py.",
    ]
    for seen in Seen:
        lines += ["", f"[{seen.value}]"]
        for each in fields(Weights):
            numbers = ", ".join(f"{value:.3f}" for value in getattr(weights[seen], each.name))
            lines.append(f"{each.name} = [{numbers}]")
    lines += [
        "",
        "# How much oftener than by chance two kinds stand on one head: antler, ear, neither, against the same three.",
        "[pairs]",
        f"oftener = {np.round(pairs.astype(float), 3).tolist()}",
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
