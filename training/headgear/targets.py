"""The seven logits of a headgear network: their targets, their loss, and their accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from bunnymoose_cv.vision.headgear.logit_scaling import KINDS
from training.headgear.examples import ANTLER, EAR, NEITHER

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.vision.headgear.logit_scaling import Logits
    from training.headgear.examples import Truth

FIELDS = ("wide", "up", "straight", "top")

LOGITS = KINDS + len(FIELDS)
"""Number of logits: three for the kind (antler, ear, neither), one for each field."""

SMOOTHED = 0.02
BETWEEN = 0.35
"""Target of the farther value of a shape between two."""


def targets_of(
    values: npt.NDArray[np.int8], between: npt.NDArray[np.bool_], smoothed: float = SMOOTHED
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return targets, soft for a shape between two values, and the mask of known fields.

    Args:
        values: see `Truth.values`.
        between: see `Truth.between`.
        smoothed: target of the other values if the truth is certain (label smoothing).

    Returns:
        Probabilities, shape (n, 7), and weights of kind, wide, up, straight, top, shape (n, 5).
    """
    rest = np.where(between, BETWEEN, smoothed)
    wanted = np.zeros((len(values), LOGITS), np.float32)
    kind = values[:, 0].astype(int)
    wanted[:, :3] = rest[:, :1] / 2
    wanted[np.arange(len(values)), kind] = 1 - rest[:, 0]
    wanted[:, 3:] = np.where(values[:, 1:] == 1, 1 - rest[:, 1:], rest[:, 1:])
    known = np.column_stack([kind >= 0, values[:, 1:] >= 0])
    return torch.from_numpy(wanted), torch.from_numpy(known.astype(np.float32))


def loss_of(logits: torch.Tensor, wanted: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Return the cross entropy of the kind and of each field that is known."""
    kind = nn.functional.cross_entropy(logits[:, :3], wanted[:, :3], reduction="none")
    fields = nn.functional.binary_cross_entropy_with_logits(logits[:, 3:], wanted[:, 3:], reduction="none")
    return (known * torch.cat([kind[:, None], fields], 1)).sum() / len(logits)


def report(name: str, logits: Logits, truth: Truth) -> None:
    """Print how often each field is right, without shapes in between."""
    rows = np.flatnonzero(~truth.between.any(1) & (truth.values[:, 0] >= 0))
    logits, values = logits[rows], truth.values[rows]
    kind = logits[:, :KINDS].argmax(1)
    parts = [f"{name}: kind {np.mean(kind == values[:, 0]):.4f} of {len(values)}"]
    for value, word in ((ANTLER, "antler"), (EAR, "ear"), (NEITHER, "neither")):
        own = values[:, 0] == value
        if own.any():
            parts.append(f"{word} {np.mean(kind[own] == value):.4f} of {own.sum()}")
    for column, word in enumerate(FIELDS):
        own = values[:, 1 + column] >= 0
        if own.any():
            right = (logits[own, KINDS + column] > 0) == (values[own, 1 + column] > 0)
            parts.append(f"{word} {right.mean():.4f} of {own.sum()}")
    print("; ".join(parts), flush=True)
