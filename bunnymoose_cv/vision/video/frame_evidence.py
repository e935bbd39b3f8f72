"""Evidence of correlated frames: weighted mean of log-odds.

Frames of one freeze repeat each other's mistakes, so many are worth no more than one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

LogOdds: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LogOddsMean:
    """Weighted mean of log-odds over correlated frames.

    Attributes:
        total: sum of weight times log-odds.
        weight: sum of weights, of the same shape.
        count: frames.
    """

    total: LogOdds
    weight: LogOdds
    count: int

    def joined(self, other: LogOddsMean) -> LogOddsMean:
        """Join the evidence of further frames."""
        return LogOddsMean(self.total + other.total, self.weight + other.weight, self.count + other.count)

    @property
    def log_odds(self) -> LogOdds:
        """Weighted mean: frames of a held pose are correlated, so more of them make nothing surer."""
        return self.total / self.weight
