"""Scaling of logits (`models/logit_scaling.toml`): fitting factors and offsets, counting pairs, writing the file.

Factors and offsets minimise the cross entropy for persons whom the network has not seen, without shapes in between. An
L2 penalty pulls the factors towards 1 and the offsets towards 0.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.logit_scaling import KINDS, Scale, Seen
from training.headgear.examples import NEITHER
from training.headgear.targets import LOGITS
from training.manifest import record_models
from training.paths import MODELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy.typing as npt

    from bunnymoose_cv.vision.headgear.logit_scaling import Logits
    from training.headgear.examples import Truth

SCALING: Final = MODELS / "logit_scaling.toml"

FACTOR_PENALTY, OFFSET_PENALTY = 0.01, 0.005
"""Weight of the squared distance of a factor from 1, and of an offset from 0."""

ROUNDS: Final = 200

COLUMNS_OF: Final = [0, 0, 0, 1, 2, 3, 4]
"""Field of each of the seven logits; the three of the kind share their factor."""

HEADING: Final = """\
# Logit scaling (bunnymoose_cv/vision/headgear/logit_scaling.py): logits times factors, plus offsets.
# In each list: antler, ear, neither; wide, up, straight, top.
# hand, joints: fitted on hands of real people out of fold, with and without their pixels.
# lone_hand: on photographed hands of people left out.
# side: on sides of real people without a detected hand, out of fold, renders as a guard.
# second_look: on all sides of real people out of fold, kinds weighing alike, renders as a guard.
"""

PAIRS: Final = {
    "pairs": "Pairwise prior of the kinds on one head, over chance: antler, ear, neither, against the same three.",
    "pairs_of_hands": "The same if a hand was detected on both sides.",
}


def fitted(logits: Logits, truth: Truth, weights: npt.NDArray[np.float64] | None = None) -> Scale:
    """Fit the scale of a network's logits.

    Args:
        logits: logits for persons whom the network has not seen, shape (n, 7).
        truth: truth of the n hands or sides; shapes in between are ignored.
        weights: shape (n,); equal weights by default.
    """
    rows = np.flatnonzero(~truth.between.any(1))
    kept_logits = torch.from_numpy(logits[rows])
    values = torch.from_numpy(truth.values[rows].astype(np.int64))
    weight = torch.from_numpy(np.ones(len(rows)) if weights is None else weights[rows]).float()
    factors = torch.ones(5, requires_grad=True)
    kinds = torch.zeros(KINDS, requires_grad=True)
    optimiser = torch.optim.LBFGS([factors, kinds], max_iter=ROUNDS, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        offset = torch.cat([kinds, torch.zeros(LOGITS - KINDS)])
        penalty = FACTOR_PENALTY * (factors - 1).square().sum() + OFFSET_PENALTY * kinds.square().sum()
        cost = _cross_entropy(kept_logits * factors[COLUMNS_OF] + offset, values, weight) + penalty
        cost.backward()  # type: ignore[no-untyped-call]
        return cost

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    offsets = np.concatenate([kinds.detach().numpy(), np.zeros(LOGITS - KINDS, np.float32)])
    return Scale(factors.detach()[COLUMNS_OF].numpy(), offsets)


def _cross_entropy(logits: torch.Tensor, truth: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return the sum of the weighted mean cross entropies of the kind and of each known field."""
    known = truth[:, 0] >= 0
    kind = nn.functional.cross_entropy(logits[known, :KINDS], truth[known, 0], reduction="none")
    cost = (weight[known] * kind).sum() / weight[known].sum()
    for field in range(LOGITS - KINDS):
        known = truth[:, 1 + field] >= 0
        if known.any():
            predicted, target = logits[known, KINDS + field], truth[known, 1 + field].float()
            entropy = nn.functional.binary_cross_entropy_with_logits(predicted, target, reduction="none")
            cost = cost + (weight[known] * entropy).sum() / weight[known].sum()
    return cost


def pairs_of(truth: Truth) -> Logits:
    """Return the pairwise prior of the kinds on both sides of a head, relative to chance, shape (3, 3), symmetric.

    It is 1 for an empty side, which says nothing about the other, since one arm may be tired.
    """
    lift = np.ones((KINDS, KINDS), np.float32)
    lift[:NEITHER, :NEITHER] = _lift(_pair_counts(truth, truth.place)[:NEITHER, :NEITHER])
    return lift


def pairs_of_hands(truth: Truth, found: Iterable[str]) -> Logits:
    """Return the pairwise prior if a hand was found on both sides, when other hands say something about the other side.

    Args:
        truth: truth of sides.
        found: places of the sides on which a hand was found.
    """
    return _lift(_pair_counts(truth, found))


def _pair_counts(truth: Truth, places: Iterable[str]) -> Logits:
    """Count pairs of kinds on heads with both sides among the places, without kinds in between, shape (3, 3)."""
    among = {*places}
    plain = np.flatnonzero(~truth.between[:, 0])
    kinds = {truth.place[row]: truth.values[row, 0] for row in plain if truth.place[row] in among}
    together = np.zeros((KINDS, KINDS), np.float32)
    for place, kind in kinds.items():
        other = place.replace("/left", "/right")
        if place.endswith("/left") and other in kinds:
            together[kind, kinds[other]] += 1
    return together + together.T


def _lift(together: Logits) -> Logits:
    """Return the lift of each pair: its share divided by the product of the shares of its kinds."""
    shares = together.sum(0) / together.sum()
    return np.asarray(together / together.sum() / np.outer(shares, shares), np.float32)


def write_pairs(pairs: Logits, of_hands: Logits) -> None:
    """Replace the pairwise priors in the file."""
    lifts = (("pairs", pairs), ("pairs_of_hands", of_hands))
    _write(_stored() | {name: {"oftener": np.round(lift.astype(float), 3).tolist()} for name, lift in lifts})


def write_scales(scales: Mapping[Seen, Scale]) -> None:
    """Replace the scales of the given inputs in the file."""
    lists = {
        seen.value: {name: [float(value) for value in getattr(scale, name)] for name in ("factor", "offset")}
        for seen, scale in scales.items()
    }
    _write(_stored() | lists)


def _stored() -> dict[str, Any]:
    return tomllib.loads(SCALING.read_text("utf-8"))


def _write(blocks: Mapping[str, Any]) -> None:
    parts = [HEADING]
    for seen in Seen:
        lines = [f"{name} = [{', '.join(f'{value:.3f}' for value in row)}]" for name, row in blocks[seen.value].items()]
        parts.append("\n".join([f"[{seen.value}]", *lines]) + "\n")
    for name, title in PAIRS.items():
        parts.append(f"# {title}\n[{name}]\noftener = {blocks[name]['oftener']}\n")
    SCALING.write_text("\n".join(parts), "utf-8")
    record_models()
