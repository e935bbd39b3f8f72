"""How much each net counts: fitted on people whom no net has seen, written to `models/joining.toml`. Owns no net.

The weights make the probabilities of left-out people most likely (cross entropy, in-between shapes left aside), held
loosely to counting both nets half: that is calibration and joining in one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from targets import LOGITS, loss_of, targets_of

from bunnymoose_cv.vision.answers import Seen, Weights

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from examples import Truth

    from bunnymoose_cv.vision.answers import Answers

HELD = 0.02
"""How much a weight's square distance from its first guess costs."""

ROUNDS = 400

COLUMNS_OF = [0, 0, 0, 1, 2, 3, 4]
"""Which field each of the seven numbers belongs to: the kind's three share their weights."""


def fitted(hand: Answers | None, side: Answers | None, truth: Truth) -> Weights:
    """The weights for hands, for sides, or for both; a net that is not asked counts nothing.

    Args:
        hand: what the hand net says, shape (n, 7).
        side: what the side net says, shape (n, 7).
        truth: n of it.
    """
    rows = np.flatnonzero(~truth.between.any(1))
    said = [answers for answers in (hand, side) if answers is not None]
    inputs = torch.from_numpy(np.stack([answers[rows] for answers in said]))
    wanted, known = targets_of(truth.values[rows], truth.between[rows], smoothed=0.0)
    first = torch.full((len(said), 5), 1 / len(said))
    scales = first.clone().requires_grad_()
    kinds = torch.zeros(3, requires_grad=True)
    optimiser = torch.optim.Adam([scales, kinds], 0.02)
    for _ in range(ROUNDS):
        offset = torch.cat([kinds - kinds.mean(), torch.zeros(LOGITS - 3)])
        logits = (inputs * scales.clamp_min(0)[:, None, COLUMNS_OF]).sum(0) + offset
        held = HELD * ((scales - first).square().sum() + kinds.square().sum())
        loss = loss_of(logits, wanted, known) + held
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return _weights(scales.detach().clamp_min(0)[:, COLUMNS_OF].numpy(), kinds.detach(), hand is not None)


def _weights(scales: Answers, kinds: torch.Tensor, has_hand: bool) -> Weights:  # noqa: FBT001 - one caller, above
    offset = np.zeros(LOGITS, np.float32)
    offset[:3] = (kinds - kinds.mean()).numpy()
    nothing = np.zeros(LOGITS, np.float32)
    hand = scales[0] if has_hand else nothing
    side = scales[-1] if len(scales) > 1 or not has_hand else nothing
    return Weights(np.asarray(hand, np.float32), np.asarray(side, np.float32), offset)


def without_hand(weights: Weights, everywhere: Truth, handless: Truth) -> Weights:
    """The weights for sides on which no hand was found: there is mostly nothing, and antlers are seldom missed.

    Args:
        weights: fitted on all sides.
        everywhere: the truth of all sides.
        handless: of those without a found hand.
    """
    shares = [(np.bincount(truth.values[:, 0], minlength=3) + 1) / (len(truth) + 3) for truth in (everywhere, handless)]
    offset = weights.offset.copy()
    offset[:3] += np.log(shares[1] / shares[0])
    return replace(weights, offset=offset)


def write(path: Path, weights: Mapping[Seen, Weights]) -> None:
    """Write the weights as the reader loads them."""
    lines = [
        "# How what the nets say adds up (bunnymoose_cv/vision/answers.py): log odds times weights, plus an offset.",
        "# In each list: antler, ear, neither; wide, up, straight, top. Written by models/training/headgear/train.py.",
    ]
    for seen in Seen:
        lines += ["", f"[{seen.value}]"]
        for name in ("hand", "side", "offset"):
            numbers = ", ".join(f"{value:.3f}" for value in getattr(weights[seen], name))
            lines.append(f"{name} = [{numbers}]")
    path.write_text("\n".join(lines) + "\n", "utf-8")
