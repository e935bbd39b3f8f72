"""How much each net counts: fitted on people whom no net has seen, written to `models/joining.toml`. Owns no net.

The weights make the probabilities of left-out people most likely (cross entropy, in-between shapes left aside), held
to a first guess: that is calibration and joining in one. Those people are rendered, and more of their sides show
nothing than at tables, which is put right afterwards (`at_tables`). Where the joints' net speaks of the kind beside
others, the guess and the hold on it favour it, which has learnt from real hands too, as they have not.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from examples import NEITHER
from targets import LOGITS, loss_of, targets_of

from bunnymoose_cv.vision.headgear.fusion import KINDS, Seen, Weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from examples import Truth

    from bunnymoose_cv.vision.headgear.fusion import Logits

HELD = 0.02
"""How much a weight's square distance from its first guess costs; all nets that speak count alike in it."""

KIND = {Seen.HAND_AND_SIDE: (0.9, 0.6), Seen.SIDE_AND_CLOSE: (0.8, 0.6), Seen.ALL: (0.7, 0.5, 0.4)}
KIND_HELD = 0.2
"""The same for the kind, where several nets speak."""

OFFSET_HELD = 0.02
"""How much an offset's square costs."""

EMPTY = 0.2
"""On so many sides of heads nothing stands, at tables: both hands hang now and then, or one; few make a bush."""

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


def fitted(seen: Seen, answers: Sequence[Logits], truth: Truth) -> Weights:
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


def _weights(seen: Seen, scales: Logits, kinds: torch.Tensor) -> Weights:
    offset = np.zeros(LOGITS, np.float32)
    offset[:3] = (kinds - kinds.mean()).numpy()
    by_net = dict(zip(NETS_OF[seen], scales, strict=True))
    nothing = np.zeros(LOGITS, np.float32)
    hand, side, close = (np.asarray(by_net.get(net, nothing), np.float32) for net in NETS_OF[Seen.ALL])
    return Weights(hand, side, close, offset)


def at_tables(weights: Mapping[Seen, Weights], truth: Truth) -> dict[Seen, Weights]:
    """The weights for sides of heads, made to hold where nothing stands on `EMPTY` of them.

    Those whom no net has seen show more that is no headgear, for that is what nets must learn to tell from headgears.

    Args:
        weights: as they were fitted.
        truth: of all sides by which they were.
    """
    shown = float(np.mean(truth.values[~truth.between.any(1), 0] == NEITHER))
    fewer = np.zeros(LOGITS, np.float32)
    fewer[NEITHER] = np.log(shown / (1 - shown)) - np.log(EMPTY / (1 - EMPTY))
    return {
        seen: own if seen is Seen.HAND else replace(own, offset=own.offset - fewer) for seen, own in weights.items()
    }


def pairs_of(truth: Truth) -> Logits:
    """How much oftener two kinds stand on one head than two heads would have them, shape (3, 3), symmetric.

    A side on which nothing stands tells nothing about the other: one arm may be tired.
    """
    oftener = np.ones((KINDS, KINDS), np.float32)
    oftener[:NEITHER, :NEITHER] = _oftener(_together(truth, truth.place)[:NEITHER, :NEITHER])
    return oftener


def pairs_of_hands(truth: Truth, found: Iterable[str]) -> Logits:
    """The same where a hand was found on both sides: nobody is too tired there, so what makes nothing tells, too.

    Args:
        truth: of sides.
        found: the places of those on which a hand was found.
    """
    return _oftener(_together(truth, found))


def _together(truth: Truth, places: Iterable[str]) -> Logits:
    """How often two kinds stand on heads of which both sides are among these places, shape (3, 3), symmetric.

    Kinds in between are left aside.
    """
    among = {*places}
    plain = np.flatnonzero(~truth.between[:, 0])
    kinds = {truth.place[row]: truth.values[row, 0] for row in plain if truth.place[row] in among}
    together = np.zeros((KINDS, KINDS), np.float32)
    for place, kind in kinds.items():
        other = place.replace("/left", "/right")
        if place.endswith("/left") and other in kinds:
            together[kind, kinds[other]] += 1
    return together + together.T


def _oftener(together: Logits) -> Logits:
    """How much oftener than their shares alone would have it."""
    shares = together.sum(0) / together.sum()
    return np.asarray(together / together.sum() / np.outer(shares, shares), np.float32)


def write(path: Path, weights: Mapping[Seen, Weights], pairs: Logits, of_hands: Logits) -> None:
    """Write the weights as the reader loads them."""
    lines = [
        "# Weights of the fusion (bunnymoose_cv/vision/headgear/fusion.py): log odds times weights, plus an offset.",
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
        "",
        "# The same where a hand was found on both sides.",
        "[pairs_of_hands]",
        f"oftener = {np.round(of_hands.astype(float), 3).tolist()}",
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
