"""States of nets and trainings in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from bunnymoose_cv.core.atomic_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def save_state(state: Mapping[str, Any], file: Path) -> None:
    """Write a state all or nothing, so that a training that is ended meanwhile goes on from the one before."""
    with whole_file(file) as part:
        torch.save(state, part)


def arrays_of(state: Mapping[str, torch.Tensor]) -> dict[str, Any]:
    """Weights of a net as arrays, by name."""
    return {name: value.numpy() for name, value in state.items()}


def interpolated(
    start: Mapping[str, torch.Tensor], tuned: Mapping[str, torch.Tensor], share: float
) -> dict[str, torch.Tensor]:
    """Weights between those of the start and fine-tuned ones, a share of the way (Wortsman et al. 2022)."""
    return {name: start[name] + share * (tuned[name] - start[name]) for name in start}
