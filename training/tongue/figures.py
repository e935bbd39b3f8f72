"""Counting right and wrong tongues."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

Flags = npt.NDArray[np.bool_]


def share(count: int, of: int) -> str:
    """A count as words, with its 95 % Wilson interval: `45 of 50 (90.0 %, 78.6 to 95.7)`."""
    if of == 0:
        return "none there"
    low, high = binomtest(count, of).proportion_ci(method="wilson")
    return f"{count} of {of} ({100 * count / of:.1f} %, {100 * low:.1f} to {100 * high:.1f})"


def _count(flags: Flags) -> int:
    return int(np.count_nonzero(flags))


def report(name: str, out: Flags, probabilities: npt.NDArray[np.float64], limits: tuple[float, float]) -> str:
    """One paragraph on one set: right, found, false alarms; how many are unclear and what is wrong beside those."""
    said = probabilities >= 0.5
    clear_in, clear_out = limits
    unclear = (probabilities > clear_in) & (probabilities < clear_out)
    lines = (
        f"{name}",
        f"    right               {share(_count(said == out), len(out))}",
        f"    tongues found       {share(_count(said & out), _count(out))}",
        f"    false alarms        {share(_count(said & ~out), _count(~out))}",
        f"    unclear             {share(_count(unclear), len(out))}",
        f"    wrong though clear  {share(_count((said != out) & ~unclear), _count(~unclear))}",
    )
    return "\n".join(lines)
