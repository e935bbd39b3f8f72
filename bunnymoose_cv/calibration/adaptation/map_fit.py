"""Maximum-a-posteriori fit of offsets and a scale in log-odds, under a Gaussian prior around no change.

Class logits of a take are `scale * odds + offset`; a field of two classes has one log-odds, and 0 for its second class.
Newton's method with Fisher's information: the problem is small, smooth and nearly convex.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

Array: TypeAlias = npt.NDArray[np.float64]

NO_SPREAD: Final = 1e-3
"""Standard deviation that stands for a parameter which does not differ between people."""

STEPS, HALVINGS, SMALLEST_STEP = 20, 8, 1e-4


@dataclass(frozen=True, slots=True)
class PriorSpread:
    """Standard deviations between people, in log-odds and in the logarithm of the scale."""

    offset: float
    scale: float


@dataclass(frozen=True, slots=True)
class Fit:
    """Offsets and scale that are most probable after the takes.

    Attributes:
        offset: one a column of the odds.
        scale: more than 0.
        evidence: logarithm of the takes' marginal likelihood (Laplace's approximation).
    """

    offset: tuple[float, ...]
    scale: float
    evidence: float


def fit(odds: Sequence[tuple[float, ...]], classes: Sequence[int], spread: PriorSpread) -> Fit:
    """Fit the takes of one field.

    Args:
        odds: of each take; three columns of a field of three classes, one of a field of two.
        classes: the true one of each take.
    """
    columns = len(odds[0])
    given = np.asarray(odds, np.float64)
    logits = given if columns > 1 else np.hstack([given, np.zeros_like(given)])
    shift = np.eye(max(columns, 2), columns)
    truth = np.eye(logits.shape[1])[list(classes)]
    deviations = np.array([max(spread.offset, NO_SPREAD)] * columns + [max(spread.scale, NO_SPREAD)])
    problem = _Problem(logits, shift, truth, 1 / deviations**2)
    best = problem.solved()
    _, information = problem.slope(best)
    evidence = -problem.cost(best) - float(np.log(deviations).sum()) - float(np.linalg.slogdet(information)[1]) / 2
    return Fit(tuple(best[:-1].tolist()), math.exp(best[-1]), evidence)


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """Takes (n, classes) with their truth, how offsets (m) shift the classes, and the prior's precision (m + 1)."""

    logits: Array
    shift: Array
    truth: Array
    precision: Array

    def solved(self) -> Array:
        """Offsets and the logarithm of the scale, shape (m + 1,)."""
        found = np.zeros(len(self.precision))
        for _ in range(STEPS):
            slope, information = self.slope(found)
            step = np.linalg.solve(information, slope)
            before = self.cost(found)
            for _ in range(HALVINGS):
                if self.cost(found - step) <= before:
                    break
                step = step / 2
            found = found - step
            if np.abs(step).max() < SMALLEST_STEP:
                break
        return found

    def cost(self, found: Array) -> float:
        """Negative logarithm of the posterior, less what does not depend on the parameters."""
        values = self._values(found)
        likely = values - np.logaddexp.reduce(values, axis=1, keepdims=True)
        return float(-(likely * self.truth).sum() + (self.precision * found**2).sum() / 2)

    def slope(self, found: Array) -> tuple[Array, Array]:
        """Gradient, and Fisher's information with the prior's."""
        values = self._values(found)
        chances = np.exp(values - np.logaddexp.reduce(values, axis=1, keepdims=True))
        offsets = np.broadcast_to(self.shift, (len(values), *self.shift.shape))
        moves = np.concatenate([offsets, (math.exp(found[-1]) * self.logits)[:, :, None]], axis=2)
        gradient = np.einsum("nk,nkp->p", chances - self.truth, moves) + self.precision * found
        mean = np.einsum("nk,nkp->np", chances, moves)
        second = np.einsum("nk,nkp,nkq->pq", chances, moves, moves)
        return gradient, second - mean.T @ mean + np.diag(self.precision)

    def _values(self, found: Array) -> Array:
        values: Array = math.exp(found[-1]) * self.logits + self.shift @ found[:-1]
        return values
