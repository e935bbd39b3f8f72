"""Logits and probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


def sigmoid(logits: npt.ArrayLike) -> npt.NDArray[np.floating[Any]]:
    """Probabilities of logits, of the same shape."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(logits))))


def logit(probabilities: npt.ArrayLike, least: float) -> npt.NDArray[np.float64]:
    """Logits of probabilities that are held off 0 and 1 by `least`, of the same shape."""
    held = np.clip(np.asarray(probabilities, np.float64), least, 1 - least)
    return np.asarray(np.log(held / (1 - held)))
