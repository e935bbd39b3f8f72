"""Logits (log-odds): conversion to and from probabilities, and their weighted mean over correlated frames.

Frames of one freeze repeat each other's mistakes, so many frames are worth no more than one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


def sigmoid(logits: npt.ArrayLike) -> npt.NDArray[np.floating[Any]]:
    """Return the probabilities of logits, in the same shape."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(logits))))


def logit(probabilities: npt.ArrayLike, least: float) -> npt.NDArray[np.float64]:
    """Return the logits of probabilities, in the same shape, after clipping them to `least` from 0 and 1."""
    held = np.clip(np.asarray(probabilities, np.float64), least, 1 - least)
    return np.asarray(np.log(held / (1 - held)))


@dataclass(frozen=True, slots=True, eq=False)
class LogOddsMean:
    """Weighted mean of log-odds over correlated frames, as sums of weight times log-odds and of weights."""

    total: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]
    count: int

    def joined(self, other: LogOddsMean) -> LogOddsMean:
        """Add the evidence of further frames."""
        return LogOddsMean(self.total + other.total, self.weight + other.weight, self.count + other.count)

    @property
    def log_odds(self) -> npt.NDArray[np.float64]:
        """Weighted mean. Frames of a held pose are correlated, so more of them do not add certainty."""
        return self.total / self.weight
