"""Targets of a headgear net from a truth, and the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

if TYPE_CHECKING:
    import numpy.typing as npt

LOGITS = 7
"""Three of the kind (antler, ear, neither), one each of wide, up, straight, top."""

SMOOTHED = 0.02
BETWEEN = 0.35
"""Target of the farther value of a shape between two; the nearer one has the rest."""


def targets_of(
    values: npt.NDArray[np.int8], between: npt.NDArray[np.bool_], smoothed: float = SMOOTHED
) -> tuple[torch.Tensor, torch.Tensor]:
    """Targets of the net, soft where a shape lies between, and the mask of fields that count.

    Args:
        values: see `Truth.values`.
        between: see `Truth.between`.
        smoothed: what the other values are worth where the truth is plain.

    Returns:
        Wanted probabilities, shape (n, 7), and weights of the fields kind, wide, up, straight, top, shape (n, 5).
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
    """Cross entropy of the kind and of each field that is known."""
    kind = nn.functional.cross_entropy(logits[:, :3], wanted[:, :3], reduction="none")
    fields = nn.functional.binary_cross_entropy_with_logits(logits[:, 3:], wanted[:, 3:], reduction="none")
    return (known * torch.cat([kind[:, None], fields], 1)).sum() / len(logits)
