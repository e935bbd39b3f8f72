"""Learning rates over a training."""

from __future__ import annotations

import numpy as np


def share_of_rate(step: int, steps: int, warm_up: int, last: float) -> float:
    """Share of the highest rate at a step: a linear rise, then half a cosine (Loshchilov and Hutter 2017, no restart).

    Args:
        step: from 0.
        steps: of the training.
        warm_up: steps of the rise; 1 begins at the height.
        last: share that is left at the end.
    """
    left = (1 + np.cos(np.pi * step / steps)) / 2
    return float(min(1, (step + 1) / warm_up) * (last + (1 - last) * left))
